package upload

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"footbridge/core"
)

// Ledger keeps the rows of uploads. Safe for concurrent use.
type Ledger interface {
	// Begin hands decide the newest upload of the same participant and MD5 that
	// was registered at or after since, or nil, and stores the upload that decide
	// returns, in one transaction; so slots asked for at the same moment with the
	// same bytes get one upload. It reserves room on the disk. The row may be lost
	// in a power cut, which the device learns by a PUT that is refused.
	// Errors: core.ErrNoSpace.
	Begin(ctx context.Context, fresh core.Upload, since time.Time, decide func(earlier *core.Upload) core.Upload) (core.Upload, error)

	// Upload gives an upload. Errors: core.ErrNotFound.
	Upload(ctx context.Context, id core.UploadID) (core.Upload, error)

	// Complete runs change with the owner's standing in one durable transaction,
	// and keeps the records that change leaves in the standing's activities. An
	// error of change ends it without effect and is returned with the upload as it
	// is. Errors: core.ErrNotFound.
	Complete(ctx context.Context, id core.UploadID, change func(*core.Upload, core.Standing) error) (core.Upload, error)
}

// Bytes takes in bodies. Safe for concurrent use.
type Bytes interface {
	// Land streams r to its end. size is what is expected, in bytes. Errors: those
	// of r, core.ErrNoSpace. The caller keeps or discards the landing.
	Land(ctx context.Context, r io.Reader, size int64) (Landing, error)
}

// Landing is a body that is here but not yet an upload's. One goroutine at a
// time may use it.
type Landing interface {
	Digest() core.Digest

	// Keep runs change with the body's blob and makes bytes and row durable
	// before it returns nil. An error of change ends it without effect and is
	// returned with the upload as it is. Errors: core.ErrNotFound, core.ErrNoSpace.
	Keep(ctx context.Context, id core.UploadID, change func(*core.Upload, core.Blob) error) (core.Upload, error)

	// Discard forgets the body unless it was kept. It is idempotent.
	Discard()
}

// Config says how a desk behaves.
type Config struct {
	Now     func() time.Time
	Zone    func() *time.Location // of the date folders
	MaxSize func() int64          // of an upload, bytes
}

const (
	// SlotLife is how long a slot's URL works.
	SlotLife = 24 * time.Hour
	// DedupeWindow is how long the same bytes of the same participant are
	// recognised.
	DedupeWindow = 7 * 24 * time.Hour
	// keepTime is how long durable bytes may take to become an upload's.
	keepTime = time.Minute
)

// Desk is where devices ask for slots, hand in bytes and complete uploads.
// Safe for concurrent use.
type Desk struct {
	ledger Ledger
	bytes  Bytes
	config Config
}

// NewDesk makes a desk.
func NewDesk(ledger Ledger, bytes Bytes, config Config) *Desk {
	return &Desk{ledger, bytes, config}
}

// Client is what a device's headers say of it.
type Client struct {
	UserAgent string
	Info      string // compact JSON
}

// Begin gives a slot for a file. The same bytes again get the same slot while
// nothing is completed, and later a slot marked as a duplicate. Errors:
// *core.Invalid, core.ErrNoSpace.
func (d *Desk) Begin(ctx context.Context, owner core.Account, request core.Request, client Client) (core.Upload, error) {
	if err := normalise(&request, d.config.MaxSize()); err != nil {
		return core.Upload{}, err
	}
	fresh := d.fresh(owner, request, client)
	return d.ledger.Begin(ctx, fresh, fresh.RequestedOn.Add(-DedupeWindow), func(earlier *core.Upload) core.Upload {
		switch {
		case earlier == nil:
			return fresh
		case earlier.State == core.StateRequested, earlier.State == core.StateReceived:
			again := *earlier
			length := again.Request.ContentLength
			again.Request, again.ClientInfo, again.UserAgent = fresh.Request, fresh.ClientInfo, fresh.UserAgent
			if again.Blob != nil {
				again.Request.ContentLength = length // the bytes are here
			}
			again.ExpiresOn = fresh.ExpiresOn
			return again
		default:
			duplicate := fresh
			duplicate.State, duplicate.DuplicateOf = core.StateDuplicate, earlier.ID
			return duplicate
		}
	})
}

// fresh is a new upload.
func (d *Desk) fresh(owner core.Account, request core.Request, client Client) core.Upload {
	now := d.config.Now().UTC()
	return core.Upload{
		ID: core.UploadID(core.NewID(now)), App: owner.App, User: owner.ID, HealthCode: owner.HealthCode,
		Request: request, ClientInfo: client.Info, UserAgent: client.UserAgent,
		State: core.StateRequested, RequestedOn: now, ExpiresOn: now.Add(SlotLife),
	}
}

// Receive takes in the bytes of a slot. When it returns nil they are durable.
// Errors: core.ErrNotFound, ErrNotAsAgreed, core.ErrDigestMismatch,
// core.ErrNoSpace, and those of body: then nothing is changed.
func (d *Desk) Receive(ctx context.Context, id core.UploadID, declared Declared, body io.Reader) (core.Upload, error) {
	u, err := d.ledger.Upload(ctx, id)
	if err != nil {
		return u, err
	}
	if !declared.agrees(u.Request) {
		return u, ErrNotAsAgreed
	}
	landing, err := d.bytes.Land(ctx, io.LimitReader(body, declared.Length+1), declared.Length)
	if err != nil {
		return u, fmt.Errorf("receive upload %s: %w", id, err)
	}
	defer landing.Discard()
	if !matches(landing.Digest(), u.Request) {
		return u, fmt.Errorf("receive upload %s: %w", id, core.ErrDigestMismatch)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	u, err = landing.Keep(ctx, id, receive)
	if errors.Is(err, errUnchanged) {
		return u, nil
	}
	return u, err
}

func matches(digest core.Digest, request core.Request) bool {
	want, err := base64.StdEncoding.DecodeString(request.ContentMD5)
	return err == nil && digest.MD5 == hex.EncodeToString(want) && digest.Size == request.ContentLength
}

// Complete freezes the facts of an upload whose bytes are here, links it to the
// adherence record of its activity and makes it due for processing. Completing again changes nothing unless it is a redrive.
// Errors: core.ErrNotFound (also where nothing was received), core.ErrForbidden.
func (d *Desk) Complete(ctx context.Context, id core.UploadID, c Completion) (core.Upload, error) {
	c.On, c.Zone = d.config.Now(), d.config.Zone()
	u, err := d.ledger.Complete(ctx, id, func(u *core.Upload, standing core.Standing) error {
		return complete(u, standing, c)
	})
	if errors.Is(err, errUnchanged) {
		return u, nil
	}
	return u, err
}

// Upload gives an upload. Errors: core.ErrNotFound.
func (d *Desk) Upload(ctx context.Context, id core.UploadID) (core.Upload, error) {
	return d.ledger.Upload(ctx, id)
}
