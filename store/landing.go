package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"footbridge/core"
	"footbridge/store/blob"
	"footbridge/store/rows"
	"footbridge/store/segment"
)

// Landing is a body that is here but not yet an upload's (upload.Landing).
type Landing struct {
	store  *Store
	digest core.Digest
	small  []byte        // of a small body
	large  *blob.Landing // of a large one
}

// Land streams r to its end: a small body into memory, a large one to a file
// (upload.Bytes).
func (s *Store) Land(ctx context.Context, r io.Reader, size int64) (*Landing, error) {
	if size > smallBody || s.config.Files {
		return s.landFile(ctx, r)
	}
	body := bytes.NewBuffer(make([]byte, 0, max(size, 0)+bytes.MinRead))
	if _, err := body.ReadFrom(io.LimitReader(r, smallBody+1)); err != nil {
		return nil, err
	}
	if body.Len() > smallBody {
		return s.landFile(ctx, io.MultiReader(body, r))
	}
	hasher := blob.NewHasher()
	hasher.Write(body.Bytes())
	return &Landing{store: s, digest: hasher.Digest(), small: body.Bytes()}, nil
}

func (s *Store) landFile(ctx context.Context, r io.Reader) (*Landing, error) {
	large, err := s.files.Land(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Landing{store: s, digest: large.Digest(), large: large}, nil
}

// Digest identifies the body.
func (l *Landing) Digest() core.Digest { return l.digest }

// Keep makes body and row durable, the body first or both with one sync.
func (l *Landing) Keep(ctx context.Context, id core.UploadID, change func(*core.Upload, core.Blob) error) (core.Upload, error) {
	if l.large != nil {
		return l.keepFile(ctx, id, change)
	}
	u, err := l.store.keep(ctx, id, l.small, func(tx *rows.Tx) core.Blob {
		return core.Blob{Digest: l.digest, Place: tx.Body().String()}
	}, change)
	var refused refusal
	if errors.As(err, &refused) {
		err = refused.error
	}
	return u, err
}

func (l *Landing) keepFile(ctx context.Context, id core.UploadID, change func(*core.Upload, core.Blob) error) (core.Upload, error) {
	name := core.NewID(l.store.config.Now()) // never an earlier body's: that one may be in use
	// Durable, or a power cut could leave a file that nobody knows of.
	if err := l.store.update(ctx, func(tx *rows.Tx) error { tx.Put(keepingBucket, name, nil); return nil }); err != nil {
		return core.Upload{}, err
	}
	if err := l.large.Keep(name); err != nil {
		l.store.forget(name)
		return core.Upload{}, err
	}
	u, err := l.store.keep(ctx, id, nil, func(tx *rows.Tx) core.Blob {
		tx.Delete(keepingBucket, name)
		return core.Blob{Digest: l.digest, Place: filePlace + name}
	}, change)
	var refused refusal
	if errors.As(err, &refused) {
		l.store.forget(name)
		err = refused.error
	}
	return u, err // after any other error a row may name the file: Open finds out
}

// forget removes a body that no row names. What stays is swept at the next Open.
func (s *Store) forget(name string) {
	if s.files.Remove(name) == nil {
		s.note(context.Background(), func(tx *rows.Tx) error { tx.Delete(keepingBucket, name); return nil })
	}
}

// sweepFiles removes bodies that were renamed but never became an upload's
// because the program died between the two.
func (s *Store) sweepFiles() error {
	var orphans []string
	s.rows.Scan(keepingBucket, "", "", func(name string, _ []byte) bool {
		orphans = append(orphans, name)
		return true
	})
	for _, name := range orphans {
		if err := s.files.Remove(name); err != nil {
			return err
		}
	}
	if len(orphans) == 0 {
		return nil
	}
	return s.note(context.Background(), func(tx *rows.Tx) error {
		for _, name := range orphans {
			tx.Delete(keepingBucket, name)
		}
		return nil
	})
}

// Discard forgets the body unless it was kept.
func (l *Landing) Discard() {
	if l.large != nil {
		l.large.Discard()
	}
}

// filePlace begins the place of a body that has a file of its own.
const filePlace = "file/"

// Open opens a body. The caller closes it. Errors: core.ErrNotFound,
// core.ErrDigestMismatch where a small one is not what was kept.
func (s *Store) Open(_ context.Context, b core.Blob) (io.ReadCloser, error) {
	if name, ok := strings.CutPrefix(b.Place, filePlace); ok {
		return s.files.Open(name)
	}
	place, err := segment.ParsePlace(b.Place)
	if err != nil {
		return nil, fmt.Errorf("open body: %w: %w", err, core.ErrNotFound)
	}
	return s.rows.OpenBody(place)
}
