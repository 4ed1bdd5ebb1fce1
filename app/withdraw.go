package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/control"
	"footbridge/app/local/records"
	"footbridge/core"
)

// uploadWithdraw takes records back from the repository.
type uploadWithdraw struct {
	IDs         []string `arg:"" optional:"" name:"id" help:"Their ids."`
	Participant string   `help:"All records of the participant with this health code that were sent." placeholder:"CODE"`
	Keep        bool     `help:"The records of the participant stay where they are."`
	Pending     bool     `help:"List who stopped sharing after records of theirs were sent."`
	DryRun      bool     `name:"dry-run" help:"Only say how many they are."`
	JSON        bool     `name:"json" help:"Print the result as JSON."`
}

// Run takes them back.
func (c *uploadWithdraw) Run(ctx context.Context, s *session) error {
	switch {
	case len(c.IDs) == 0 && c.Participant == "" && !c.Pending:
		return &usageError{errors.New("say which records: by their ids, or by --participant CODE; --pending lists who waits for a decision")}
	case c.Keep && (c.Participant == "" || len(c.IDs) > 0):
		return &usageError{errors.New("--keep says of one participant that all of theirs stays: give it with --participant CODE and without ids")}
	}
	asked := records.Withdrawal{Participant: core.HealthCode(c.Participant), Keep: c.Keep, DryRun: c.DryRun}
	for _, id := range c.IDs {
		asked.UploadIDs = append(asked.UploadIDs, core.UploadID(id))
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var done records.Withdrawn
		if err := client.Call(ctx, http.MethodPost, "/local/v1/uploads/withdraw", asked, &done); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(done)
		}
		if !c.Pending {
			fmt.Fprintln(s.out, takenBack(done))
		}
		for _, code := range done.Pending {
			fmt.Fprintf(s.out, "%s stopped sharing after records of theirs were sent: footbridge upload withdraw --participant %s, with --keep where they stay.\n", code, code)
		}
		return nil
	})
}

// takenBack says what came of a withdrawal.
func takenBack(done records.Withdrawn) string {
	said := plural(done.Records, "record") + " taken out of the repository. They are never sent again; here they stay."
	switch {
	case done.DryRun:
		said = plural(done.Records, "record") + " would be taken out of the repository."
	case done.Records == 0 && done.Unsent+done.GivenUp > 0:
		said = "Nothing is taken out of the repository."
	case done.Records == 0 && done.Already > 0:
		said = "Nothing is done."
	}
	if done.Unsent > 0 {
		said += " Not there, and never sent: " + plural(done.Unsent, "record") + "."
	}
	switch {
	case done.GivenUp > 0 && done.DryRun:
		said += " Given up, since they could not be opened, would be: " + plural(done.GivenUp, "upload") + "."
	case done.GivenUp > 0:
		said += " Given up, since they could not be opened: " + plural(done.GivenUp, "upload") + ". Their files stay; footbridge upload redrive ID tries one again."
	}
	switch {
	case done.Already == 1:
		said += " 1 record was withdrawn before."
	case done.Already > 1:
		said += fmt.Sprintf(" %d records were withdrawn before.", done.Already)
	}
	return said
}
