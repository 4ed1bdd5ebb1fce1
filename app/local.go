package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/table"
	"footbridge/ui/view"
)

// localHandler answers what Bridge has no word for.
func (a *appliance) localHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /local/v1/status", a.answer(a.localStatus))
	mux.HandleFunc("GET /local/v1/studies/{study}/view", a.answer(a.localView))
	mux.HandleFunc("GET /local/v1/keys", a.answer(a.localKeys))
	mux.HandleFunc("POST /local/v1/keys", a.answer(a.localKeyCreate))
	mux.HandleFunc("POST /local/v1/keys/import", a.answer(a.localKeyImport))
	return mux
}

// answer runs a handler whose result is sent as JSON and whose error is one
// sentence.
func (a *appliance) answer(h func(w http.ResponseWriter, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		result, err := h(w, r)
		status := http.StatusOK
		if err != nil {
			status, result = http.StatusBadRequest, map[string]any{
				"statusCode": http.StatusBadRequest, "message": err.Error(), "type": "BadRequestException",
			}
		}
		if result == nil {
			return // the handler wrote its own
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(result) // a client that went away needs no answer
	}
}

func (a *appliance) localStatus(_ http.ResponseWriter, r *http.Request) (any, error) {
	snapshot, err := a.snapshot(r)
	return view.NewOverview(snapshot), err
}

// snapshot is the appliance at this moment.
func (a *appliance) snapshot(r *http.Request) (view.Snapshot, error) {
	ctx, counts := r.Context(), a.store.Counts()
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

// localView sends the file view of a study joined with Participant Versions.
func (a *appliance) localView(w http.ResponseWriter, r *http.Request) (any, error) {
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
		return nil, err
	}
	formats := map[string]func(io.Writer) error{
		"csv": joined.WriteCSV, "json": joined.WriteJSON, "parquet": joined.WriteParquet,
	}
	write, ok := formats[query.Get("format")]
	if !ok {
		return nil, fmt.Errorf("format %q: there is csv, json and parquet", query.Get("format"))
	}
	return nil, write(w)
}
