package folders

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/remote"
)

// Repository is a root as projects lie in it (push.Repository, reconcile.Repository).
// Safe for concurrent use.
type Repository struct {
	*Root
	stands func(context.Context, core.DestinationID) error

	mu   sync.Mutex
	seen map[standing]time.Time // when a project was last seen to stand
}

// standing is a project in one remote.
type standing struct {
	remote      *remote.Remote
	destination core.DestinationID
}

// New makes a repository of a root. stands makes sure that a destination's project
// does; it is asked before anything is done there.
func New(root *Root, stands func(context.Context, core.DestinationID) error) *Repository {
	return &Repository{Root: root, stands: stands, seen: map[standing]time.Time{}}
}

// Make makes a destination's project, of which file says what it is.
func (r *Repository) Make(ctx context.Context, d core.DestinationID, file []byte) error {
	to, err := r.Open(ctx)
	if err == nil {
		err = to.Make(ctx)
	}
	if err != nil {
		return fmt.Errorf("make the repository: %w", err)
	}
	if err := to.PutBytes(ctx, path.Join(string(d), export.ProjectPath), file, "application/json"); err != nil {
		return fmt.Errorf("make the project: %w", err)
	}
	return nil
}

// Holds reports whether a destination's project is there.
func (r *Repository) Holds(ctx context.Context, d core.DestinationID) (bool, error) {
	from, err := r.Open(ctx)
	if err != nil {
		return false, err
	}
	return from.Exists(ctx, path.Join(string(d), export.ProjectPath))
}

// keepSeen is how long a project on another machine is taken to stand. A folder
// of this one is looked at each time: its disk may be pulled out.
const keepSeen = 5 * time.Second

// of gives the remote once the destination's project is seen to stand there.
func (r *Repository) of(ctx context.Context, d core.DestinationID) (*remote.Remote, error) {
	to, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	project := standing{to, d}
	r.mu.Lock()
	last := r.seen[project]
	r.mu.Unlock()
	if !to.Local() && time.Since(last) < keepSeen {
		return to, nil
	}
	if err := r.stands(ctx, d); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.seen) > 1000 {
		clear(r.seen)
	}
	r.seen[project] = time.Now()
	return to, nil
}

// Put puts an object at its path. There is no receipt: the path says all.
func (r *Repository) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	to, err := r.of(ctx, d.ID)
	if err != nil {
		return "", err
	}
	o.Path = path.Join(string(d.ID), o.Path)
	return "", to.Put(ctx, o)
}

// Verify asks the remote.
func (r *Repository) Verify(ctx context.Context, d core.Destination, o core.Object, _ string) error {
	from, err := r.of(ctx, d.ID)
	if err != nil {
		return err
	}
	return from.Verify(ctx, path.Join(string(d.ID), o.Path), o.Digest)
}

// Describe writes the object's metadata beside it, where it has a place for that.
func (r *Repository) Describe(ctx context.Context, d core.Destination, o core.Object, _ string) (string, error) {
	if o.Notes == "" {
		return "", nil
	}
	text, err := export.Annotations(o.Metadata).JSON()
	if err != nil {
		return "", err
	}
	return "", r.put(ctx, d, o.Notes, text, "application/json")
}

// put puts a small file at a path.
func (r *Repository) put(ctx context.Context, d core.Destination, at string, text []byte, contentType string) error {
	to, err := r.of(ctx, d.ID)
	if err != nil {
		return err
	}
	return to.PutBytes(ctx, path.Join(string(d.ID), at), text, contentType)
}

// Remove takes an object out, and what is said of it beside it. One that is not there
// is removed already.
func (r *Repository) Remove(ctx context.Context, d core.Destination, o core.Object) error {
	from, err := r.of(ctx, d.ID)
	if err != nil {
		return err
	}
	for _, at := range []string{o.Notes, o.Path} {
		if at == "" {
			continue
		}
		if err := from.Remove(ctx, path.Join(string(d.ID), at)); err != nil && !errors.Is(err, core.ErrNotFound) {
			return err
		}
	}
	return nil
}
