package push

import (
	"context"
	"fmt"
	"io"
	"time"

	"footbridge/core"
)

// Outbox is where exports wait. Safe for concurrent use.
type Outbox interface {
	// ClaimExport leases the next export that is due to a destination (empty: to
	// any) and its upload; false where there is none. One whose participant version is not in the repository's
	// table yet waits for it, at most patience; one whose destination rests, until
	// then.
	ClaimExport(ctx context.Context, d core.DestinationID, patience time.Duration, rests func(core.DestinationID) time.Time) (core.Export, core.Upload, bool, error)

	// SaveExport journals a step of a leased export; a durable one outlasts a
	// power cut. Idempotent.
	SaveExport(ctx context.Context, e core.Export, durable bool) error

	// AwaitsVersions is since when a waiting export waits for participant versions
	// that its destination's table lacks, and when that is written next, at once where
	// it is zero; false where it does not.
	AwaitsVersions(e core.Export) (since, next time.Time, awaits bool)

	// SettleExport journals a leased export and ends the lease. Idempotent.
	SettleExport(ctx context.Context, e core.Export) error

	// AccountByHealthCode gives the participant as they are now. Errors:
	// core.ErrNotFound.
	AccountByHealthCode(ctx context.Context, code core.HealthCode) (core.Account, error)
}

// Tables tells which tables are behind and what belongs in them. Safe for
// concurrent use.
type Tables interface {
	// ClaimTable leases the next table that is behind and whose destination does
	// not rest; false where there is none. date is that of a file view, empty for
	// Participant Versions. generation is what the table will hold.
	ClaimTable(ctx context.Context, rests func(core.DestinationID) time.Time) (d core.DestinationID, date string, generation uint64, ok bool)

	// SettleTable ends the lease: the table is written up to generation, or due
	// again at a time. Idempotent.
	SettleTable(ctx context.Context, d core.DestinationID, date string, generation uint64, again time.Time) error

	// Versions hands every version with a membership in the study (empty: every
	// one) to visit, until it fails.
	Versions(ctx context.Context, study core.StudyID, visit func(core.ParticipantVersion) error) error

	// Exported hands every record that a destination holds of a date to visit,
	// until it fails.
	Exported(ctx context.Context, d core.DestinationID, date string, visit func(core.Upload, core.Export) error) error
}

// Repository is where destinations have their projects. The paths of objects are
// within the destination. Safe for concurrent use.
//
// Errors that wrap os.ErrInvalid say that this one thing is never taken as it is;
// those that wrap os.ErrPermission or core.ErrOtherRepository, that the project
// needs a person; core.ErrNoToken, that every project does; core.ErrMaintenance and
// core.ErrThrottled, what the repository says of itself; core.ErrImpostor, that it is
// something else that answers; *core.Later, when to come
// again; any other, that the repository is away. One that has Began() time.Time says
// since when a call that was repeated has failed.
type Repository interface {
	// Put sends the bytes of an object; nobody sees half of them. The receipt is
	// kept in the journal, and may be empty. Idempotent.
	Put(ctx context.Context, d core.Destination, o core.Object) (receipt string, err error)

	// Verify asks whether what was put is there. Errors: core.ErrNotFound,
	// core.ErrDigestMismatch.
	Verify(ctx context.Context, d core.Destination, o core.Object, receipt string) error

	// Describe lets an object be seen with its metadata, makes sure that it is, and
	// gives what the repository calls it; empty where its path says all. Idempotent.
	// Errors: core.ErrNotFound where the bytes have to be put again.
	Describe(ctx context.Context, d core.Destination, o core.Object, receipt string) (string, error)

	// PutVersions brings the destination's table Participant Versions to hold each
	// of these once. Idempotent.
	PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error

	// PutView brings the file view of a date to hold these rows and no others.
	// Idempotent.
	PutView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error
}

// Config says what a worker works with.
type Config struct {
	Outbox     Outbox
	Tables     Tables
	Repository Repository

	// Open gives the bytes of an upload as they were before a device sealed them.
	Open func(ctx context.Context, u core.Upload) (io.ReadCloser, error)

	// Attachment gives one of the attachments of an upload's record.
	Attachment func(ctx context.Context, u core.Upload, a core.Attachment) (io.ReadCloser, error)

	// Destination gives a destination; false where it is not configured.
	Destination func(ctx context.Context, id core.DestinationID) (core.Destination, bool)

	// Place identifies the repository; it is another one when that changes. nil: there
	// is only one.
	Place func() string

	// Closed says why nothing is sent at present, since when, and until when if
	// that is known; no reason: all is open. nil: it always is.
	Closed func() (reason core.ExportReason, since, until time.Time)

	// Hitch says why the repository is repeating a call at this moment; false where it
	// is not. nil: it never says.
	Hitch func() (Hitch, bool)

	Now func() time.Time
}

// patience is how long a file waits for the row that it refers to.
const patience = 10 * time.Minute

// Worker pushes to one repository. Several goroutines may share it.
type Worker struct {
	config Config
	rests  rests
	tables tableFailures
}

// NewWorker makes a worker.
func NewWorker(config Config) *Worker { return &Worker{config: config} }

// Step writes one table or pushes one record; false where nothing is due, nothing
// may be sent, the line is given a rest, or the outbox cannot be written.
func (w *Worker) Step(ctx context.Context) (bool, error) {
	if reason, _, _ := w.shut(); reason != core.ReasonNone || w.Until().After(w.config.Now()) {
		return false, nil
	}
	if did, err := w.stepTurn(ctx); did || err != nil {
		return did, err
	}
	if did, err := w.stepTable(ctx); did || err != nil {
		return did, err
	}
	return w.stepExport(ctx, "")
}

// stepExport pushes the next record that is due to a destination (empty: to any); false
// where there is none, or the outbox cannot be written.
func (w *Worker) stepExport(ctx context.Context, d core.DestinationID) (bool, error) {
	e, u, ok, err := w.config.Outbox.ClaimExport(ctx, d, patience, w.restOf)
	if err != nil || !ok {
		return false, err
	}
	cause := w.guard(ctx, &e, u)
	stopped := ctx.Err() != nil // then nothing is known of the export but its journal
	if cause != nil && !stopped {
		w.judge(&e, cause)
	}
	if err := w.config.Outbox.SettleExport(context.WithoutCancel(ctx), e); err != nil {
		return false, fmt.Errorf("settle export of %s: %w", e.Record, err)
	}
	if cause != nil && !stopped {
		return true, fmt.Errorf("export %s to %s: %w", e.Record, e.Destination, cause)
	}
	return true, nil
}

// guard pushes; a panic is this export's error, so that its lease ends.
func (w *Worker) guard(ctx context.Context, e *core.Export, u core.Upload) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("push panicked: %v", p)
		}
	}()
	return w.push(ctx, e, u)
}

// restOf is until when a destination rests.
func (w *Worker) restOf(d core.DestinationID) time.Time { return w.rests.of(d).until }

// Until is when something is sent again at the earliest; in the past where it may
// be now, and zero where nobody knows.
func (w *Worker) Until() time.Time {
	if reason, _, until := w.shut(); reason != core.ReasonNone {
		return until
	}
	return w.rests.ofAll().until
}

// Hurry ends every rest, so that what waits is tried at once.
func (w *Worker) Hurry() { w.rests.end() }

// Trouble is what the line met last, which is everyone's; no reason once something got
// through.
func (w *Worker) Trouble() core.ExportReason { return w.rests.ofAll().reason }

// Away reports since when a destination is given a rest and when it is asked next;
// zero times while it is given none.
func (w *Worker) Away(d core.DestinationID) (since, next time.Time) {
	rest := w.rests.of(d)
	if rest.until.IsZero() { // it is tried at once, whatever the trouble was
		return time.Time{}, time.Time{}
	}
	return rest.since, rest.until
}
