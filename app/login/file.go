//go:build !windows

package login

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// on reads the entry.
func (s Start) on() (bool, error) {
	path, err := place()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read what starts at login: %w", err)
	}
	return s.means(string(text)), nil
}

// write makes the entry, whole or not at all.
func (s Start) write() error {
	text, err := s.entry()
	if err != nil {
		return err
	}
	path, err := place()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("have it started at login: %w", err)
	}
	temporary := path + ".new"
	if err = os.WriteFile(temporary, []byte(text), 0o600); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("have it started at login: %w", err)
	}
	return nil
}

// remove takes the entry away.
func (s Start) remove() error {
	path, err := place()
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("have nothing started at login: %w", err)
	}
	return nil
}
