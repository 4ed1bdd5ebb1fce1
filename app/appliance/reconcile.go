package appliance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/sync/reconcile"
)

// The rules here are: the plan is whole before anything acts on it; what is mended
// goes the way of every record, so that it is journalled, and is looked at again
// afterwards; what belongs to no record is removed only where a person says so.

// Reconciliation asks what is wrong with the repository, and to mend it.
type Reconciliation struct {
	Repair  bool             `json:"repair,omitempty"`
	Orphans []reconcile.Plan `json:"orphans,omitempty"` // plans that a person has seen, whose orphans are to be removed
}

// Reconciled says what was found, and what is left of it after a repair.
type Reconciled struct {
	Destinations []reconcile.Plan `json:"destinations"`
	Repaired     int              `json:"repaired"` // records, rows and orphans
	mended       bool             // it was not only looked at
}

// DoneWith says how much was mended (call.Accountable).
func (r Reconciled) DoneWith() (map[string]string, bool) {
	return map[string]string{"repaired": strconv.Itoa(r.Repaired)}, r.mended
}

// mendTime is how long a repair may take before what is left is told.
const mendTime = 10 * time.Minute

func (a *Appliance) localReconcile(r *http.Request) (any, error) {
	var asked Reconciliation
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil && err != io.EOF {
		return nil, api.BadRequest("The request is no JSON object with repair or removeOrphans.")
	}
	result, err := a.reconcile(r.Context(), asked)
	if err != nil {
		return nil, a.unavailable(r, err)
	}
	return result, nil
}

// reconcile compares every destination, and mends what is asked for.
func (a *Appliance) reconcile(ctx context.Context, asked Reconciliation) (Reconciled, error) {
	where := a.projects.Identity()
	found, err := a.compare(ctx)
	result := Reconciled{Destinations: found}
	if err != nil || !asked.Repair && len(asked.Orphans) == 0 || wrongs(found) == 0 {
		return result, err
	}
	mending, cancel := context.WithTimeout(ctx, mendTime)
	defer cancel()
	for _, plan := range found {
		if err := a.mend(mending, plan, asked, where); err != nil {
			return result, err
		}
	}
	result.mended = true
	a.hurry() // what failed before someone mended the repository holds nothing up now
	a.awaitMended(mending, found)
	if result.Destinations, err = a.compare(ctx); err != nil {
		return result, err
	}
	result.Repaired = repaired(found, result.Destinations)
	return result, nil
}

// repaired counts what was wrong and is no more. Of a destination that cannot be
// compared any more nobody knows.
func repaired(before, after []reconcile.Plan) (n int) {
	for _, p := range after {
		at := slices.IndexFunc(before, func(b reconcile.Plan) bool { return b.Destination == p.Destination })
		if at >= 0 && p.Unreadable <= before[at].Unreadable {
			n += max(0, wrongs(before[at:at+1])-wrongs([]reconcile.Plan{p}))
		}
	}
	return n
}

// wrongs counts all that is wrong.
func wrongs(plans []reconcile.Plan) (n int) {
	for _, p := range plans {
		n += len(p.Wrong()) + len(p.Orphans) + len(p.Rows.Missing) + len(p.Rows.Duplicate) + len(p.Tables)
	}
	return n
}

// compare compares every destination.
func (a *Appliance) compare(ctx context.Context) ([]reconcile.Plan, error) {
	studies, err := a.store.Studies(ctx)
	if err != nil {
		return nil, err
	}
	ids := []core.DestinationID{core.DestinationID(a.app)}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	plans := []reconcile.Plan{}
	for _, id := range ids {
		d, ok := a.projects.Destination(ctx, id)
		if p, err := a.projects.Project(ctx, id); !ok || err != nil || p.Pending {
			continue // there is nothing to compare yet
		}
		plan, err := reconcile.Compare(ctx, a.store, a.projects, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			plan.Failed = cmp.Or(plan.Failed, err.Error())
			plan.Unreadable++ // all the rest
		}
		if plan.Failed != "" {
			a.log.Warn("not all of a destination can be compared", "destination", id, "parts", plan.Unreadable, "error", plan.Failed)
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// mend lets what is wrong with a destination be sent again, and removes what belongs
// to no record where it is asked for. Where is the identity of the repository that was
// compared.
func (a *Appliance) mend(ctx context.Context, plan reconcile.Plan, asked Reconciliation, where string) error {
	if asked.Repair && plan.Mendable() {
		var dates []string
		for _, t := range plan.Tables {
			if t.Date != "" { // Participant Versions is written anew each time
				dates = append(dates, t.Date)
			}
		}
		if err := a.store.Resend(ctx, plan.Destination, plan.Wrong(), plan.Rows.Missing, dates...); err != nil {
			return err
		}
		a.log.Info("the repository is mended", "destination", plan.Destination, "records", len(plan.Wrong()), "rows", len(plan.Rows.Missing)+len(plan.Rows.Duplicate))
	}
	orphans := seen(asked.Orphans, plan)
	if len(orphans) == 0 {
		return nil
	}
	from, err := a.projects.Folders().Open(ctx)
	if err != nil {
		return err
	}
	if a.projects.Identity() != where {
		return errors.New("the settings name another repository since it was compared")
	}
	for _, at := range orphans { // only repositories of files list any
		if err := from.Remove(ctx, path.Join(string(plan.Destination), at)); err != nil {
			return err
		}
		a.log.Info("what belonged to no record is removed", "destination", plan.Destination)
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
func (a *Appliance) awaitMended(ctx context.Context, plans []reconcile.Plan) {
	for {
		heard := a.store.Revision()
		if reason, _, _ := a.closed(); reason != core.ReasonNone || !a.mending(ctx, plans) {
			return
		}
		if _, err := a.store.Wait(ctx, heard); err != nil {
			return
		}
	}
}

func (a *Appliance) mending(ctx context.Context, plans []reconcile.Plan) bool {
	for _, plan := range plans {
		if since, _ := a.pusher.Away(plan.Destination); !since.IsZero() {
			continue // it rests
		}
		if a.store.Behind(plan.Destination) {
			return true
		}
		for _, id := range plan.Wrong() {
			exports, err := a.store.Exports(ctx, id)
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
