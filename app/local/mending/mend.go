package mending

import (
	"context"
	"errors"
	"path"
	"slices"

	"footbridge/core"
	"footbridge/sync/reconcile"
)

// mend lets what is wrong with a destination be sent again, and removes what belongs
// to no record where it is asked for. Where is the identity of the repository that was
// compared.
func (h *Handlers) mend(ctx context.Context, plan reconcile.Plan, asked Reconciliation, where string) error {
	if asked.Repair && plan.Mendable() {
		var dates []string
		for _, t := range plan.Tables {
			if t.Date != "" { // Participant Versions is written anew each time
				dates = append(dates, t.Date)
			}
		}
		if err := h.Store.Resend(ctx, plan.Destination, plan.Wrong(), plan.Rows.Missing, dates...); err != nil {
			return err
		}
		h.Log.Info("the repository is mended", "destination", plan.Destination, "records", len(plan.Wrong()), "rows", len(plan.Rows.Missing)+len(plan.Rows.Duplicate))
	}
	orphans := seen(asked.Orphans, plan)
	if len(orphans) == 0 {
		return nil
	}
	from, err := h.Projects.Folders().Open(ctx)
	if err != nil {
		return err
	}
	if h.Projects.Identity() != where {
		return errors.New("the settings name another repository since it was compared")
	}
	for _, at := range orphans { // only repositories of files list any
		if err := from.Remove(ctx, path.Join(string(plan.Destination), at)); err != nil {
			return err
		}
		h.Log.Info("what belonged to no record is removed", "destination", plan.Destination)
	}
	return nil
}

// seen gives the orphans of a plan that a person has seen before.
func seen(before []reconcile.Plan, plan reconcile.Plan) (orphans []string) {
	for _, p := range before {
		if p.Destination == plan.Destination {
			orphans = slices.DeleteFunc(slices.Clone(plan.Orphans), func(at string) bool { return !slices.Contains(p.Orphans, at) })
		}
	}
	return orphans
}

// awaitMended waits until what is sent again has arrived, or nothing is sent.
func (h *Handlers) awaitMended(ctx context.Context, plans []reconcile.Plan) {
	for {
		heard := h.Store.Revision()
		if reason, _, _ := h.Closed(); reason != core.ReasonNone || !h.mending(ctx, plans) {
			return
		}
		if _, err := h.Store.Wait(ctx, heard); err != nil {
			return
		}
	}
}

func (h *Handlers) mending(ctx context.Context, plans []reconcile.Plan) bool {
	for _, plan := range plans {
		if since, _ := h.Away(plan.Destination); !since.IsZero() {
			continue // it rests
		}
		if h.Store.Behind(plan.Destination) {
			return true
		}
		for _, id := range plan.Wrong() {
			exports, err := h.Store.Exports(ctx, id)
			if err != nil {
				return false
			}
			for _, e := range exports {
				if e.Destination == plan.Destination && e.State == core.ExportWaiting && e.Attempts == 0 {
					return true
				}
			}
		}
	}
	return false
}
