package process

import (
	"context"
	"errors"
	"fmt"
	"io"

	"footbridge/core"
	"footbridge/core/cms"
)

// The rules here are: bytes are read in constant memory, and a sealed message is
// known to be whole only when it was read to its end. CBC tells by its padding
// whether altered bytes open, so whoever captured a message could learn what it
// holds from the verdicts on altered copies. All such copies carry the same sealed
// key, and an honest device uses one for one message: after a few different
// messages with the same sealed key no more are opened. The same bytes again tell
// nothing new.

// usesMax is how many messages with the same sealed key are opened: a device may
// have to send a file again that was cut short.
const usesMax = 8

// errWorn says that a sealed key was used too often.
var errWorn = errors.New("sealed key was used too often")

// content is an upload's bytes as they were before a device sealed them, while
// they are read for the first time. The digest of bytes that were sent open is
// known: they were hashed when they came.
type content struct {
	from     io.Reader
	stored   io.Closer
	opened   *cms.Reader // nil: they were sent open
	digest   Digest
	envelope string // of a sealed message, once its head was read
	plain    core.Digest
	reasons  []core.Reason
	failed   error // why reading ended before the end
}

// open opens an upload's bytes. The content tells its envelope also where there is
// an error.
func (w *Worker) open(ctx context.Context, u core.Upload) (*content, error) {
	stored, err := w.bench.Open(ctx, *u.Blob)
	if err != nil {
		return &content{}, err
	}
	c := &content{from: &stoppable{stored, ctx.Err}, stored: stored, plain: u.Blob.Digest}
	if u.Request.Encrypted {
		if err = w.unseal(ctx, c, u); err != nil {
			c.failed = err
			stored.Close()
		}
	}
	return c, err
}

// unseal reads the head of a sealed message.
func (w *Worker) unseal(ctx context.Context, c *content, u core.Upload) error {
	opened, err := cms.Open(c.from, w.config.Keys())
	var damaged *cms.DamagedError
	envelope := ""
	switch {
	case errors.As(err, &damaged):
		envelope = damaged.Envelope
	case err != nil:
		return err
	default:
		envelope = opened.Envelope()
	}
	if w.bench.Uses(ctx, envelope, u.Blob.Digest) >= usesMax {
		return errWorn
	}
	c.envelope = envelope
	if err != nil {
		return err
	}
	c.opened, c.digest = opened, w.config.NewDigest()
	c.from = &tee{from: opened, digest: c.digest}
	return nil
}

// Read notes at the end what the bytes proved to be.
func (c *content) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if err == io.EOF && c.opened != nil && c.digest != nil {
		c.plain, c.digest = c.digest.Digest(), nil
		err = c.end()
	}
	if err != nil && err != io.EOF {
		c.failed = err
	}
	return n, err
}

// end looks behind a sealed message.
func (c *content) end() error {
	more, err := c.opened.Trailing()
	if err != nil {
		return fmt.Errorf("look behind the message: %w", err)
	}
	if more {
		c.reasons = append(c.reasons, core.Reason{Code: "bytes_behind",
			Message: "More bytes follow the encrypted message than belong to it. Only the message is exported; all of it is kept."})
	}
	return io.EOF
}

// finish reads what is left of a sealed message: it is known to be whole only
// then.
func (c *content) finish() error {
	if c.opened == nil {
		return nil
	}
	return drain(c)
}

// Close closes the stored bytes. It is idempotent.
func (c *content) Close() error {
	if c.digest != nil {
		c.digest.Stop()
	}
	return c.stored.Close()
}
