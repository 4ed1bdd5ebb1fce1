package folders

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"footbridge/sync/remote"
)

// Root is the folder or remote that the settings name, opened when it is first needed,
// and again when the settings name another or rclone.conf was changed, so that one
// that cannot be opened holds nothing else up. Safe for concurrent use.
type Root struct {
	home string
	spec func() string

	mu     sync.Mutex
	opened string // the spec of remote, and the rclone.conf that it was opened by
	remote *remote.Remote
}

// NewRoot makes a root of a home. spec is that of the settings.
func NewRoot(home string, spec func() string) *Root { return &Root{home: home, spec: spec} }

// Spec is how the settings name it.
func (r *Root) Spec() string { return r.spec() }

// Open gives the remote, which may be away.
func (r *Root) Open(ctx context.Context) (*remote.Remote, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	spec := r.spec()
	by := spec + "\n" + r.Configured()
	if r.remote != nil && r.opened == by {
		return r.remote, nil
	}
	opened, err := r.Named(ctx, spec)
	if err != nil {
		return nil, err
	}
	r.remote, r.opened = opened, by
	return opened, nil
}

// Configured tells one rclone.conf from another.
func (r *Root) Configured() string {
	info, err := os.Stat(filepath.Join(r.home, "rclone.conf"))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// Lies tells where the folder lies that the settings name; empty where it is not there,
// or is no folder of this machine.
func (r *Root) Lies() string {
	path := r.Folder()
	if info, err := os.Stat(path); path == "" || err != nil || !info.IsDir() {
		return ""
	}
	return path
}

// Folder is the folder that the settings name, there or not; empty where that is none of
// this machine.
func (r *Root) Folder() string {
	path, ok := strings.CutPrefix(r.local(r.spec()), "folder:")
	if !ok {
		return ""
	}
	return path
}

// local gives a spec as it is from anywhere: a relative folder lies in the home.
func (r *Root) local(spec string) string {
	if path, ok := strings.CutPrefix(spec, "folder:"); ok && !filepath.IsAbs(path) {
		return "folder:" + filepath.Join(r.home, path)
	}
	return spec
}

// Named gives the remote that any spec names.
func (r *Root) Named(ctx context.Context, spec string) (*remote.Remote, error) {
	return remote.Open(ctx, r.local(spec), filepath.Join(r.home, "rclone.conf"))
}
