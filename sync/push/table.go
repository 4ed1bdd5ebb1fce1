package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// The rules here are: tables go before records, which refer to them. Where one has
// failed, a record goes before the next that rested with it: many tables that fail, or
// one where the appliance is seldom awake, are always due when a rest ends.

// stepTable writes the next table that is behind; false where there is none. A
// table is always written whole from what the store holds, so that writing it
// again changes nothing.
func (w *Worker) stepTable(ctx context.Context) (bool, error) {
	id, date, generation, ok := w.config.Tables.ClaimTable(ctx, w.restOf)
	if !ok {
		return false, nil
	}
	sent, err := w.guardTable(ctx, id, date)
	var again time.Time
	failures := w.tables.count(string(id)+"/"+date, err != nil && ctx.Err() == nil)
	switch {
	case err != nil:
		again = w.rest(id, err, failures)
		err = fmt.Errorf("write a table of %s: %w", id, err)
	case sent:
		w.rests.succeeded(id)
		crash.Point("push.table")
	}
	if settled := w.config.Tables.SettleTable(context.WithoutCancel(ctx), id, date, generation, again); settled != nil && err == nil {
		return false, fmt.Errorf("settle a table of %s: %w", id, settled)
	}
	if ctx.Err() != nil {
		return true, nil // it is due again at the next start
	}
	return true, err
}

// rest says when a table that failed is due again: later than the repository is
// asked again, which is with a record.
func (w *Worker) rest(d core.DestinationID, cause error, failures int) time.Time {
	now := w.config.Now()
	var remote *remoteError
	if errors.As(cause, &remote) {
		t := troubleOf(cause)
		t.table = true
		w.rests.failed(now, d, t)
	}
	if next := w.restOf(d); next.After(now) {
		now = next
	}
	return now.Add(pause(failures))
}

// stepTurn pushes a record whose turn comes before the tables; false where none is due
// that has one.
func (w *Worker) stepTurn(ctx context.Context) (bool, error) {
	for {
		d, is := w.rests.turn(w.config.Now())
		if !is {
			return false, nil
		}
		if did, err := w.stepExport(ctx, d); did || err != nil {
			return did, err
		}
	}
}

// guardTable writes a table and reports whether it was sent; a panic is this
// table's error, so that its lease ends.
func (w *Worker) guardTable(ctx context.Context, id core.DestinationID, date string) (sent bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("encoder panicked: %v", p)
		}
	}()
	d, ok := w.config.Destination(ctx, id)
	if !ok {
		return false, nil // it is written once the destination is configured
	}
	return true, w.writeTable(ctx, d, date)
}

func (w *Worker) writeTable(ctx context.Context, d core.Destination, date string) error {
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
	return remote(w.config.Repository.PutVersions(ctx, d, versions))
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
	return remote(w.config.Repository.PutView(ctx, d, date, rows))
}

// remote makes an error what the repository answered; nil stays.
func remote(err error) error {
	if err == nil {
		return nil
	}
	return &remoteError{err}
}
