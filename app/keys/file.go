package keys

import (
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile makes a file of mode 0600 appear under its name, whole and durable.
func WriteFile(name string, text []byte) error {
	dir := filepath.Dir(name)
	f, err := os.CreateTemp(dir, ".new-") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already once renamed
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // there a folder cannot be synced, nor need it be
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
