package remote

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
	"github.com/rclone/rclone/fs/hash"
)

// The rules here are: nothing is asked of a remote before it is needed, so that
// settings can be read without a connection; and a line on which anything broke
// is not used again, since rclone remembers how long it was told to wait.

// line is a remote that was reached.
type line struct {
	fs     fs.Fs
	labels labels
	md5    bool      // the remote tells the MD5 of what it holds
	native hash.Type // what it tells instead; hash.None for nothing
	seen   *seen     // nil for a folder of this machine

	tried    atomic.Bool // it was seen whether the remote keeps metadata
	stripped atomic.Bool // the remote dropped metadata that it was given
}

// dial reaches the remote.
func (r *Remote) dial(ctx context.Context) (*line, error) {
	options := configmap.New()
	options.AddGetter(&r.learned, configmap.PriorityNormal)
	options.AddSetter(&r.learned)
	options.AddGetter(r.kind.options(r.options), configmap.PriorityNormal)
	options.AddGetter(defaults{r.info}, configmap.PriorityDefault)
	root := r.path
	if r.kind.buckets && root != "" {
		root += "/" // or it would be asked whether this is a file
	}
	// It keeps the context for as long as it is used.
	opened, err := r.info.NewFs(context.WithoutCancel(ctx), r.name, root, options)
	if errors.Is(err, fs.ErrorIsFile) {
		return nil, &trouble{NotFolder, errors.New("it is a file, not a folder")}
	}
	if err != nil {
		return nil, err
	}
	features, hashes := opened.Features(), opened.Hashes()
	l := &line{fs: opened, md5: hashes.Contains(hash.MD5)}
	if !l.md5 {
		l.native = hashes.GetOne()
	}
	l.labels = labels{
		held:     features.ReadMetadata && features.WriteMetadata && features.UserMetadata && r.kind.limits.text > 0,
		reserved: reserved(r.info),
		limits:   r.kind.limits,
	}
	if r.folder == nil {
		l.seen = newSeen()
	}
	return l, nil
}

// line gives the open line, or opens one to a place that is there.
func (r *Remote) line(ctx context.Context) (*line, error) {
	select {
	case r.dialling <- struct{}{}:
		defer func() { <-r.dialling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r.opened != nil {
		return r.opened, nil
	}
	l, err := r.dial(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.present(ctx, l); err != nil {
		l.close(ctx)
		return nil, err
	}
	r.opened = l
	return l, nil
}

// present says what is wrong unless the place is there.
func (r *Remote) present(ctx context.Context, l *line) error {
	if r.info.Name == "webdav" {
		// A page for people may pass for an answer without any entry, but not for
		// one that tells of a folder.
		if _, err := l.fs.NewObject(ctx, ""); errors.Is(err, fs.ErrorIsDir) {
			return nil
		}
	}
	err := l.look(ctx, "", func(fs.DirEntries) error { return errEnough })
	switch {
	case (err == nil || errors.Is(err, errEnough)) && r.info.Name == "webdav":
		return &trouble{Portal, errors.New("it does not know its own folder")}
	case err == nil || errors.Is(err, errEnough):
		return nil
	case errors.Is(err, fs.ErrorDirNotFound) && r.kind.buckets:
		return &trouble{NoBucket, err}
	case errors.Is(err, fs.ErrorDirNotFound):
		return &trouble{NoFolder, err}
	}
	return err
}

// find gives the file at path. Neither is a file missing because the place is,
// nor is it there because something else has whatever it is asked for.
func (r *Remote) find(ctx context.Context, l *line, path string) (fs.Object, error) {
	held, err := r.object(ctx, l, path)
	switch {
	case r.folder != nil && missing(err):
		if gone := r.folder.present(); gone != nil {
			return nil, gone
		}
	case r.folder != nil:
	case missing(err):
		if gone := r.present(ctx, l); gone != nil {
			return nil, gone
		}
	case err == nil && l.md5 && !l.fs.Features().SlowHash:
		if sum, err := l.told(ctx, held); sum != "" || err != nil {
			return held, err
		}
		if other := r.impostor(ctx, l); other != nil {
			return nil, other
		}
	}
	return held, err
}

// hangUp makes the next one dial anew, unless what went wrong has nothing to do
// with the line.
func (r *Remote) hangUp(ctx context.Context, l *line, err error) {
	if err == nil || r.folder != nil || missing(err) || damaged(err) {
		return
	}
	r.dialling <- struct{}{}
	defer func() { <-r.dialling }()
	if r.opened == l && l != nil {
		r.opened = nil
		l.close(ctx)
	}
}

// close ends the line; who still uses it finishes first.
func (l *line) close(ctx context.Context) {
	if end := l.fs.Features().Shutdown; end != nil {
		_ = end(context.WithoutCancel(ctx))
	}
}

// errEnough ends a listing.
var errEnough = errors.New("enough was listed")

// look lists a folder, a page at a time where the remote has pages.
func (l *line) look(ctx context.Context, folder string, page func(fs.DirEntries) error) error {
	if paged := l.fs.Features().ListP; paged != nil {
		return paged(ctx, folder, page)
	}
	entries, err := l.fs.List(ctx, folder)
	if err != nil {
		return err
	}
	return page(entries)
}

// labelled reports whether the remote holds user metadata.
func (r *Remote) labelled(l *line) bool {
	return l.labels.held && !l.stripped.Load() && (r.folder == nil || r.folder.labels())
}

// impostor says so where something else answers in the remote's place, such as
// the sign-in page of a network: it has whatever it is asked for.
func (r *Remote) impostor(ctx context.Context, l *line) error {
	_, err := r.object(ctx, l, nowhere())
	switch {
	case err == nil:
		return &trouble{Portal, errors.New("a file that cannot be there is there")}
	case errors.Is(err, fs.ErrorObjectNotFound) || errors.Is(err, fs.ErrorDirNotFound):
		return r.present(ctx, l)
	}
	return fmt.Errorf("ask for a file that cannot be there: %w", err)
}

// checks are the hashes that a source takes, where the remote tells no MD5.
func (l *line) checks() hash.Set {
	if l.md5 {
		return hash.NewHashSet()
	}
	checks := hash.NewHashSet(hash.MD5)
	if l.native != hash.None {
		checks.Add(l.native)
	}
	return checks
}

// strip notes that the remote does not keep metadata as it is given.
func (l *line) strip() { l.stripped.Store(true) }
