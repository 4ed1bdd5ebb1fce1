package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"text/tabwriter"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// runStanding lists the uploads that stand somewhere.
func (c *uploadList) runStanding(ctx context.Context, s *session) error {
	switch {
	case !slices.Contains(view.Standings(), view.Standing(c.Standing)):
		return &usageError{errors.New("--standing must be one of those that footbridge upload list --help names")}
	case c.Participant != "" || !c.Since.at.IsZero() || !c.Until.at.IsZero():
		return &usageError{errors.New("--standing goes with --study and --limit alone")}
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		query := url.Values{"standing": {c.Standing}}
		if c.Study != "" {
			query.Set("study", c.Study)
		}
		all := []view.UploadRow{}
		for len(all) < c.Limit {
			query.Set("pageSize", fmt.Sprint(min(pageMax, c.Limit-len(all))))
			var page view.UploadPage
			if err := client.Call(ctx, http.MethodGet, "/local/v1/uploads?"+query.Encode(), nil, &page); err != nil {
				return err
			}
			all = append(all, page.Rows...)
			if page.Next == "" {
				break
			}
			query.Set("before", string(page.Next))
		}
		if c.JSON {
			return s.printJSON(all)
		}
		return printStanding(s.out, all)
	})
}

func printStanding(out io.Writer, all []view.UploadRow) error {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(lines, "REQUESTED\tFILE\tID\tWHY")
	for _, row := range all {
		fmt.Fprintf(lines, "%s\t%q\t%s\t%s\n", row.RequestedOn.Format("2006-01-02T15:04:05.000Z"), row.File, row.ID, row.Sentence)
	}
	return lines.Flush()
}
