package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must rest after a change before it is read: editors
// write in several steps.
const settle = 100 * time.Millisecond

// Live is settings that follow their file. Safe for concurrent use.
type Live struct {
	path    string
	current atomic.Pointer[Settings]
}

// Open loads the settings file of a home folder.
func Open(home string) (*Live, error) {
	l := &Live{path: filepath.Join(home, FileName)}
	settings, err := Load(l.path)
	if err != nil {
		return nil, err
	}
	l.current.Store(&settings)
	return l, nil
}

// Settings gives the last good settings.
func (l *Live) Settings() Settings { return *l.current.Load() }

// Change changes one setting in the file, as the function Change does, and takes it up.
func (l *Live) Change(key, value string) error {
	if err := Change(filepath.Dir(l.path), key, value); err != nil {
		return err
	}
	return l.take()
}

// take reads the file; where it is wrong or gone, the last good settings stay.
func (l *Live) take() error {
	settings, err := Load(l.path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(l.path); errors.Is(err, fs.ErrNotExist) && !reflect.DeepEqual(settings, l.Settings()) {
		return fmt.Errorf("%s is gone; put it back", FileName)
	}
	l.current.Store(&settings)
	return nil
}

// Watch takes up changes of the file until ctx ends, and tells of each: nil, or
// what is wrong with the file, whose last good settings then stay. The error is
// why the folder cannot be watched.
func (l *Live) Watch(ctx context.Context, tell func(error)) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch settings: %w", err)
	}
	defer watcher.Close()
	if err := watcher.Add(filepath.Dir(l.path)); err != nil { // editors replace the file: watch its folder
		return fmt.Errorf("watch settings: %w", err)
	}
	rest := time.NewTimer(0) // what changed since Open is taken up, too
	before, wrong := l.Settings(), error(nil)
	for {
		select {
		case event := <-watcher.Events:
			if filepath.Base(event.Name) == FileName && event.Op != fsnotify.Chmod {
				rest.Reset(settle)
			}
		case err := <-watcher.Errors:
			tell(fmt.Errorf("watch settings: %w", err))
		case <-rest.C:
			err := l.take()
			if err != nil || wrong != nil {
				tell(err)
			} else if !reflect.DeepEqual(before, l.Settings()) {
				tell(nil)
			}
			wrong, before = err, l.Settings()
		case <-ctx.Done():
			return nil
		}
	}
}
