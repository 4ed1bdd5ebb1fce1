package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// auditCommand shows what people did on this site.
type auditCommand struct {
	aSpan
	JSON bool `name:"json" help:"Print the result as JSON, one deed on each line."`
}

// Run prints each deed on a line, the oldest first.
func (c *auditCommand) Run(ctx context.Context, s *session) error {
	query := url.Values{}
	for name, at := range map[string]time.Time{"since": c.Since.at, "until": c.Until.end()} {
		if !at.IsZero() {
			query.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		deeds, err := client.Open(ctx, http.MethodGet, "/local/v1/audit?"+query.Encode(), nil)
		if err != nil {
			return err
		}
		defer deeds.Close()
		if c.JSON {
			if _, err := io.Copy(s.out, deeds); err != nil {
				return fmt.Errorf("read the audit: %w", err)
			}
			return nil
		}
		reader := s.reader()
		for lines := json.NewDecoder(deeds); ; {
			var deed view.DeedRow
			if err := lines.Decode(&deed); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return fmt.Errorf("read the audit: %w", err)
			}
			if _, err := fmt.Fprintln(s.out, reader.DeedLine(deed)); err != nil {
				return fmt.Errorf("print the audit: %w", err)
			}
		}
	})
}
