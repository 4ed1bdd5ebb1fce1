package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"footbridge/app/control"
	"footbridge/ui/qr"
	"footbridge/ui/view"

	"golang.org/x/term"
)

// pairCommand makes a code that pairs a device.
type pairCommand struct {
	Study        string `required:"" help:"The study."`
	ExternalID   string `name:"external-id" required:"" help:"The participant whose device it is."`
	New          bool   `help:"Create the participant."`
	SharingScope string `name:"sharing-scope" enum:"no_sharing,sponsors_and_partners,all_qualified_researchers" default:"sponsors_and_partners" help:"With --new, how far the participant agreed to share: no_sharing, sponsors_and_partners or all_qualified_researchers."`
	Minutes      int    `default:"15" help:"How long the code is good, at most a day."`
	JSON         bool   `name:"json" help:"Print the result as JSON."`
}

// Run makes the code.
func (c *pairCommand) Run(ctx context.Context, s *session) error {
	if c.Minutes < 1 {
		return &usageError{errors.New("--minutes must be at least 1")}
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		if c.New {
			asked := map[string]any{"externalIds": map[string]string{c.Study: c.ExternalID}, "sharingScope": c.SharingScope}
			if err := client.Call(ctx, http.MethodPost, studyPath(c.Study)+"/participants", asked, nil); err != nil {
				return err
			}
		}
		var made view.Pairing
		asked := map[string]any{"study": c.Study, "externalId": c.ExternalID, "minutes": c.Minutes}
		err := client.Call(ctx, http.MethodPost, "/local/v1/pairings", asked, &made)
		var refusal *control.Refusal
		if errors.As(err, &refusal) && refusal.Status == http.StatusNotFound {
			return fmt.Errorf("there is no participant %s in study %s; check the id, or create them with --new", c.ExternalID, c.Study)
		}
		if err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(made)
		}
		return printPairing(s, made)
	})
}

func printPairing(s *session, made view.Pairing) error {
	code, err := qr.New(made.URL)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "For a device of participant %s in study %s, until %s:\n\n", made.Participant, made.Study, made.ExpiresOn.Local().Format("15:04 MST"))
	before, behind := "", ""
	if s.onTerminal() {
		before, behind = "\x1b[30;107m", "\x1b[0m" // black on white, whatever the terminal's colours
	}
	for _, line := range code.Lines() {
		fmt.Fprintln(s.out, before+line+behind)
	}
	fmt.Fprintf(s.out, "\nCode     %s\nAddress  %s\nLink     %s\n", made.Code, strings.Join(made.BaseURLs, "  "), made.URL)
	fmt.Fprintln(s.out, "It is good once: scan it, type code and address into the app, or footbridge send --pair LINK.")
	if made.Replaces {
		fmt.Fprintln(s.out, "The participant has a password already. It ends once a device uses this code, and whatever is signed in with it has to be paired again.")
	}
	if !made.Serving {
		fmt.Fprintln(s.out, "Devices cannot reach this site at the moment: start footbridge serve.")
	}
	return nil
}

// onTerminal reports whether a person sees what is printed.
func (s *session) onTerminal() bool {
	p, ok := s.out.(*printer)
	if !ok {
		return false
	}
	f, ok := p.to.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
