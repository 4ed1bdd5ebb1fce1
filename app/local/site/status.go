package site

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

func (h *Handlers) status(r *http.Request) (any, error) {
	snapshot, err := h.snapshot(r.Context())
	return view.NewOverview(snapshot, h.Reader(r)), err
}

// snapshot is the appliance at this moment.
func (h *Handlers) snapshot(ctx context.Context) (view.Snapshot, error) {
	counts := h.Store.Counts()
	s := view.Snapshot{Now: time.Now(), Uploads: map[core.State]int{}}
	for _, state := range []core.State{core.StateRequested, core.StateReceived, core.StateCompleted, core.StateSucceeded, core.StateFailed, core.StateDuplicate} {
		s.Uploads[state] = counts["uploads/"+string(state)]
	}
	s.GivenUp = counts["uploads/given_up"]
	free, floor, err := h.Store.Room()
	if err != nil {
		return s, err
	}
	s.Disk = view.Disk{FreeBytes: free, FloorBytes: floor, Paused: free <= floor}
	if err := h.Store.Failed(); err != nil && !errors.Is(err, core.ErrNoSpace) { // that is told of the disk
		s.Broken = err.Error()
	}
	s.Paused = h.Store.Paused()
	s.Removals = h.Store.Removals(ctx)
	s.Regrets = len(h.Store.Regrets(ctx))
	s.Unfit = inbox.CountRefused(filepath.Join(h.Home, "inbox"))
	s.NoKey = len(h.Ring.List()) == 0
	studies, err := h.Store.Studies(ctx)
	if err != nil {
		return s, err
	}
	ids := []core.DestinationID{}
	for _, study := range studies {
		if study.Exports() {
			ids = append(ids, core.DestinationID(study.ID))
		}
	}
	if _, ok := h.Projects.Destination(ctx, core.DestinationID(h.App)); ok {
		ids = append(ids, core.DestinationID(h.App))
	}
	if reason, _, _ := h.Closed(); reason == core.ReasonOutsideHours {
		settings := h.Settings()
		s.Hours, s.Zone = settings.Sync.Hours, settings.TimeZone
	}
	s.Synapse = strings.HasPrefix(h.Settings().Repository, projects.SynapseSpec)
	s.Folder = h.Projects.Folders().Folder()
	s.Refused = h.Projects.Refusals(ctx, studies)
	for _, id := range ids {
		s.Untaken = append(s.Untaken, h.Projects.Untaken(ctx, id)...)
		oldest, err := h.Store.Oldest(ctx, id)
		if err != nil {
			return s, err
		}
		waits, err := h.waits(ctx, id, oldest)
		if err != nil {
			return s, err
		}
		parked, err := h.Store.OldestParked(ctx, id)
		if err != nil {
			return s, err
		}
		d := view.Destination{
			ID: id, Exports: map[core.ExportState]int{}, Oldest: oldest.Since,
			Reason: waits.Reason, Cause: waits.Cause, Since: waits.Since, NextTry: waits.NextTry,
			Parked: parked.Since, ParkedReason: parked.Reason, LastSuccess: h.Store.LastExport(id),
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
func (h *Handlers) waits(ctx context.Context, id core.DestinationID, oldest core.Export) (core.Export, error) {
	p, err := h.Projects.Project(ctx, id)
	if err != nil || oldest.Record == "" && !h.Store.Behind(id) && !p.Pending {
		return core.Export{}, err
	}
	oldest.Destination, oldest.State = id, core.ExportWaiting
	return h.Explain(ctx, oldest), nil
}
