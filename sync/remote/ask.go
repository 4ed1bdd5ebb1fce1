package remote

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/hash"
	"github.com/rclone/rclone/fs/walk"

	"footbridge/core"
)

// maxReadBack is how large a file may be, in bytes, for Verify to fetch it
// from a remote that does not tell its hash.
const maxReadBack = 1 << 20

// Verify asks the remote whether it holds these bytes at path. A folder of
// this machine reads the file again. Where the remote has no MD5 of the file,
// the size has to do, and up to 1 MiB the bytes are fetched.
//
// Errors: core.ErrNotFound, core.ErrDigestMismatch, or that the remote could
// not be asked, which is neither.
func (r *Remote) Verify(ctx context.Context, path string, want core.Digest) error {
	ctx = configured(ctx)
	if err := r.verify(ctx, path, want); err != nil {
		return r.fileFailure(ctx, "verify", path, err)
	}
	return nil
}

func (r *Remote) verify(ctx context.Context, path string, want core.Digest) error {
	held, err := r.find(ctx, path)
	if err != nil {
		return err
	}
	if held.Size() != want.Size {
		return fmt.Errorf("it has %d bytes instead of %d: %w", held.Size(), want.Size, core.ErrDigestMismatch)
	}
	sum := ""
	if r.md5 {
		if sum, err = held.Hash(ctx, hash.MD5); err != nil {
			return err
		}
	}
	if sum == "" && want.Size <= maxReadBack {
		if sum, err = readBack(ctx, held); err != nil {
			return err
		}
	}
	if sum != "" && sum != want.MD5 {
		return fmt.Errorf("its MD5 is %s instead of %s: %w", sum, want.MD5, core.ErrDigestMismatch)
	}
	return nil
}

// readBack fetches a small file and gives its MD5.
func readBack(ctx context.Context, held fs.Object) (string, error) {
	in, err := held.Open(ctx)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, io.LimitReader(in, maxReadBack+1)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Exists reports whether there is an object at path, whatever it holds. That
// the remote could not be asked is an error; so is a folder of this machine
// that is missing, since it cannot tell what it holds while it is away.
func (r *Remote) Exists(ctx context.Context, path string) (bool, error) {
	ctx = configured(ctx)
	_, err := r.find(ctx, path)
	if err == nil {
		return true, nil
	}
	if missing(err) {
		err = r.reach(path) // it may have gone away meanwhile
	}
	if err != nil {
		return false, r.fileFailure(ctx, "look for", path, err)
	}
	return false, nil
}

// find gives the file at path.
func (r *Remote) find(ctx context.Context, path string) (fs.Object, error) {
	if err := r.reach(path); err != nil {
		return nil, err
	}
	return r.fs.NewObject(ctx, path)
}

// Metadata gives the user metadata of the file at path, keys in lower case,
// empty where the remote holds none. Errors: core.ErrNotFound, or that the
// remote could not be asked.
func (r *Remote) Metadata(ctx context.Context, path string) (map[string]string, error) {
	ctx = configured(ctx)
	held, err := r.find(ctx, path)
	if err != nil {
		return nil, r.fileFailure(ctx, "read the metadata of", path, err)
	}
	if !r.labelled() {
		return map[string]string{}, nil
	}
	metadata, err := fs.GetMetadata(ctx, held)
	if err != nil {
		return nil, r.fileFailure(ctx, "read the metadata of", path, err)
	}
	return r.labels.user(metadata), nil
}

// Remove deletes the file at path, durably in a folder of this machine. That
// it is not there is no error, so Remove may be repeated.
func (r *Remote) Remove(ctx context.Context, path string) error {
	ctx = configured(ctx)
	held, err := r.find(ctx, path)
	if err == nil {
		err = held.Remove(ctx)
	}
	if missing(err) {
		return nil
	}
	if err == nil && r.folder != nil {
		err = r.folder.settle(path)
	}
	if err != nil {
		return r.fileFailure(ctx, "remove", path, err)
	}
	return nil
}

// List gives the paths of all files below a folder, sorted, with those that a
// killed run left behind. "." is the whole remote; a folder that is not there
// has none.
func (r *Remote) List(ctx context.Context, folder string) ([]string, error) {
	ctx = configured(ctx)
	err := r.reach(folder)
	if folder == "." {
		folder = ""
	}
	var paths []string
	if err == nil {
		err = walk.ListR(ctx, r.fs, folder, true, -1, walk.ListObjects, func(entries fs.DirEntries) error {
			for _, entry := range entries {
				paths = append(paths, entry.Remote())
			}
			return nil
		})
	}
	if err != nil && !missing(err) {
		return nil, r.failure(ctx, "list", folder, err)
	}
	slices.Sort(paths)
	return paths, nil
}
