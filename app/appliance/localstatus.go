package appliance

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/inbox"
	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/ui/view"
)

func (a *Appliance) localStatus(r *http.Request) (any, error) {
	snapshot, err := a.snapshot(r.Context())
	return view.NewOverview(snapshot, a.reader(r)), err
}

// snapshot is the appliance at this moment.
func (a *Appliance) snapshot(ctx context.Context) (view.Snapshot, error) {
	counts := a.store.Counts()
	s := view.Snapshot{Now: time.Now(), Uploads: map[core.State]int{}}
	for _, state := range []core.State{core.StateRequested, core.StateReceived, core.StateCompleted, core.StateSucceeded, core.StateFailed, core.StateDuplicate} {
		s.Uploads[state] = counts["uploads/"+string(state)]
	}
	s.GivenUp = counts["uploads/given_up"]
	free, floor, err := a.store.Room()
	if err != nil {
		return s, err
	}
	s.Disk = view.Disk{FreeBytes: free, FloorBytes: floor, Paused: free <= floor}
	if err := a.store.Failed(); err != nil && !errors.Is(err, core.ErrNoSpace) { // that is told of the disk
		s.Broken = err.Error()
	}
	s.Paused = a.store.Paused()
	s.Removals = a.store.Removals(ctx)
	s.Regrets = len(a.store.Regrets(ctx))
	s.Unfit = inbox.CountRefused(filepath.Join(a.home, "inbox"))
	s.NoKey = len(a.ring.List()) == 0
	studies, err := a.store.Studies(ctx)
	if err != nil {
		return s, err
	}
	ids := []core.DestinationID{}
	for _, study := range studies {
		if study.Exports() {
			ids = append(ids, core.DestinationID(study.ID))
		}
	}
	if _, ok := a.projects.Destination(ctx, core.DestinationID(a.app)); ok {
		ids = append(ids, core.DestinationID(a.app))
	}
	if reason, _, _ := a.closed(); reason == core.ReasonOutsideHours {
		settings := a.live.Settings()
		s.Hours, s.Zone = settings.Sync.Hours, settings.TimeZone
	}
	s.Synapse = strings.HasPrefix(a.live.Settings().Repository, projects.SynapseSpec)
	s.Refused = a.projects.Refusals(ctx, studies)
	for _, id := range ids {
		s.Untaken = append(s.Untaken, a.projects.Untaken(ctx, id)...)
		oldest, err := a.store.Oldest(ctx, id)
		if err != nil {
			return s, err
		}
		waits, err := a.waits(ctx, id, oldest)
		if err != nil {
			return s, err
		}
		parked, err := a.store.OldestParked(ctx, id)
		if err != nil {
			return s, err
		}
		d := view.Destination{
			ID: id, Exports: map[core.ExportState]int{}, Oldest: oldest.Since,
			Reason: waits.Reason, Cause: waits.Cause, Since: waits.Since, NextTry: waits.NextTry,
			Parked: parked.Since, ParkedReason: parked.Reason, LastSuccess: a.store.LastExport(id),
		}
		for _, state := range []core.ExportState{core.ExportWaiting, core.ExportExported, core.ExportWithheld, core.ExportParked} {
			d.Exports[state] = counts["exports/"+string(id)+"/"+string(state)]
		}
		s.Destinations = append(s.Destinations, d)
	}
	return s, nil
}

// waits says what a destination waits for: its oldest record, its tables, or its
// project.
func (a *Appliance) waits(ctx context.Context, id core.DestinationID, oldest core.Export) (core.Export, error) {
	p, err := a.projects.Project(ctx, id)
	if err != nil || oldest.Record == "" && !a.store.Behind(id) && !p.Pending {
		return core.Export{}, err
	}
	oldest.Destination, oldest.State = id, core.ExportWaiting
	return a.explain(ctx, oldest), nil
}
