package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"footbridge/app/control"
	"footbridge/core/account"
	"footbridge/ui/view"
)

// participantCommand looks after participants.
type participantCommand struct {
	Create participantCreate `cmd:"" help:"Create a participant in a study."`
	List   participantList   `cmd:"" help:"List the participants of a study."`
	Show   participantShow   `cmd:"" help:"Show a participant, with their demographics."`
}

// participantCreate creates a participant. The password comes from
// FOOTBRIDGE_PASSWORD, else one is made and printed once.
type participantCreate struct {
	Study        string   `required:"" help:"The study to enrol in."`
	ExternalID   string   `name:"external-id" required:"" help:"The name that the participant signs in with."`
	SharingScope string   `name:"sharing-scope" enum:"no_sharing,sponsors_and_partners,all_qualified_researchers" default:"sponsors_and_partners" help:"How far the participant agreed to share: no_sharing, sponsors_and_partners or all_qualified_researchers."`
	DataGroup    []string `name:"data-group" help:"A data group; may be repeated." placeholder:"GROUP"`
	Language     []string `help:"A language, such as en; may be repeated." placeholder:"LANG"`
	TimeZone     string   `name:"time-zone" help:"The participant's time zone, such as Africa/Nairobi." placeholder:"ZONE"`
	JSON         bool     `name:"json" help:"Print the result as JSON."`
}

// createdParticipant is what participant create prints.
type createdParticipant struct {
	Identifier   string `json:"identifier"`
	Study        string `json:"study"`
	ExternalID   string `json:"externalId"`
	SharingScope string `json:"sharingScope"`
	Password     string `json:"password,omitempty"` // only where one was made
}

// Run creates the participant.
func (c *participantCreate) Run(ctx context.Context, s *session) error {
	password, made := os.Getenv("FOOTBRIDGE_PASSWORD"), ""
	if password == "" {
		password = account.NewPassword()
		made = password
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		asked := map[string]any{
			"externalIds": map[string]string{c.Study: c.ExternalID}, "password": password, "sharingScope": c.SharingScope,
			"dataGroups": c.DataGroup, "languages": c.Language, "clientTimeZone": c.TimeZone,
		}
		r := createdParticipant{Study: c.Study, ExternalID: c.ExternalID, SharingScope: c.SharingScope, Password: made}
		if err := client.Call(ctx, http.MethodPost, "/v5/studies/"+url.PathEscape(c.Study)+"/participants", asked, &r); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(r)
		}
		fmt.Fprintf(s.out, "Participant %s in study %s, sharing with %s.\n", r.ExternalID, r.Study, r.SharingScope)
		if made != "" {
			fmt.Fprintf(s.out, "Password %s\nWrite it down or set up the device now: it is shown this once.\n", made)
		}
		return nil
	})
}

// participantList lists participants, in order of age or those alone who are late.
type participantList struct {
	Study string `required:"" help:"The study."`
	Late  bool   `help:"Only those of whom nothing came for too long, though they share: whoever was silent longest first."`
	Days  int    `default:"7" help:"After how many days without an upload someone is late." placeholder:"N"`
	JSON  bool   `name:"json" help:"Print the result as JSON."`
}

// Run lists the participants.
func (c *participantList) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		rows, err := c.rows(ctx, client)
		if err != nil {
			return err
		}
		var all struct {
			Items []map[string]any `json:"items"`
		}
		if err := client.Call(ctx, http.MethodGet, "/v5/studies/"+url.PathEscape(c.Study)+"/participants", nil, &all); err != nil {
			return err
		}
		items := c.listed(all.Items, rows)
		if c.JSON {
			return s.printJSON(items)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "EXTERNAL ID\tSHARING\tDATA GROUPS\tLAST UPLOAD\tID")
		for _, p := range items {
			ids, _ := p["externalIds"].(map[string]any)
			id, _ := ids[c.Study].(string)
			last := "none"
			if on, ok := p["lastUploadOn"].(time.Time); ok {
				last = on.Format("2006-01-02 15:04 UTC")
			}
			if p["presence"] == view.PresenceLate {
				last += ", late"
			}
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%s\n", id, p["sharingScope"], words(p["dataGroups"]), last, p["id"])
		}
		return lines.Flush()
	})
}

// rows reads how the participants do, page by page, whoever was silent longest first.
func (c *participantList) rows(ctx context.Context, client *control.Client) ([]view.ParticipantRow, error) {
	query := url.Values{"days": {strconv.Itoa(c.Days)}, "pageSize": {"500"}}
	if c.Late {
		query.Set("presence", string(view.PresenceLate))
	}
	var all []view.ParticipantRow
	for {
		var page view.ParticipantPage
		if err := client.Call(ctx, http.MethodGet, "/local/v1/studies/"+url.PathEscape(c.Study)+"/participants?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Rows...); page.Next == "" {
			return all, nil
		}
		query.Set("from", page.Next)
	}
}

// listed gives the items of the API with how they do: all of them, or those who are late
// in the order of the rows.
func (c *participantList) listed(items []map[string]any, rows []view.ParticipantRow) []map[string]any {
	byID := map[any]map[string]any{}
	for _, item := range items {
		byID[item["id"]] = item
	}
	late := []map[string]any{}
	for _, row := range rows {
		item := byID[string(row.ID)]
		if item == nil {
			continue // they came between the two questions
		}
		item["presence"], item["silentSince"] = row.Presence, row.SilentSince
		if row.LastUploadOn != nil {
			item["lastUploadOn"] = *row.LastUploadOn
		}
		late = append(late, item)
	}
	if c.Late {
		return late
	}
	return items
}

func words(list any) string {
	var all []string
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return strings.Join(all, ",")
}
