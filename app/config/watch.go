package config

import (
	"context"
	"fmt"
	"path/filepath"
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
	rest := time.NewTimer(0)
	if !rest.Stop() {
		<-rest.C
	}
	for {
		select {
		case event := <-watcher.Events:
			if filepath.Base(event.Name) == FileName && !event.Has(fsnotify.Chmod) {
				rest.Reset(settle)
			}
		case err := <-watcher.Errors:
			tell(fmt.Errorf("watch settings: %w", err))
		case <-rest.C:
			settings, err := Load(l.path)
			if err == nil {
				l.current.Store(&settings)
			}
			tell(err)
		case <-ctx.Done():
			return nil
		}
	}
}
