package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	"footbridge/app/control"
	"footbridge/core/account"
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

// participantList lists participants.
type participantList struct {
	Study string `required:"" help:"The study."`
	JSON  bool   `name:"json" help:"Print the result as JSON."`
}

// Run lists the participants.
func (c *participantList) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all struct {
			Items []map[string]any `json:"items"`
		}
		if err := client.Call(ctx, http.MethodGet, "/v5/studies/"+url.PathEscape(c.Study)+"/participants", nil, &all); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(all.Items)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "EXTERNAL ID\tSHARING\tDATA GROUPS\tID")
		for _, p := range all.Items {
			ids, _ := p["externalIds"].(map[string]any)
			id, _ := ids[c.Study].(string)
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", id, p["sharingScope"], words(p["dataGroups"]), p["id"])
		}
		return lines.Flush()
	})
}

func words(list any) string {
	var all []string
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return strings.Join(all, ",")
}
