package analysis

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
	"footbridge/sync/reconcile"
	"footbridge/sync/remote"
	"footbridge/sync/synapse"
)

// The rules here are: where a project's bytes lie was decided when it was made, and
// the repository is asked for it; the settings only say how to reach the bucket. What
// lies there is compared before it is registered. The repository deletes nothing in a
// bucket, so that what is removed is removed there first.

// Bucket is the S3 bucket that the settings name.
type Bucket struct {
	Name     string // empty: none; the repository keeps the bytes of new projects itself
	Region   string // empty: us-east-1
	Endpoint string // empty: AWS
	Provider string // as rclone calls it; empty: AWS, or Other with an endpoint
}

// Refusal is why the repository, or a bucket, does not do what it was asked until a
// person has done something. It is os.ErrPermission.
type Refusal struct {
	Sentence string // for people: what is wrong and what to do, as part of a sentence
	said     string // the repository's own words
}

// refusal makes one of what the repository answered.
func refusal(answered error, sentence string) *Refusal {
	r := &Refusal{Sentence: sentence}
	var why *synapse.Error
	if errors.As(answered, &why) {
		r.said = why.Reason
	}
	return r
}

// Error is the sentence and the repository's own words.
func (r *Refusal) Error() string {
	if r.said == "" {
		return r.Sentence
	}
	return r.Sentence + " (it says: " + r.said + ")"
}

// Is reports whether it is target. It is never about one record only.
func (r *Refusal) Is(target error) bool { return target == os.ErrPermission }

// shelf is where the bytes of a project lie in a bucket.
type shelf struct {
	synapse.Storage
	location int64
	folder   synapse.EntityID // whose storage it is
}

// key gives an object's key in the bucket, and its path below the base key.
func (s shelf) key(o core.Object) (key, below string) {
	below = strings.TrimPrefix(o.Path, export.RawDataFolder+"/")
	return path.Join(s.BaseKey, below), below
}

// shelf gives where an object of a project lies in a bucket; false where the repository
// keeps it itself, as it does all but the raw data.
func (r *Repository) shelf(ctx context.Context, parts core.RepositoryConfig, o core.Object) (shelf, bool, error) {
	if !isRaw(o) {
		return shelf{}, false, nil
	}
	r.loans.mu.Lock()
	known, ok := r.loans.shelves[parts.StorageLocation]
	r.loans.mu.Unlock()
	if !ok {
		known = shelf{location: parts.StorageLocation}
		var err error
		known.Storage, err = r.client.Storage(ctx, parts.StorageLocation)
		switch {
		case errors.Is(err, synapse.ErrRefused):
			err = r.foreign(ctx, parts)
		case errors.Is(err, core.ErrNotFound): // one that everybody has
			err = nil
		}
		if err != nil {
			return shelf{}, false, err
		}
		r.loans.mu.Lock()
		r.loans.shelves[parts.StorageLocation] = known
		r.loans.mu.Unlock()
	}
	known.folder = synapse.EntityID(parts.RawDataFolder)
	return known, known.Bucket != "", nil
}

// foreign says of a storage location that another account made whether it is a bucket:
// only that account may put files from it into the project.
func (r *Repository) foreign(ctx context.Context, parts core.RepositoryConfig) error {
	_, err := r.client.Credentials(ctx, synapse.EntityID(parts.RawDataFolder), true)
	if errors.Is(err, synapse.ErrInvalid) {
		return nil // the repository's own, where anyone may write who may write to the folder
	}
	if err != nil {
		return err
	}
	return refusal(nil, "the bucket of this project was named to the repository by another account than that of the access token; use that account's token")
}

// putObject sends the bytes of an object to the bucket, where they are compared, and
// registers what lies there; the receipt is its file handle.
func (r *Repository) putObject(ctx context.Context, s shelf, o core.Object) (string, error) {
	key, below := s.key(o)
	name := synapse.Name(path.Base(o.Path))
	stored := synapse.Stored{Bucket: s.Bucket, Key: key, Location: s.location, Name: name, ContentType: o.ContentType, Digest: o.Digest}
	err := r.borrow(ctx, s, lasting(o.Size), func(to *remote.Remote) error {
		at := o
		at.Path = below
		return to.Put(ctx, at)
	})
	if err != nil {
		return "", err
	}
	crash.Point("bucket.put")
	handle, err := r.client.Adopt(ctx, stored)
	if errors.Is(err, synapse.ErrInvalid) { // it is there, so that the repository does not see it
		return "", refusal(err, "the repository does not take what lies in the bucket "+s.Bucket+"; see that the bucket's policy lets the repository read it")
	}
	return handle, err
}

// inBucket does something with an object where it lies in a bucket.
func (r *Repository) inBucket(ctx context.Context, d core.Destination, o core.Object, do func(context.Context, shelf, core.Object) error) error {
	parts, err := r.memory.Parts(ctx, d)
	if err != nil {
		return err
	}
	at, ok, err := r.shelf(ctx, parts, o)
	if err != nil || !ok {
		return err
	}
	return do(ctx, at, o)
}

// checkObject compares an object with the one in the bucket.
func (r *Repository) checkObject(ctx context.Context, s shelf, o core.Object) error {
	_, below := s.key(o)
	return r.borrow(ctx, s, loanRest, func(from *remote.Remote) error {
		held, err := from.Hash(ctx, below)
		if err != nil {
			return err
		}
		if held.MD5 != o.MD5 || held.Size != o.Size {
			return fmt.Errorf("compare an object in %s: %w", s.Bucket, core.ErrDigestMismatch)
		}
		bears, err := from.Bears(ctx, below, o.Metadata)
		if err == nil && !bears {
			err = reconcile.ErrUnannotated
		}
		return err
	})
}

// verifyObject asks whether the bucket holds what was put.
func (r *Repository) verifyObject(ctx context.Context, s shelf, o core.Object) error {
	_, below := s.key(o)
	return r.borrow(ctx, s, loanRest, func(from *remote.Remote) error { return from.Verify(ctx, below, o.Digest) })
}

// removeObject deletes an object in the bucket.
func (r *Repository) removeObject(ctx context.Context, s shelf, o core.Object) error {
	_, below := s.key(o)
	return r.borrow(ctx, s, loanRest, func(from *remote.Remote) error { return from.Remove(ctx, below) })
}

// makeStorage gives the raw-data folder the bucket of the settings, or storage of the
// repository's own.
func (b *builder) makeStorage(ctx context.Context, folder synapse.EntityID) (int64, error) {
	bucket := b.bucket()
	if bucket.Name == "" {
		return b.client.MakeStorage(ctx, folder, synapse.Storage{})
	}
	number, err := b.client.MakeStorage(ctx, folder, synapse.Storage{Bucket: bucket.Name, BaseKey: b.plan.BaseKey, Endpoint: bucket.Endpoint})
	if errors.Is(err, synapse.ErrBucket) {
		err = refusal(err, fmt.Sprintf("the repository does not take the bucket %s yet: put a file into it under the key %s that has the one word %s in it, and see that the bucket's policy lets the repository in; the project is made within a minute then",
			bucket.Name, path.Join(b.plan.BaseKey, "owner.txt"), b.me.Name))
	}
	return number, err
}

// Stored gives bucket and key of the raw data at a path; no bucket where the repository
// keeps it itself, and false where nothing is known of it yet.
func (r *Repository) Stored(parts core.RepositoryConfig, at string) (bucket, key string, known bool) {
	r.loans.mu.Lock()
	s, known := r.loans.shelves[parts.StorageLocation]
	r.loans.mu.Unlock()
	key, _ = s.key(core.Object{Path: at})
	return s.Bucket, key, known
}
