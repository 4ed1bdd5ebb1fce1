package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"footbridge/app/control"
)

// participantShow shows one participant.
type participantShow struct {
	Participant string `arg:"" help:"An id, or externalid:X, healthcode:X, email:X."`
	JSON        bool   `name:"json" help:"Print the result as JSON."`
}

// participantLine is what commands read of a participant.
type participantLine struct {
	ID           string            `json:"id"`
	ExternalIDs  map[string]string `json:"externalIds"`
	StudyIDs     []string          `json:"studyIds"`
	SharingScope string            `json:"sharingScope"`
	Status       string            `json:"status"`
	DataGroups   []string          `json:"dataGroups"`
}

// demographicLines are what is known of a participant, by category.
type demographicLines map[string]struct {
	Values []struct {
		Value      string `json:"value"`
		Invalidity string `json:"invalidity"`
	} `json:"values"`
	Units string `json:"units"`
}

// Run shows the participant.
func (c *participantShow) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		own := "/participants/" + url.PathEscape(c.Participant)
		shown := map[string]json.RawMessage{}
		if err := client.Call(ctx, http.MethodGet, "/v3"+own, nil, &shown); err != nil {
			return err
		}
		whole, err := json.Marshal(shown)
		if err != nil {
			return fmt.Errorf("write the participant: %w", err)
		}
		var line participantLine
		if err := json.Unmarshal(whole, &line); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		appWide, err := demographicsAt(ctx, client, "/v3"+own)
		if err != nil {
			return err
		}
		studies := map[string]json.RawMessage{}
		for _, study := range line.StudyIDs {
			found, err := demographicsAt(ctx, client, studyPath(study)+own)
			if err != nil {
				return err
			}
			if found != nil {
				studies[study] = found
			}
		}
		if !c.JSON {
			return printParticipant(s.out, line, appWide, studies)
		}
		if appWide != nil {
			shown["appDemographics"] = appWide
		}
		if len(studies) > 0 {
			if shown["studyDemographics"], err = json.Marshal(studies); err != nil {
				return fmt.Errorf("write the participant: %w", err)
			}
		}
		return s.printJSON(shown)
	})
}

// demographicsAt gives what is known of a participant in a study or app-wide, nil
// where nothing is.
func demographicsAt(ctx context.Context, client *control.Client, path string) (json.RawMessage, error) {
	var user struct {
		Demographics json.RawMessage `json:"demographics"`
	}
	err := client.Call(ctx, http.MethodGet, path+"/demographics", nil, &user)
	var refusal *control.Refusal
	if errors.As(err, &refusal) && refusal.Status == http.StatusNotFound {
		return nil, nil
	}
	return user.Demographics, err
}

func printParticipant(out io.Writer, p participantLine, appWide json.RawMessage, studies map[string]json.RawMessage) error {
	fmt.Fprintf(out, "Participant %s, %s, sharing with %s.\n", p.ID, p.Status, p.SharingScope)
	for _, study := range p.StudyIDs {
		fmt.Fprintf(out, "  In study %s as %s.\n", study, cmp.Or(p.ExternalIDs[study], "a member without an external id"))
	}
	if len(p.DataGroups) > 0 {
		fmt.Fprintf(out, "  Data groups: %s.\n", strings.Join(p.DataGroups, ", "))
	}
	if appWide != nil {
		studies = maps.Clone(studies)
		studies[""] = appWide
	}
	for _, study := range slices.Sorted(maps.Keys(studies)) {
		if study == "" {
			fmt.Fprintln(out, "Demographics, app-wide:")
		} else {
			fmt.Fprintf(out, "Demographics in study %s:\n", study)
		}
		var lines demographicLines
		if err := json.Unmarshal(studies[study], &lines); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		for _, category := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintf(out, "  %q: %s\n", category, lines.text(category))
		}
	}
	return nil
}

// text gives the values of a category, with their units and what is wrong with them.
func (l demographicLines) text(category string) string {
	var values []string
	for _, v := range l[category].Values {
		text := strconv.Quote(strings.TrimSpace(v.Value + " " + l[category].Units))
		if v.Invalidity != "" {
			text += fmt.Sprintf(" (invalid: %q)", v.Invalidity)
		}
		values = append(values, text)
	}
	return cmp.Or(strings.Join(values, ", "), "none")
}
