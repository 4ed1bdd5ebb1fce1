package remote

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/hash"

	"footbridge/core"
)

// maxReadBack is how large a file may be, in bytes, for Verify to fetch it
// from a remote that does not tell its hash.
const maxReadBack = 1 << 20

// Verify asks the remote whether it holds these bytes at path. A folder of
// this machine reads the file again. Where the remote has no MD5 of the file,
// the size has to do, and up to 1 MiB the bytes are fetched. What a Put has
// asked within the last minute is not asked again.
//
// Errors: core.ErrNotFound, core.ErrDigestMismatch, or that the remote could
// not be asked, which is neither.
func (r *Remote) Verify(ctx context.Context, path string, want core.Digest) error {
	if r.folder == nil && r.recent.take(path, want) {
		return nil
	}
	ctx = configured(ctx)
	return r.ask(ctx, "verify", path, func(l *line, held fs.Object) error {
		err := r.verify(ctx, l, held, want)
		return cmp.Or(r.suspect(ctx, l, err), err)
	})
}

// ask does something with the file at path, and says in verb what was not done.
func (r *Remote) ask(ctx context.Context, verb, path string, do func(*line, fs.Object) error) error {
	l, err := r.reach(ctx, path)
	if err == nil {
		var held fs.Object
		if held, err = r.find(ctx, l, path); err == nil {
			err = do(l, held)
		}
	}
	if err != nil {
		r.hangUp(ctx, l, err)
		return r.fileFailure(ctx, verb, path, err)
	}
	return nil
}

func (r *Remote) verify(ctx context.Context, l *line, held fs.Object, want core.Digest) error {
	if held.Size() != want.Size {
		return fmt.Errorf("it has %d bytes instead of %d: %w", held.Size(), want.Size, core.ErrDigestMismatch)
	}
	sum, err := l.told(ctx, held)
	if err == nil && sum == "" && want.Size <= maxReadBack {
		sum, err = readBack(ctx, held)
	}
	if err != nil {
		return err
	}
	if sum == "" && l.md5 { // it should have told one
		return r.impostor(ctx, l)
	}
	if sum != "" && sum != want.MD5 {
		return fmt.Errorf("its MD5 is %s instead of %s: %w", sum, want.MD5, core.ErrDigestMismatch)
	}
	return nil
}

// compare holds what the remote has against what a source gave.
func (r *Remote) compare(ctx context.Context, l *line, src *source, held fs.Object) error {
	if l.native == hash.None || held.Size() != src.object.Size {
		return r.verify(ctx, l, held, src.object.Digest)
	}
	sum, err := held.Hash(ctx, l.native)
	if err != nil {
		return err
	}
	if sum == "" {
		return r.verify(ctx, l, held, src.object.Digest)
	}
	if want := src.sums[l.native]; sum != want {
		return fmt.Errorf("its %s is %s instead of %s: %w", l.native, sum, want, core.ErrDigestMismatch)
	}
	return nil
}

// told gives the MD5 that the remote tells, empty for none.
func (l *line) told(ctx context.Context, held fs.Object) (string, error) {
	if !l.md5 {
		return "", nil
	}
	return held.Hash(ctx, hash.MD5)
}

// sum gives the MD5 of a file, whatever it costs.
func (l *line) sum(ctx context.Context, held fs.Object) (string, error) {
	if sum, err := l.told(ctx, held); sum != "" || err != nil {
		return sum, err
	}
	return readBack(ctx, held)
}

// readBack fetches a file and gives its MD5.
func readBack(ctx context.Context, held fs.Object) (string, error) {
	in, err := held.Open(ctx)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Hash gives size and MD5 of the file at path. Where the remote does not tell
// the MD5, the file is read in full, as a stream. A store that was given a large
// file in parts tells the MD5 that it was told then.
//
// Errors: core.ErrNotFound, or that the remote could not be asked.
func (r *Remote) Hash(ctx context.Context, path string) (core.Digest, error) {
	ctx = configured(ctx)
	var digest core.Digest
	err := r.ask(ctx, "hash", path, func(l *line, held fs.Object) error {
		sum, err := l.sum(ctx, held)
		digest = core.Digest{Size: held.Size(), MD5: sum}
		return err
	})
	if err != nil {
		return core.Digest{}, err
	}
	return digest, nil
}

// Read gives the bytes of the file at path as a stream, which the caller
// closes. Errors: core.ErrNotFound, or that the remote could not be asked;
// those while reading are the backend's own.
func (r *Remote) Read(ctx context.Context, path string) (io.ReadCloser, error) {
	ctx = configured(ctx)
	var in io.ReadCloser
	err := r.ask(ctx, "read", path, func(_ *line, held fs.Object) (err error) {
		in, err = held.Open(ctx)
		return err
	})
	return in, err
}

// Exists reports whether there is an object at path, whatever it holds. That
// the remote could not be asked is an error; so is a folder or a bucket that is
// missing, since it cannot tell what it holds while it is away.
func (r *Remote) Exists(ctx context.Context, path string) (bool, error) {
	ctx = configured(ctx)
	l, err := r.reach(ctx, path)
	if err == nil {
		_, err = r.find(ctx, l, path)
	}
	if err == nil {
		return true, nil
	}
	if !missing(err) {
		r.hangUp(ctx, l, err)
		return false, r.fileFailure(ctx, "look for", path, err)
	}
	return false, nil
}

// Metadata gives the user metadata of the file at path, keys in lower case,
// empty where the remote holds none. Errors: core.ErrNotFound, or that the
// remote could not be asked.
func (r *Remote) Metadata(ctx context.Context, path string) (map[string]string, error) {
	ctx = configured(ctx)
	found := map[string]string{}
	err := r.ask(ctx, "read the metadata of", path, func(l *line, held fs.Object) error {
		if !r.labelled(l) {
			return nil
		}
		metadata, err := fs.GetMetadata(ctx, held)
		if err == nil {
			found = l.labels.plain(metadata)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Bears reports whether the file at path has metadata as Put would give it. Where the
// remote holds none, or drops it, every file has. Errors: those of Metadata.
func (r *Remote) Bears(ctx context.Context, path string, metadata map[string]string) (bool, error) {
	ctx = configured(ctx)
	bears := false
	err := r.ask(ctx, "read the metadata of", path, func(l *line, held fs.Object) (err error) {
		meta := l.labels.fit(metadata)
		if bears, err = r.labelledAs(ctx, l, held, meta); err != nil || bears {
			return err
		}
		if err = r.try(ctx, l); err == nil {
			bears, err = r.labelledAs(ctx, l, held, meta)
		}
		return err
	})
	return bears, err
}

// Remove deletes the file at path, durably in a folder of this machine. That
// it is not there is no error, so Remove may be repeated.
func (r *Remote) Remove(ctx context.Context, path string) error {
	ctx = configured(ctx)
	l, err := r.reach(ctx, path)
	if err == nil {
		var held fs.Object
		if held, err = r.find(ctx, l, path); err == nil {
			err = held.Remove(ctx)
		}
	}
	if missing(err) {
		return nil
	}
	if err == nil && r.folder != nil {
		err = r.folder.settle(path)
	}
	if err != nil {
		r.hangUp(ctx, l, err)
		return r.fileFailure(ctx, "remove", path, err)
	}
	return nil
}
