package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"footbridge/core"
	"footbridge/core/crash"
)

const (
	tempPrefix = ".landing-"
	chunkSize  = 512 << 10
)

// Dir is a folder of bodies.
type Dir struct {
	path string
	sync func(*os.File) error
}

// Open opens the folder, makes it where it is missing, and sweeps away what
// dead writers left. sync makes a file durable; nil means (*os.File).Sync.
func Open(path string, sync func(*os.File) error) (*Dir, error) {
	if sync == nil {
		sync = (*os.File).Sync
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("open blobs: %w", err)
	}
	left, err := filepath.Glob(filepath.Join(path, tempPrefix+"*"))
	if err != nil {
		return nil, fmt.Errorf("open blobs: %w", err)
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("sweep blobs: %w", err)
		}
	}
	return &Dir{path: path, sync: sync}, nil
}

// Landing is a body that is durable under a temporary name.
type Landing struct {
	dir    *Dir
	temp   string
	digest core.Digest
}

// Land streams r to disk until its end and makes it durable under a temporary
// name. Errors: those of r, ErrNoSpace.
func (d *Dir) Land(ctx context.Context, r io.Reader) (*Landing, error) {
	f, err := os.CreateTemp(d.path, tempPrefix)
	if err != nil {
		return nil, diskError("open a file", err)
	}
	l := &Landing{dir: d, temp: f.Name()}
	hasher := NewHasher()
	if err := d.fill(ctx, f, r, hasher); err != nil {
		hasher.Stop()
		f.Close()
		l.Discard()
		return nil, err
	}
	l.digest = hasher.Digest()
	return l, nil
}

func (d *Dir) fill(ctx context.Context, f *os.File, r io.Reader, hasher *Hasher) error {
	buffers := [2][]byte{make([]byte, chunkSize), make([]byte, chunkSize)} // one is read into while the other is hashed
	for i := 0; ; i ^= 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, readErr := readUntilFull(r, buffers[i])
		hasher.Add(buffers[i][:n])
		if _, err := f.Write(buffers[i][:n]); err != nil {
			return diskError("write", err)
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			return readErr
		}
	}
	crash.Point("blob.written")
	if err := d.sync(f); err != nil {
		return diskError("sync", err)
	}
	crash.Point("blob.synced")
	if err := f.Close(); err != nil {
		return diskError("close", err)
	}
	return nil
}

// readUntilFull reads until buf is full or r ends. Unlike io.ReadFull it leaves
// r's own io.ErrUnexpectedEOF, a connection that broke, distinct from r's end.
func readUntilFull(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

// Digest identifies the body.
func (l *Landing) Digest() core.Digest { return l.digest }

// Keep gives the body its final name, durably. name must be new.
func (l *Landing) Keep(name string) error {
	if err := os.Rename(l.temp, l.dir.file(name)); err != nil {
		return diskError("rename", err)
	}
	l.temp = ""
	crash.Point("blob.renamed")
	folder, err := os.Open(l.dir.path)
	if err != nil {
		return diskError("open the folder", err)
	}
	defer folder.Close()
	if err := l.dir.sync(folder); err != nil {
		return diskError("sync the folder", err)
	}
	crash.Point("blob.kept")
	return nil
}

// Discard forgets the body unless it was kept. It is idempotent.
func (l *Landing) Discard() {
	if l.temp != "" {
		os.Remove(l.temp) // what stays is swept at the next Open
		l.temp = ""
	}
}

// Open opens a kept body. The caller closes it. Errors: core.ErrNotFound.
func (d *Dir) Open(name string) (io.ReadCloser, error) {
	f, err := os.Open(d.file(name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open blob %s: %w", name, core.ErrNotFound)
	}
	if err != nil {
		return nil, diskError("open blob "+name, err)
	}
	return f, nil
}

// Remove removes a kept body. Removing one that is gone is no error.
func (d *Dir) Remove(name string) error {
	if err := os.Remove(d.file(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return diskError("remove blob "+name, err)
	}
	return nil
}

func (d *Dir) file(name string) string { return filepath.Join(d.path, name) }

// diskError says what could not be done to a body; a full disk is ErrNoSpace.
func diskError(what string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "not enough space on the disk") {
		return fmt.Errorf("%s: %w", what, core.ErrNoSpace)
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", what, err)
}
