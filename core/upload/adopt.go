package upload

import (
	"context"
	"io"
	"time"

	"footbridge/core"
)

// Adopt takes a file in that is here already, for its owner: slot, bytes and
// completion in one call. The same bytes of the same owner make one upload for all
// time, which is given back as it stands; so calling it again, after a crash too,
// has no second effect. open gives the bytes from the beginning. Errors:
// *core.Invalid, core.ErrNoSpace, core.ErrDigestMismatch where the bytes are not
// those of the request, and those of open.
func (d *Desk) Adopt(ctx context.Context, owner core.Account, request core.Request, client Client, open func() (io.ReadCloser, error)) (core.Upload, error) {
	if err := normalise(&request, d.config.MaxSize()); err != nil {
		return core.Upload{}, err
	}
	fresh := d.fresh(owner, request, client)
	u, err := d.ledger.Begin(ctx, fresh, time.Time{}, func(earlier *core.Upload) core.Upload {
		if earlier == nil {
			return fresh
		}
		return *earlier
	})
	if err != nil {
		return u, err
	}
	if u.State == core.StateRequested {
		body, err := open()
		if err != nil {
			return u, err
		}
		defer body.Close()
		declared := Declared{u.Request.ContentLength, u.Request.ContentType, u.Request.ContentMD5}
		if u, err = d.Receive(ctx, u.ID, declared, body); err != nil {
			return u, err
		}
	}
	if u.State == core.StateReceived {
		return d.Complete(ctx, u.ID, Completion{By: core.CompletedByApp, UserAgent: client.UserAgent, Client: client.Info})
	}
	return u, nil
}
