package process

import (
	"context"
	"errors"
	"io"

	"footbridge/core"
	"footbridge/core/cms"
)

// The rules here are: bytes are read once, in constant memory, and a sealed
// message is known to be whole only when it was read to its end. CBC tells by its
// padding whether altered bytes open, so whoever captured a message could learn
// what it holds from the verdicts on altered copies. All such copies carry the
// same sealed key, and an honest device uses one for one message: after a few
// different messages with the same sealed key no more are opened. The same bytes
// again tell nothing new.

// usesMax is how many messages with the same sealed key are opened: a device may
// have to send a file again that was cut short.
const usesMax = 8

// errWorn says that a sealed key was used too often.
var errWorn = errors.New("sealed key was used too often")

// finding is what the bytes proved to be.
type finding struct {
	plain    core.Digest // of the bytes once opened
	reasons  []core.Reason
	envelope string // of an encrypted message, once its head was read
}

// examine reads the bytes. Those that were sent open were hashed when they came,
// so they are read only where there may be a zip to look at.
func (w *Worker) examine(ctx context.Context, u core.Upload) (finding, error) {
	stored, err := w.bench.Open(ctx, *u.Blob)
	if err != nil {
		return finding{}, err
	}
	defer stored.Close()
	in := &stoppable{stored, ctx.Err}
	if u.Request.Encrypted {
		return w.examineSealed(ctx, in, u)
	}
	reasons, err := look(in, u.Request)
	return finding{plain: u.Blob.Digest, reasons: reasons}, err
}

func (w *Worker) examineSealed(ctx context.Context, in io.Reader, u core.Upload) (found finding, err error) {
	opened, err := cms.Open(in, w.config.Keys())
	var damaged *cms.DamagedError
	envelope := ""
	switch {
	case errors.As(err, &damaged):
		envelope = damaged.Envelope
	case err != nil:
		return found, err
	default:
		envelope = opened.Envelope()
	}
	if w.bench.Uses(ctx, envelope, u.Blob.Digest) >= usesMax {
		return found, errWorn
	}
	found.envelope = envelope
	if err != nil {
		return found, err
	}
	digest := w.config.NewDigest()
	defer digest.Stop()
	plain := &tee{from: opened, digest: digest}
	if found.reasons, err = look(plain, u.Request); err != nil {
		return found, err
	}
	if err = drain(plain); err != nil {
		return found, err
	}
	found.plain = digest.Digest()
	more, err := opened.Trailing()
	if more {
		found.reasons = append(found.reasons, core.Reason{Code: "bytes_behind",
			Message: "More bytes follow the encrypted message than belong to it. Only the message is exported; all of it is kept."})
	}
	return found, err
}
