package lists

import (
	"context"
	"net/http"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/table"
)

// view gives the file view of a study joined with Participant Versions.
func (h *Handlers) view(r *http.Request) (any, error) {
	ctx, query := r.Context(), r.URL.Query()
	shown, err := h.viewed(ctx, core.DestinationID(r.PathValue("study")))
	if err != nil {
		return nil, err
	}
	var files []core.FileViewRow
	err = h.Store.Exported(ctx, shown.ID, "", func(u core.Upload, e core.Export) error {
		files = append(files, export.ViewRow(u, export.Annotate(u, e.ExportedOn)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var versions []core.ParticipantVersion
	err = h.Store.Versions(ctx, shown.Study, func(v core.ParticipantVersion) error {
		versions = append(versions, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	joined, err := table.Join(files, versions, table.How(query.Get("join")), shown.Study)
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

// viewed gives the destination whose files are viewed: a study's project, or by
// the app's id that of the app. Errors: core.ErrNotFound.
func (h *Handlers) viewed(ctx context.Context, id core.DestinationID) (core.Destination, error) {
	if string(id) == string(h.App) {
		return core.Destination{ID: id, App: h.App}, nil
	}
	study, err := h.Store.Study(ctx, core.StudyID(id))
	return core.Destination{ID: id, App: h.App, Study: study.ID}, err
}
