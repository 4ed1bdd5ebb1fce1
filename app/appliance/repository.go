package appliance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/sync/remote"
)

// repository is the remote that the settings name, opened when it is first
// needed, and again when the settings name another or rclone.conf was changed, so
// that one that cannot be opened holds nothing else up. Safe for concurrent use.
type repository struct {
	home string
	spec func() string // of the settings

	mu     sync.Mutex
	opened string // the spec of remote, and the rclone.conf that it was opened by
	remote *remote.Remote
}

func (r *repository) open(ctx context.Context) (*remote.Remote, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	spec := r.spec()
	by := spec + "\n" + r.configured()
	if r.remote != nil && r.opened == by {
		return r.remote, nil
	}
	opened, err := r.named(ctx, spec)
	if err != nil {
		return nil, err
	}
	r.remote, r.opened = opened, by
	return opened, nil
}

// configured tells one rclone.conf from another.
func (r *repository) configured() string {
	info, err := os.Stat(filepath.Join(r.home, "rclone.conf"))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// named gives the remote that a spec names.
func (r *repository) named(ctx context.Context, spec string) (*remote.Remote, error) {
	if path, ok := strings.CutPrefix(spec, "folder:"); ok && !filepath.IsAbs(path) {
		spec = "folder:" + filepath.Join(r.home, path) // a relative folder lies in the home
	}
	return remote.Open(ctx, spec, filepath.Join(r.home, "rclone.conf"))
}

// make makes the repository's root where it is missing.
func (r *repository) make(ctx context.Context) error {
	to, err := r.open(ctx)
	if err != nil {
		return err
	}
	return to.Make(ctx)
}

// exists reports whether an object is at a path.
func (r *repository) exists(ctx context.Context, path string) (bool, error) {
	from, err := r.open(ctx)
	if err != nil {
		return false, err
	}
	return from.Exists(ctx, path)
}

// PutBytes puts a small file at a path.
func (r *repository) PutBytes(ctx context.Context, path string, data []byte, contentType string) error {
	to, err := r.open(ctx)
	if err != nil {
		return err
	}
	return to.PutBytes(ctx, path, data, contentType)
}

// projects is the repository as the pusher may use it: each destination's
// project stands when anything is put into it. Safe for concurrent
// use.
type projects struct {
	*repository
	stands func(context.Context, core.DestinationID) error

	mu   sync.Mutex
	seen map[standing]time.Time // when a project was last seen to stand
}

// standing is a project in one repository.
type standing struct {
	remote *remote.Remote
	root   string
}

// keepSeen is how long a project on another machine is taken to stand. A folder
// of this one is looked at each time: its disk may be pulled out.
const keepSeen = 5 * time.Second

func (p *projects) check(ctx context.Context, path string) error {
	root, _, _ := strings.Cut(path, "/")
	to, err := p.open(ctx)
	if err != nil {
		return err
	}
	if to.Local() {
		return p.stands(ctx, core.DestinationID(root))
	}
	p.mu.Lock()
	last := p.seen[standing{to, root}]
	p.mu.Unlock()
	if time.Since(last) < keepSeen {
		return nil
	}
	if err := p.stands(ctx, core.DestinationID(root)); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil || len(p.seen) > 1000 {
		p.seen = map[standing]time.Time{}
	}
	p.seen[standing{to, root}] = time.Now()
	return nil
}

// Put puts an object at its path.
func (p *projects) Put(ctx context.Context, o core.Object) error {
	if err := p.check(ctx, o.Path); err != nil {
		return err
	}
	to, err := p.open(ctx)
	if err != nil {
		return err
	}
	return to.Put(ctx, o)
}

// PutBytes puts a small file at a path.
func (p *projects) PutBytes(ctx context.Context, path string, data []byte, contentType string) error {
	if err := p.check(ctx, path); err != nil {
		return err
	}
	return p.repository.PutBytes(ctx, path, data, contentType)
}

// Verify asks the remote.
func (p *projects) Verify(ctx context.Context, path string, want core.Digest) error {
	if err := p.check(ctx, path); err != nil {
		return err
	}
	from, err := p.open(ctx)
	if err != nil {
		return err
	}
	return from.Verify(ctx, path, want)
}
