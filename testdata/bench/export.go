package main

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"

	"github.com/rclone/rclone/fs"
	rsync "github.com/rclone/rclone/fs/sync"
	"golang.org/x/sync/errgroup"
)

// exportTransfers is how many files are on their way at once, on both sides.
const exportTransfers = 4

// exportRounds is how often each side sends small files, and largeRounds a large
// one; its best time counts.
const (
	exportRounds = 5
	largeRounds  = 3
)

// exports sends files to an S3 server in this process, beside rclone's copy of
// the same files with the same concurrency. Footbridge's bear annotations and
// are verified. The small files are sent once more with their annotations in
// files of their own, which rclone copies, too.
func exports(p plan, _ string) error {
	root := filepath.Join(p.dir, "store")
	if err := os.MkdirAll(filepath.Join(root, remotetest.Place), 0o755); err != nil {
		return err
	}
	addr, stop, err := remotetest.Listen("s3", root, nil)
	if err != nil {
		return err
	}
	defer stop()
	spec := remotetest.Spec("s3", addr, remotetest.Key, remotetest.Place)
	small, err := batch(filepath.Join(p.dir, "small"), 1000, 64<<10)
	if err != nil {
		return err
	}
	large, err := batch(filepath.Join(p.dir, "one"), 1, p.large)
	if err != nil {
		return err
	}
	for i, row := range []struct {
		what    string
		files   files
		beside  bool
		per     float64
		unit    string
		atLeast float64
	}{
		{"1,000 × 64 KiB to S3, annotated; rclone copy", small, false, 1000, "/s", 0.9},
		{"… and annotations in files beside; rclone copy of all", small, true, 1000, "/s", 0.9},
		{"one large file to S3, annotated; rclone copy", large, false, float64(p.large) / 1e6, "MB/s", 0.95},
	} {
		if row.beside {
			if row.files, err = row.files.annotated(); err != nil {
				return err
			}
		}
		ours, theirs := time.Duration(1<<62), time.Duration(1<<62)
		rounds := exportRounds
		if len(row.files.digests) == 1 {
			rounds = largeRounds
		}
		for round := range rounds {
			folder := fmt.Sprintf("%d-%d", i, round) // never one that the server has seen go
			took, err := row.files.put(spec, "ours-"+folder, row.beside)
			if err != nil {
				return err
			}
			ours = min(ours, took)
			if took, err = row.files.copy(spec, "theirs-"+folder); err != nil {
				return err
			}
			theirs = min(theirs, took)
			for _, done := range []string{"ours-", "theirs-"} {
				if err := os.RemoveAll(filepath.Join(root, remotetest.Place, done+folder)); err != nil {
					return err
				}
			}
		}
		rowFine(row.what, row.per/ours.Seconds(), row.per/theirs.Seconds(), row.unit, row.atLeast)
	}
	return nil
}

// files are those of a folder.
type files struct {
	dir     string
	digests map[string]core.Digest // by name
}

// annotation is what stands beside each file.
const annotation = `{"clientInfo":"{\"appName\":\"Walk\"}","eventTimestamp":"2026-11-20T08:00:00.000Z","healthCode":"3b1d","participantVersion":3}`

// batch makes a number of files of a size.
func batch(dir string, count int, size int64) (files, error) {
	made := files{dir: dir, digests: map[string]core.Digest{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return made, err
	}
	for i := range count {
		name := fmt.Sprintf("%08d-walk.zip", i)
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return made, err
		}
		sum := md5.New()
		_, err = io.CopyN(io.MultiWriter(f, sum), rand.NewChaCha8([32]byte{byte(i), byte(i >> 8)}), size)
		if err := errors.Join(err, f.Close()); err != nil {
			return made, err
		}
		made.digests[name] = core.Digest{Size: size, MD5: hex.EncodeToString(sum.Sum(nil))}
	}
	return made, nil
}

// annotated adds the files with annotations, for rclone to copy.
func (f files) annotated() (files, error) {
	if err := os.MkdirAll(filepath.Join(f.dir, "annotations"), 0o700); err != nil {
		return f, err
	}
	for name := range f.digests {
		if err := os.WriteFile(filepath.Join(f.dir, "annotations", name+".json"), []byte(annotation), 0o600); err != nil {
			return f, err
		}
	}
	return f, nil
}

// put sends the files as an export does, and verifies each.
func (f files) put(spec, folder string, beside bool) (time.Duration, error) {
	maker, err := remote.Open(context.Background(), spec, "")
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"/project.json", "/raw-data/first", "/annotations/first"} {
		// One after the other: the server stumbles where two make a folder.
		if err := maker.PutBytes(context.Background(), folder+name, []byte("{}"), ""); err != nil {
			return 0, err
		}
	}
	to, err := remote.Open(context.Background(), spec, "")
	if err != nil {
		return 0, err
	}
	metadata := map[string]string{}
	for i := range 8 {
		metadata[fmt.Sprintf("key%d", i)] = "a value of the usual length"
	}
	since := time.Now()
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(exportTransfers)
	for name, digest := range f.digests {
		group.Go(func() error {
			path := folder + "/raw-data/" + name
			err := to.Put(ctx, core.Object{
				Path: path, Digest: digest, ContentType: "application/zip", Metadata: metadata,
				Open: func(context.Context) (io.ReadCloser, error) { return os.Open(filepath.Join(f.dir, name)) },
			})
			if err == nil {
				err = to.Verify(ctx, path, digest)
			}
			if err == nil && beside {
				err = to.PutBytes(ctx, folder+"/annotations/"+name+".json", []byte(annotation), "application/json")
			}
			return err
		})
	}
	err = group.Wait()
	return time.Since(since), err
}

// copy has rclone copy the files.
func (f files) copy(spec, folder string) (time.Duration, error) {
	ctx, config := fs.AddConfig(context.Background())
	config.Transfers, config.Checkers = exportTransfers, exportTransfers
	from, err := fs.NewFs(ctx, f.dir)
	if err != nil {
		return 0, err
	}
	to, err := fs.NewFs(ctx, strings.TrimPrefix(spec, "rclone:")+"/"+folder)
	if err != nil {
		return 0, err
	}
	since := time.Now()
	err = rsync.CopyDir(ctx, to, from, false)
	return time.Since(since), err
}
