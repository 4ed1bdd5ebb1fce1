package remote

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"maps"
	"os"
	"time"

	"github.com/pkg/xattr"
	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/hash"
	"github.com/rclone/rclone/fs/operations"

	"footbridge/core"
)

// Put streams an object to its path and returns once the remote has it; in a
// folder of this machine it is then durable. Metadata goes with it where the
// remote can hold any: as user.* attributes in a folder, keys in lower case.
// What the remote holds already, by size, MD5 and metadata, is not sent again,
// so Put may be repeated. A Put that fails leaves what was at the path. A
// folder that is missing is not made.
//
// Errors: core.ErrDigestMismatch if the bytes are not those of obj.Digest,
// core.ErrNoSpace, os.ErrPermission, those of ctx, those of obj.Open, and
// whatever the remote says.
func (r *Remote) Put(ctx context.Context, obj core.Object) error {
	ctx = configured(ctx)
	if err := r.put(ctx, obj); err != nil {
		return r.fileFailure(ctx, "put", obj.Path, err)
	}
	return nil
}

// PutBytes puts a small generated file. It is as Put otherwise.
func (r *Remote) PutBytes(ctx context.Context, path string, data []byte, contentType string) error {
	sum := md5.Sum(data)
	return r.Put(ctx, core.Object{
		Path:        path,
		Digest:      core.Digest{Size: int64(len(data)), MD5: hex.EncodeToString(sum[:])},
		ContentType: contentType,
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		},
	})
}

func (r *Remote) put(ctx context.Context, obj core.Object) error {
	if err := r.reach(obj.Path); err != nil {
		return err
	}
	if obj.ModTime.IsZero() {
		obj.ModTime = time.Now()
	}
	if r.folder != nil {
		if err := r.folder.prepare(obj.Path, partial(obj.Path)); err != nil {
			return err
		}
	}
	var meta fs.Metadata
	if r.labelled() {
		meta = r.labels.fit(obj.Metadata)
	}
	held, err := r.holds(ctx, obj, meta)
	if err != nil {
		return err
	}
	switch {
	case !held:
		err = r.send(ctx, obj, meta)
		if refused := (*xattr.Error)(nil); errors.As(err, &refused) {
			err = r.send(ctx, obj, nil) // the bytes matter more than their attributes
		}
	case r.folder != nil: // perhaps by a run that was killed before it synced
		err = r.folder.syncFile(obj.Path)
	}
	if err == nil && r.folder != nil {
		err = r.folder.settle(obj.Path)
	}
	return err
}

// reach says what is wrong with a path, or with the place it is in.
func (r *Remote) reach(path string) error {
	if !iofs.ValidPath(path) {
		return errors.New("this is no path within the repository")
	}
	if r.folder != nil {
		return r.folder.present()
	}
	return nil
}

// holds reports whether the remote has the object as it would be sent.
func (r *Remote) holds(ctx context.Context, obj core.Object, meta fs.Metadata) (bool, error) {
	held, err := r.fs.NewObject(ctx, obj.Path)
	if errors.Is(err, fs.ErrorObjectNotFound) || errors.Is(err, fs.ErrorDirNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !r.md5 || held.Size() != obj.Size {
		return false, nil
	}
	if r.labelled() {
		labels, err := fs.GetMetadata(ctx, held)
		if err != nil {
			return false, err
		}
		if !maps.Equal(r.labels.user(labels), meta) {
			return false, nil
		}
	}
	sum, err := held.Hash(ctx, hash.MD5)
	return sum == obj.MD5, err
}

// send writes the object under a partial name, has rclone compare the hash of
// what was written, and only then gives it its name. Where a remote shows a
// file at once when it is complete, there is no partial name.
func (r *Remote) send(ctx context.Context, obj core.Object, meta fs.Metadata) error {
	name := obj.Path
	if r.staged {
		name = partial(obj.Path)
	}
	src := &source{object: obj, name: name, meta: meta, check: !r.md5}
	sent, err := operations.Copy(ctx, r.fs, nil, name, src)
	if err == nil && r.folder != nil {
		err = r.folder.syncFile(name)
	}
	if err == nil && r.staged {
		_, err = r.fs.Features().Move(unlabelled(ctx), sent, obj.Path)
	}
	if err == nil {
		return nil
	}
	if r.staged {
		r.discard(ctx, name)
	}
	if broken := src.broken.Load(); broken != nil {
		return *broken // closer to the cause than what rclone makes of it
	}
	return err
}

// partialsFolder holds files while they are being written, so that whoever looks
// into a project sees whole ones only.
const partialsFolder = ".partial"

// partial is the name of a file while it is being written: always the same
// one for a path, so that the next run overwrites what a killed one left.
func partial(file string) string {
	sum := sha256.Sum256([]byte(file))
	return fmt.Sprintf("%s/%x.partial", partialsFolder, sum[:16])
}

// discard removes what a failed transfer left. If it cannot, the next Put will.
func (r *Remote) discard(ctx context.Context, name string) {
	if r.folder != nil {
		_ = os.Remove(r.folder.place(name))
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if left, err := r.fs.NewObject(ctx, name); err == nil {
		_ = left.Remove(ctx)
	}
}
