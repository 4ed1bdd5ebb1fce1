package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/control"
	"footbridge/app/local/mending"
	"footbridge/core"
	"footbridge/ui/view"
)

// syncReconcile compares the repository with the store.
type syncReconcile struct {
	Repair        bool `help:"Send again what is missing, differs or lacks its annotations, and mend the tables."`
	RemoveOrphans bool `name:"remove-orphans" help:"Remove what belongs to no record."`
	JSON          bool `name:"json" help:"Print the result as JSON."`
}

// These say that something is wrong with the repository; what, was printed.
var (
	errNotCompared = errors.New("not all could be compared; try again when the repository answers")
	errWrong       = errors.New("the repository does not hold what it should; footbridge sync reconcile --repair mends it")
	errUntaken     = errors.New("the repository never takes some participant versions as they are, which no repair mends; footbridge status says what helps")
	errOrphans     = errors.New("the repository holds what belongs to no record; footbridge sync reconcile --remove-orphans removes it")
)

// Run compares, shows the plan, and acts on it where that is asked for.
func (c *syncReconcile) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var plan, done mending.Reconciled
		if err := client.Call(ctx, http.MethodPost, "/local/v1/sync/reconcile", nil, &plan); err != nil {
			return err
		}
		acts := c.Repair || c.RemoveOrphans
		if !c.JSON {
			if err := printPlan(ctx, s, client, plan); err != nil {
				return err
			}
		}
		done = plan
		if acts && verdictOf(plan) != nil {
			asked := mending.Reconciliation{Repair: c.Repair}
			if c.RemoveOrphans {
				asked.Orphans = plan.Destinations
			}
			if err := client.Call(ctx, http.MethodPost, "/local/v1/sync/reconcile", asked, &done); err != nil {
				return err
			}
			if !c.JSON {
				fmt.Fprintf(s.out, "%d mended.\n", done.Repaired)
				if err := printPlan(ctx, s, client, done); err != nil {
					return err
				}
			}
		}
		if c.JSON {
			if err := s.printJSON(done); err != nil {
				return err
			}
		}
		return verdictOf(done)
	})
}

// verdictOf gives the gravest of what is wrong; nil where nothing is.
func verdictOf(r mending.Reconciled) (err error) {
	for _, plan := range r.Destinations {
		switch {
		case plan.Failed != "":
			return errNotCompared
		case plan.Mendable():
			err = errWrong
		case len(plan.Rows.Refused) > 0 && err != errWrong:
			err = errUntaken
		case len(plan.Orphans) > 0 && err == nil:
			err = errOrphans
		}
	}
	return err
}

// printPlan says what was found. What was never sent is not missing there, and is
// counted, so that nobody takes it to be there.
func printPlan(ctx context.Context, s *session, client *control.Client, r mending.Reconciled) error {
	var o view.Overview
	if err := client.Call(ctx, http.MethodGet, "/local/v1/status", nil, &o); err != nil {
		return err
	}
	unsent := map[core.DestinationID]int{}
	for _, line := range o.Destinations {
		unsent[line.Destination] = line.Waiting + line.Parked
	}
	for _, plan := range r.Destinations {
		if plan.Failed != "" {
			fmt.Fprintf(s.out, "%s: could not be compared: %s (%s).\n", plan.Destination, plan.Failed, plural(plan.Unreadable, "part"))
			if !plan.Mendable() && len(plan.Orphans)+len(plan.Rows.Refused) == 0 {
				continue
			}
		}
		if plan.Clean() {
			if n := unsent[plan.Destination]; n > 0 {
				fmt.Fprintf(s.out, "%s: all that was sent is there; %s not sent yet, footbridge status says why.\n", plan.Destination, plural(n, "record"))
				continue
			}
			fmt.Fprintf(s.out, "%s: all is there.\n", plan.Destination)
			continue
		}
		fmt.Fprintf(s.out, "%s: %s missing, %d differ, %d without their annotations, %d that belong to no record, %s missing, %d twice, %s missing or different.\n", plan.Destination,
			plural(len(plan.Missing), "record"), len(plan.Differing), len(plan.Unannotated), len(plan.Orphans), plural(len(plan.Rows.Missing), "row"), len(plan.Rows.Duplicate), plural(len(plan.Tables), "table"))
		for _, wrong := range []struct {
			what string
			ids  []core.UploadID
		}{{"missing", plan.Missing}, {"differs", plan.Differing}, {"without annotations", plan.Unannotated}} {
			for _, id := range wrong.ids {
				fmt.Fprintf(s.out, "  %s: %s\n", wrong.what, id)
			}
		}
		for _, wrong := range []struct {
			what string
			rows []string
		}{{"row missing", plan.Rows.Missing}, {"row twice", plan.Rows.Duplicate}, {"row that is never taken as it is", plan.Rows.Refused}} {
			for _, row := range wrong.rows {
				fmt.Fprintf(s.out, "  %s: %s\n", wrong.what, row)
			}
		}
		for _, table := range plan.Tables {
			fmt.Fprintf(s.out, "  table: %s\n", table.Path)
		}
		for _, path := range plan.Orphans {
			fmt.Fprintf(s.out, "  of no record: %q\n", path)
		}
	}
	return nil
}
