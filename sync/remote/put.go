package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"crypto/rand"
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
	"github.com/rclone/rclone/fs/asyncreader"
	"github.com/rclone/rclone/fs/hash"

	"footbridge/core"
)

// Put streams an object to its path and returns once the remote has it, which is
// asked for the hash of what it has, or for the size where it tells none; in a
// folder of this machine it is then durable. Metadata goes with it where the
// remote can hold any: as user.* attributes in a folder, as object metadata in
// a store, keys in lower case. What the remote holds already, by size, MD5 and
// metadata, is not sent again, so Put may be repeated. A Put that fails leaves
// what was at the path where the remote can rename. A place that is missing is
// not made.
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
	l, err := r.reach(ctx, obj.Path)
	if err != nil {
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
	if obj.Size >= largeFrom {
		select {
		case r.large <- struct{}{}:
			defer func() { <-r.large }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var meta fs.Metadata
	if r.labelled(l) {
		meta = l.labels.fit(obj.Metadata)
	}
	held, err := r.holds(ctx, l, obj, meta)
	if err != nil {
		r.hangUp(ctx, l, err)
		return err
	}
	switch {
	case !held:
		err = r.send(ctx, l, obj, meta)
		if refused := (*xattr.Error)(nil); errors.As(err, &refused) {
			err = r.send(ctx, l, obj, nil) // the bytes matter more than their attributes
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
func (r *Remote) reach(ctx context.Context, path string) (*line, error) {
	if !iofs.ValidPath(path) {
		return nil, errors.New("this is no path within the repository")
	}
	if r.folder != nil {
		return r.opened, r.folder.present()
	}
	return r.line(ctx)
}

// holds reports whether the remote has the object as it would be sent.
func (r *Remote) holds(ctx context.Context, l *line, obj core.Object, meta fs.Metadata) (bool, error) {
	if l.seen != nil {
		if may, err := l.seen.may(ctx, l, obj.Path); err != nil || !may {
			return false, err
		}
	}
	held, err := r.object(ctx, l, obj.Path)
	if errors.Is(err, fs.ErrorObjectNotFound) || errors.Is(err, fs.ErrorDirNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if held.Size() != obj.Size {
		return false, nil
	}
	if same, err := r.labelledAs(ctx, l, held, meta); err != nil || !same {
		return false, err
	}
	sum, err := l.sum(ctx, held)
	return sum == obj.MD5, err
}

// labelledAs reports whether a file bears metadata as it would be sent.
func (r *Remote) labelledAs(ctx context.Context, l *line, held fs.Object, meta fs.Metadata) (bool, error) {
	if !r.labelled(l) {
		return true, nil
	}
	found, err := fs.GetMetadata(ctx, held)
	if err != nil {
		return false, err
	}
	return maps.Equal(l.labels.user(found), meta), nil
}

// send writes the object under a partial name, compares the hash of what was
// written, and only then gives it its name. Where a remote shows a file at once
// when it is complete, there is no partial name.
func (r *Remote) send(ctx context.Context, l *line, obj core.Object, meta fs.Metadata) error {
	name := obj.Path
	if r.kind.staged {
		name = partial(obj.Path)
	}
	src := &source{object: obj, name: name, meta: meta, types: l.checks()}
	sent, err := r.transfer(ctx, l, src)
	if err == nil {
		err = r.compare(ctx, l, src, sent)
	}
	if err == nil && r.folder != nil {
		err = r.folder.syncFile(name)
	}
	if err == nil && r.kind.staged {
		sent, err = l.fs.Features().Move(unlabelled(ctx), sent, obj.Path)
	}
	if err == nil && sent.Size() != obj.Size {
		err = fmt.Errorf("it has %d bytes instead of %d after it was sent: %w", sent.Size(), obj.Size, core.ErrDigestMismatch)
	}
	if err == nil {
		return r.sent(ctx, l, obj, sent, meta)
	}
	if broken := src.broken.Load(); broken != nil {
		err = *broken // closer to the cause than what the backend makes of it
	} else {
		err = cmp.Or(r.suspect(ctx, l, err), err)
		r.hangUp(ctx, l, err)
	}
	if r.kind.staged {
		r.discard(ctx, l, name)
	} else if damaged(err) && sent != nil {
		_ = sent.Remove(ctx) // nobody may take it for what was put
	}
	return err
}

// suspect gives a better reason where the remote does not have what it was just
// given: perhaps it never was the remote that answered. What a store refuses to let be
// looked at, it refuses without a word, but not what is listed.
func (r *Remote) suspect(ctx context.Context, l *line, err error) error {
	if status := statusOf(err); r.kind.buckets && (status == 400 || status == 403) && wordless(err) {
		return r.present(ctx, l)
	}
	if r.folder != nil || !damaged(err) && !missing(err) {
		return nil
	}
	return r.impostor(ctx, l)
}

// transfer hands the bytes to the backend, reading ahead where there are many.
func (r *Remote) transfer(ctx context.Context, l *line, src *source) (fs.Object, error) {
	in, err := src.Open(ctx)
	if err != nil {
		return nil, err
	}
	if src.object.Size >= 2*asyncreader.BufferSize {
		ahead, err := asyncreader.New(ctx, in, readAhead)
		if err != nil {
			in.Close()
			return nil, err
		}
		in = ahead
	}
	var options []fs.OpenOption
	if l.md5 {
		options = append(options, &fs.HashesOption{Hashes: hash.NewHashSet(hash.MD5)})
	}
	sent, err := l.fs.Put(ctx, in, src, options...)
	return sent, errors.Join(err, in.Close())
}

// readAhead is how many MiB of a large file are read before they are wanted.
const readAhead = 4

// sent notes what the remote confirmed.
func (r *Remote) sent(ctx context.Context, l *line, obj core.Object, sent fs.Object, meta fs.Metadata) error {
	if r.folder != nil {
		return nil
	}
	if len(meta) > 0 {
		same, err := r.labelledAs(ctx, l, sent, meta)
		if err != nil {
			return err
		}
		if !same {
			l.strip()
		}
		l.tried.Store(true)
	}
	r.recent.add(obj.Path, obj.Digest)
	return nil
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

// nowhere is a path at which there is nothing.
func nowhere() string { return partialsFolder + "/" + rand.Text() }

// discard removes what a failed transfer left. If it cannot, the next Put will.
func (r *Remote) discard(ctx context.Context, l *line, name string) {
	if r.folder != nil {
		_ = os.Remove(r.folder.place(name))
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if left, err := l.fs.NewObject(ctx, name); err == nil {
		_ = left.Remove(ctx)
	}
}
