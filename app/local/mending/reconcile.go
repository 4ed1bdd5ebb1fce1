package mending

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
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

// compareNow compares, and mends what is asked for, while the caller waits.
func (h *Handlers) compareNow(r *http.Request) (any, error) {
	var asked Reconciliation
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil && err != io.EOF {
		return nil, api.BadRequest("The request is no JSON object with repair or orphans.")
	}
	result, err := h.reconcile(r.Context(), asked)
	if err != nil {
		return nil, h.Unavailable(r, err)
	}
	return result, nil
}

// reconcile compares every destination, and mends what is asked for.
func (h *Handlers) reconcile(ctx context.Context, asked Reconciliation) (Reconciled, error) {
	where := h.Projects.Identity()
	found, err := h.compare(ctx)
	result := Reconciled{Destinations: found}
	if err != nil || !asked.Repair && len(asked.Orphans) == 0 || wrongs(found) == 0 {
		return result, err
	}
	mending, cancel := context.WithTimeout(ctx, mendTime)
	defer cancel()
	for _, plan := range found {
		if err := h.mend(mending, plan, asked, where); err != nil {
			return result, err
		}
	}
	result.mended = true
	h.Hurry() // what failed before someone mended the repository holds nothing up now
	h.awaitMended(mending, found)
	if result.Destinations, err = h.compare(ctx); err != nil {
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
func (h *Handlers) compare(ctx context.Context) ([]reconcile.Plan, error) {
	studies, err := h.Store.Studies(ctx)
	if err != nil {
		return nil, err
	}
	ids := []core.DestinationID{core.DestinationID(h.App)}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	plans := []reconcile.Plan{}
	for _, id := range ids {
		d, ok := h.Projects.Destination(ctx, id)
		if p, err := h.Projects.Project(ctx, id); !ok || err != nil || p.Pending {
			continue // there is nothing to compare yet
		}
		plan, err := reconcile.Compare(ctx, h.Store, h.Projects, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			plan.Failed = cmp.Or(plan.Failed, err.Error())
			plan.Unreadable++ // all the rest
		}
		if plan.Failed != "" {
			h.Log.Warn("not all of a destination can be compared", "destination", id, "parts", plan.Unreadable, "error", plan.Failed)
		}
		plans = append(plans, plan)
	}
	return plans, nil
}
