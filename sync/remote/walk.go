package remote

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/hash"
	"github.com/rclone/rclone/fs/walk"
)

// Walk hands every file below a folder to visit, until it fails: its path, its
// size in bytes, and its MD5 where the remote tells it with the listing, else
// nothing. "." is the whole remote; a folder that is not there has none. The
// order is the remote's. visit is never called at once.
//
// A store's listing passes by page by page, that of a file server folder by
// folder, so that it takes the same memory however many there are.
//
// Errors: those of visit, and that the remote could not be asked; a folder of
// this machine that is missing is one.
func (r *Remote) Walk(ctx context.Context, folder string, visit func(path string, size int64, md5 string) error) error {
	ctx = configured(ctx)
	l, err := r.reach(ctx, folder)
	if folder == "." {
		folder = ""
	}
	var one sync.Mutex // rclone lists several folders at once
	var stopped error
	if err == nil {
		tells := l.md5 && !l.fs.Features().SlowHash
		err = walk.ListR(ctx, l.fs, folder, true, -1, walk.ListObjects, func(entries fs.DirEntries) error {
			one.Lock()
			defer one.Unlock()
			for _, entry := range entries {
				file, ok := entry.(fs.Object)
				if !ok || stopped != nil {
					continue
				}
				sum := ""
				if tells {
					var err error
					if sum, err = file.Hash(ctx, hash.MD5); err != nil {
						return err
					}
				}
				stopped = visit(file.Remote(), file.Size(), sum)
			}
			return stopped
		})
	}
	if stopped != nil {
		return stopped
	}
	if r.folder == nil && (err == nil || missing(err)) {
		err = r.present(ctx, l) // it may have been something else that had nothing
	}
	if err != nil && !missing(err) {
		r.hangUp(ctx, l, err)
		return r.failure(ctx, "list", cmp.Or(folder, "the top folder"), err)
	}
	return nil
}

// List gives the paths of all files below a folder, sorted, with those that a
// killed run left behind. It is for small folders; Walk is for others. Errors:
// those of Walk.
func (r *Remote) List(ctx context.Context, folder string) ([]string, error) {
	var paths []string
	err := r.Walk(ctx, folder, func(path string, _ int64, _ string) error {
		paths = append(paths, path)
		return nil
	})
	slices.Sort(paths)
	return paths, err
}
