package remote

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	"github.com/pkg/xattr"
	"github.com/rclone/rclone/lib/encoder"
)

// The rules here are: bytes are synced before their name appears, and the name
// before Put returns, with every folder above it that is new; only Make makes
// the root, so that nothing is put on another disk while its own is away.

// folder is a remote on this machine, beside what rclone knows of it.
type folder struct {
	root  string              // absolute
	spell func(string) string // gives a path as it is in the folder

	mu       sync.Mutex
	durable  map[string]bool // folders whose own name is synced, as are those above
	labelled *bool           // the file system holds extended attributes of users; nil until it was asked
}

func newFolder(root string) *folder {
	return &folder{root: root, spell: func(path string) string { return path }, durable: map[string]bool{}}
}

// make makes the root, durably, where it is missing.
func (f *folder) make() error {
	var made []string
	for dir := f.root; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		made = append(made, dir)
	}
	if err := os.MkdirAll(f.root, 0o700); err != nil {
		return f.wrong(err)
	}
	for _, dir := range made {
		if err := syncFolder(filepath.Dir(dir)); err != nil {
			return err
		}
	}
	return nil
}

// labels reports whether the file system holds extended attributes of users.
// It is asked once, and again when the folder was away: another disk may be
// there now.
func (f *folder) labels() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.labelled == nil {
		held := labelled(f.root)
		f.labelled = &held
	}
	return *f.labelled
}

// forget forgets what was known of the disk, since it is away.
func (f *folder) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.durable)
	f.labelled = nil
}

// labelled tries whether a folder takes an extended attribute. Where that
// fails for another reason, whoever writes there will hear of it.
func labelled(dir string) bool {
	const probe = "user.footbridge.probe"
	err := xattr.LSet(dir, probe, []byte("1"))
	if err == nil {
		_ = xattr.LRemove(dir, probe)
		return true
	}
	return xattr.XATTR_SUPPORTED && !errors.Is(err, syscall.ENOTSUP) && !errors.Is(err, syscall.EINVAL)
}

// place gives the file of a path, named as rclone names it by default.
func (f *folder) place(path string) string {
	return filepath.Join(f.root, filepath.FromSlash(encoder.OS.FromStandardPath(f.spell(path))))
}

// present says what is wrong unless the folder is there.
func (f *folder) present() error {
	info, err := os.Stat(f.root)
	if errors.Is(err, os.ErrNotExist) {
		f.forget()
		return &trouble{NoFolder, fmt.Errorf("the folder %s is not there; connect its disk, or make it", f.root)}
	}
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	return f.wrong(err)
}

// wrong sorts what is wrong with the root, or with a folder above it.
func (f *folder) wrong(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return &trouble{NotFolder, fmt.Errorf("%s is a file, or lies behind one, and no folder", f.root)}
	}
	return err
}

// prepare makes ready for writing path: nothing of an earlier run lies under
// its partial name, and folders that were taken away count as new.
func (f *folder) prepare(path, partial string) error {
	if err := os.Remove(f.place(partial)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Dir(f.place(path))); err != nil {
		f.mu.Lock()
		clear(f.durable)
		f.mu.Unlock()
	}
	return nil
}

// syncFile makes the bytes and attributes of a file durable.
func (f *folder) syncFile(path string) error {
	file, err := os.OpenFile(f.place(path), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = file.Sync()
	return errors.Join(err, file.Close())
}

// settle makes the name of a file durable.
func (f *folder) settle(path string) error {
	dir := filepath.Dir(f.place(path))
	if err := syncFolder(dir); err != nil {
		return err
	}
	for ; dir != f.root && !f.isDurable(dir); dir = filepath.Dir(dir) {
		if err := syncFolder(filepath.Dir(dir)); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for dir := filepath.Dir(f.place(path)); dir != f.root; dir = filepath.Dir(dir) {
		f.durable[dir] = true
	}
	return nil
}

func (f *folder) isDurable(dir string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.durable[dir]
}

// syncFolder makes the names in a folder durable, where the system can.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it has no such call, and needs none on NTFS
	}
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = file.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // a network or FUSE file system that has no such call
	}
	return errors.Join(err, file.Close())
}
