package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"footbridge/core"
	"footbridge/core/cms"
	"footbridge/core/schema"
	"footbridge/core/upload"
)

// Bench is where uploads that are due lie. Safe for concurrent use.
type Bench interface {
	// Claim leases the next upload that is due; false where there is none. A lease
	// ends with Settle, Release or the program.
	Claim(ctx context.Context) (core.Upload, bool, error)

	// Open opens received bytes. The caller closes them.
	Open(ctx context.Context, b core.Blob) (io.ReadCloser, error)

	// Uses counts the other messages that were opened with this sealed key before
	// the one with these bytes; 0 where these bytes were opened before.
	Uses(ctx context.Context, envelope string, bytes core.Digest) int

	// Settle runs change on a claimed upload in one transaction, together with
	// the exports it gives, and ends the lease. Running it again has no second
	// effect: change refuses an upload that is settled.
	Settle(ctx context.Context, id core.UploadID, change func(*core.Upload) ([]core.Export, error)) error

	// Release ends the lease; the upload is due again at a time.
	Release(id core.UploadID, again time.Time)
}

// Digest computes the digest of a stream. One goroutine at a time may use it.
type Digest interface {
	// Add takes p in. p must not change before the next Add, Digest or Stop.
	Add(p []byte)

	// Digest ends the computation and gives its result.
	Digest() core.Digest

	// Stop ends the computation. It is idempotent.
	Stop()
}

// Config says what a worker works with.
type Config struct {
	Keys       func() []cms.Key // every key this site holds
	NewDigest  func() Digest
	Shelf      Shelf                    // what legacy bundles are described by
	Strictness func() schema.Strictness // of this site
	Now        func() time.Time
}

// retryPause is how long an upload rests whose bytes could not be read.
const retryPause = 30 * time.Second

// Worker processes uploads. Several may share a bench.
type Worker struct {
	bench  Bench
	config Config
}

// NewWorker makes a worker.
func NewWorker(bench Bench, config Config) *Worker { return &Worker{bench, config} }

// Step processes the next upload that is due; false where there was none. After
// an error the upload is due again later.
func (w *Worker) Step(ctx context.Context) (bool, error) {
	u, ok, err := w.bench.Claim(ctx)
	if err != nil || !ok {
		return false, err
	}
	settled := false
	defer func() {
		if !settled { // nor after a panic
			w.bench.Release(u.ID, w.config.Now().Add(retryPause))
		}
	}()
	outcome, err := w.outcome(ctx, u)
	if err == nil {
		err = w.bench.Settle(ctx, u.ID, func(u *core.Upload) ([]core.Export, error) {
			return upload.Settle(u, outcome, w.config.Now().UTC())
		})
	}
	if err != nil {
		return true, fmt.Errorf("process upload %s: %w", u.ID, err)
	}
	settled = true
	return true, nil
}

// outcome judges the bytes.
func (w *Worker) outcome(ctx context.Context, u core.Upload) (core.Outcome, error) {
	judge := w.legacy
	if u.Facts.Schemaless {
		judge = w.schemaless
	}
	found, err := judge(ctx, u)
	if err != nil {
		outcome, err := rejection(err)
		outcome.Envelope = found.envelope
		return outcome, err
	}
	if u.Record != nil && found.plain != u.Record.Plain {
		return core.Outcome{}, fmt.Errorf("stored bytes are no longer those of the record: %w", core.ErrDigestMismatch)
	}
	if found.rejection != nil {
		return core.Outcome{Verdict: core.Rejected, Reasons: append(found.reasons, *found.rejection), Envelope: found.envelope}, nil
	}
	found.record.Plain = found.plain
	return core.Outcome{Verdict: core.Accepted, Reasons: found.reasons, Envelope: found.envelope, Record: found.record}, nil
}

// rejection turns what is wrong with the bytes into a verdict. Any other error
// is no verdict: the bytes could not be read.
func rejection(err error) (core.Outcome, error) {
	var foreign *cms.ForeignError
	var reason core.Reason
	switch {
	case errors.As(err, &foreign):
		reason = core.Reason{Code: "foreign_key", Message: "The file was encrypted to a key that this site does not hold: " + foreign.Error() +
			". Import that key, then redrive the upload. The file is kept."}
	case errors.Is(err, errWorn):
		reason = core.Reason{Code: "sealed_key_reused", Message: "Too many different files came with the same sealed key. " +
			"Ask for the file to be encrypted anew. The file is kept."}
	case errors.Is(err, cms.ErrNotEnveloped):
		reason = core.Reason{Code: "not_encrypted", Message: "The upload was announced as encrypted but is no CMS enveloped data. " +
			"Send encrypted=false with files that are not encrypted. The file is kept."}
	case errors.Is(err, cms.ErrUnsupported):
		reason = core.Reason{Code: "unsupported_encryption", Message: "The file cannot be opened: " + err.Error() + ". The file is kept."}
	case errors.Is(err, cms.ErrDamaged):
		reason = core.Reason{Code: "damaged", Message: "The encrypted file cannot be opened: " + err.Error() +
			". Ask for it to be sent again, encrypted to this site's certificate. The file is kept."}
	default:
		return core.Outcome{}, err
	}
	return core.Outcome{Verdict: core.Rejected, Reasons: []core.Reason{reason}}, nil
}
