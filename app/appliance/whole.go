package appliance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// The rules here are: the home is made beside its place and put there by one renaming,
// so that whoever is interrupted finds either all of it or nothing; and nothing that
// somebody put there before is lost.

// Secrets are what a repository is reached by and settings do not hold.
type Secrets struct {
	Rclone []byte // an rclone.conf; nil: none
	Token  string // of Synapse; empty: none
}

// keep writes the secrets into a home, for its owner alone. An rclone.conf that is there
// stays, with what comes behind it.
func (s Secrets) keep(home string) error {
	if s.Rclone != nil {
		name := filepath.Join(home, rcloneFile)
		known, err := os.ReadFile(name)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.WriteFile(name, append(append(known, '\n'), s.Rclone...), 0o600)
		}
		if err != nil {
			return fmt.Errorf("keep rclone.conf: %w", err)
		}
	}
	if s.Token == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(home, "keys"), 0o700); err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	if err := os.WriteFile(filepath.Join(home, "keys", "repository.token"), []byte(s.Token+"\n"), 0o600); err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	return nil
}

const rcloneFile = "rclone.conf"

// MakeWhole makes a home as Make does, with secrets, but wholly or not at all: nothing
// is left of one that could not be made, or whose making was interrupted. Where the
// repository is away the home is made, and Made says so. Errors: ErrRunning,
// ErrOccupied.
func MakeWhole(ctx context.Context, home string, p Plan, secrets Secrets) (Made, error) {
	if err := Free(home); err != nil {
		return Made{}, err
	}
	scratch, leave, err := scratchOf(home)
	if err != nil {
		return Made{}, err
	}
	defer leave()
	if err := carry(home, scratch); err != nil {
		return Made{}, err
	}
	if err := secrets.keep(scratch); err != nil {
		return Made{}, err
	}
	made, err := Make(ctx, scratch, p)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Made{}, err
	}
	return made, settle(scratch, home)
}

// ErrOccupied says that there is something else where the home is to be.
var ErrOccupied = errors.New("there are other files in that folder; choose an empty one with --home")

// Free is nil where a home can be made: there is nothing yet, or an rclone.conf alone.
// Errors: ErrOccupied.
func Free(home string) error {
	files, err := os.ReadDir(home)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look into the home folder: %w", err)
	}
	for _, file := range files {
		if file.Name() != rcloneFile {
			return fmt.Errorf("make a home in %s: %w", home, ErrOccupied)
		}
	}
	return nil
}

// scratchOf gives an empty folder beside the home, and what removes it. What another
// making left there, which was ended by force, is removed. Errors: ErrRunning, where
// another making is under way.
func scratchOf(home string) (dir string, leave func(), err error) {
	if err := os.MkdirAll(filepath.Dir(home), 0o700); err != nil {
		return "", nil, fmt.Errorf("make the home folder: %w", err)
	}
	dir = home + ".making"
	held := flock.New(dir+".lock", flock.SetPermissions(0o600))
	if locked, err := held.TryLock(); err != nil || !locked {
		return "", nil, errors.Join(ErrRunning, err)
	}
	leave = func() {
		os.RemoveAll(dir)
		os.Remove(held.Path())
		held.Unlock()
	}
	if err := os.RemoveAll(dir); err != nil {
		leave()
		return "", nil, fmt.Errorf("remove what was begun before: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		leave()
		return "", nil, fmt.Errorf("make the home folder: %w", err)
	}
	return dir, leave, nil
}

// carry copies the rclone.conf that lies in a home.
func carry(home, scratch string) error {
	text, err := os.ReadFile(filepath.Join(home, rcloneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(scratch, rcloneFile), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("take over rclone.conf: %w", err)
	}
	return nil
}

// settle puts a finished home in its place, durably.
func settle(scratch, home string) error {
	if err := os.Remove(filepath.Join(home, rcloneFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("put the home in its place: %w", err) // a copy of it is in scratch
	}
	if err := os.Remove(home); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("put the home in its place: %w", err)
	}
	if err := os.Rename(scratch, home); err != nil {
		return fmt.Errorf("put the home in its place: %w", err)
	}
	parent, err := os.Open(filepath.Dir(home))
	if err != nil {
		return nil // some systems open no folders; the home is there
	}
	defer parent.Close()
	parent.Sync() // likewise
	return nil
}
