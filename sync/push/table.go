package push

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// stepTable writes the next table that is behind; false where there is none. A
// table is always written whole from what the store holds, so that writing it
// again changes nothing.
func (w *Worker) stepTable(ctx context.Context) (bool, error) {
	id, date, generation, ok := w.config.Tables.ClaimTable(ctx)
	if !ok {
		return false, nil
	}
	err := w.writeTable(ctx, id, date)
	var again time.Time
	if err != nil {
		w.breaker.failed(w.config.Now())
		again = w.config.Now().Add(pauseMin)
		err = fmt.Errorf("write a table of %s: %w", id, err)
	} else {
		w.breaker.succeeded()
		crash.Point("push.table")
	}
	if settled := w.config.Tables.SettleTable(context.WithoutCancel(ctx), id, date, generation, again); err == nil {
		err = settled
	}
	return true, err
}

func (w *Worker) writeTable(ctx context.Context, id core.DestinationID, date string) error {
	d, ok := w.config.Destination(ctx, id)
	if !ok {
		return nil // it is written once the destination is configured
	}
	if date != "" {
		return w.writeFileView(ctx, d, date)
	}
	var versions []core.ParticipantVersion
	err := w.config.Tables.Versions(ctx, d.Study, func(v core.ParticipantVersion) error {
		versions = append(versions, v)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	encode := w.config.Encoder
	return w.write(ctx, []file{
		{path.Join(string(id), export.VersionsTable), "application/vnd.apache.parquet",
			func(to io.Writer) error { return encode.VersionsParquet(to, versions, d.Study) }},
		{path.Join(string(id), export.VersionsCSV), "text/csv",
			func(to io.Writer) error { return encode.VersionsCSV(to, versions, d.Study) }},
	})
}

func (w *Worker) writeFileView(ctx context.Context, d core.Destination, date string) error {
	var rows []core.FileViewRow
	err := w.config.Tables.Exported(ctx, d.ID, date, func(u core.Upload, e core.Export) error {
		rows = append(rows, export.ViewRow(u, export.Annotate(u, e.ExportedOn)))
		return nil
	})
	if err != nil {
		return err
	}
	return w.write(ctx, []file{{path.Join(string(d.ID), export.FileViewPath(date)), "application/vnd.apache.parquet",
		func(to io.Writer) error { return w.config.Encoder.FileView(to, rows) }}})
}

// file is a table in one format.
type file struct {
	path, contentType string
	encode            func(io.Writer) error
}

func (w *Worker) write(ctx context.Context, files []file) error {
	for _, f := range files {
		var text bytes.Buffer
		if err := f.encode(&text); err != nil {
			return err
		}
		if err := w.config.Files.PutBytes(ctx, f.path, text.Bytes(), f.contentType); err != nil {
			return err
		}
	}
	return nil
}
