package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/table"
	"footbridge/ui/view"
)

// localRoutes answer what Bridge has no word for.
func (a *appliance) localRoutes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/status", Answer: a.localStatus},
		{Pattern: "GET /local/v1/studies/{study}/view", Answer: a.localView},
		{Pattern: "GET /local/v1/keys", Answer: a.localKeys},
		{Pattern: "POST /local/v1/keys", Answer: a.localKeyCreate},
		{Pattern: "POST /local/v1/keys/import", Answer: a.localKeyImport},
	}
}

func (a *appliance) localStatus(r *http.Request) (any, error) {
	snapshot, err := a.snapshot(r.Context())
	return view.NewOverview(snapshot), err
}

// snapshot is the appliance at this moment.
func (a *appliance) snapshot(ctx context.Context) (view.Snapshot, error) {
	counts := a.store.Counts()
	s := view.Snapshot{Now: time.Now(), Uploads: map[core.State]int{}}
	for _, state := range []core.State{core.StateRequested, core.StateReceived, core.StateCompleted, core.StateSucceeded, core.StateFailed, core.StateDuplicate} {
		s.Uploads[state] = counts["uploads/"+string(state)]
	}
	free, floor, err := a.store.Room()
	if err != nil {
		return s, err
	}
	s.Disk = view.Disk{FreeBytes: free, FloorBytes: floor, Paused: free <= floor}
	if err := a.store.Failed(); err != nil && !errors.Is(err, core.ErrNoSpace) { // that is told of the disk
		s.Broken = err.Error()
	}
	s.NoKey = len(a.ring.List()) == 0
	studies, err := a.store.Studies(ctx)
	if err != nil {
		return s, err
	}
	ids := []core.DestinationID{}
	for _, study := range studies {
		if study.Configured() {
			ids = append(ids, core.DestinationID(study.ID))
		}
	}
	if _, ok := a.destination(ctx, core.DestinationID(a.app)); ok {
		ids = append(ids, core.DestinationID(a.app))
	}
	for _, id := range ids {
		backlog, err := a.store.Backlog(ctx, id)
		if err != nil {
			return s, err
		}
		waits := core.Export{State: core.ExportWaiting, Reason: backlog.Reason, NextTry: backlog.NextTry}
		if !backlog.Oldest.IsZero() || a.store.Behind(id) {
			waits = a.pusher.Explain(waits)
		}
		d := view.Destination{
			ID: id, Exports: map[core.ExportState]int{}, Oldest: backlog.Oldest,
			Reason: waits.Reason, NextTry: waits.NextTry, LastSuccess: a.store.LastExport(id),
		}
		for _, state := range []core.ExportState{core.ExportWaiting, core.ExportExported, core.ExportWithheld, core.ExportParked} {
			d.Exports[state] = counts["exports/"+string(id)+"/"+string(state)]
		}
		s.Destinations = append(s.Destinations, d)
	}
	return s, nil
}

// localView gives the file view of a study joined with Participant Versions.
func (a *appliance) localView(r *http.Request) (any, error) {
	ctx, query := r.Context(), r.URL.Query()
	study, err := a.store.Study(ctx, core.StudyID(r.PathValue("study")))
	if err != nil {
		return nil, err
	}
	var files []core.FileViewRow
	err = a.store.Exported(ctx, core.DestinationID(study.ID), "", func(u core.Upload, e core.Export) error {
		files = append(files, export.ViewRow(u, export.Annotate(u, e.ExportedOn)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var versions []core.ParticipantVersion
	err = a.store.Versions(ctx, study.ID, func(v core.ParticipantVersion) error {
		versions = append(versions, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	joined, err := table.Join(files, versions, table.How(query.Get("join")), study.ID)
	if err != nil {
		return nil, api.BadRequest("The join must be submitted or latest.")
	}
	switch query.Get("format") {
	case "csv":
		return api.Stream{ContentType: "text/csv; charset=utf-8", Write: joined.WriteCSV}, nil
	case "json":
		return api.Stream{ContentType: "application/json; charset=utf-8", Write: joined.WriteJSON}, nil
	case "parquet":
		return api.Stream{ContentType: "application/vnd.apache.parquet", Write: joined.WriteParquet}, nil
	}
	return nil, api.BadRequest("The format must be csv, json or parquet.")
}
