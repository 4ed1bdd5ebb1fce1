package main

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"footbridge/core"
	"footbridge/sync/remote"
)

// repository is the remote that the settings name, opened when it is first
// needed, so that one that cannot be opened holds nothing else up. Safe for
// concurrent use.
type repository struct {
	spec       string
	configFile string

	mu     sync.Mutex
	remote *remote.Remote
}

// newRepository names a remote; a relative folder lies in the home.
func newRepository(home, spec string) *repository {
	if path, ok := strings.CutPrefix(spec, "folder:"); ok && !filepath.IsAbs(path) {
		spec = "folder:" + filepath.Join(home, path)
	}
	return &repository{spec: spec, configFile: filepath.Join(home, "rclone.conf")}
}

func (r *repository) open(ctx context.Context) (*remote.Remote, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.remote != nil {
		return r.remote, nil
	}
	opened, err := remote.Open(ctx, r.spec, r.configFile)
	if err != nil {
		return nil, err
	}
	r.remote = opened
	return opened, nil
}

// Put puts an object at its path (push.Files).
func (r *repository) Put(ctx context.Context, o core.Object) error {
	to, err := r.open(ctx)
	if err != nil {
		return err
	}
	return to.Put(ctx, o)
}

// PutBytes puts a small file at a path (push.Files).
func (r *repository) PutBytes(ctx context.Context, path string, data []byte, contentType string) error {
	to, err := r.open(ctx)
	if err != nil {
		return err
	}
	return to.PutBytes(ctx, path, data, contentType)
}

// Verify asks the remote (push.Files).
func (r *repository) Verify(ctx context.Context, path string, want core.Digest) error {
	from, err := r.open(ctx)
	if err != nil {
		return err
	}
	return from.Verify(ctx, path, want)
}
