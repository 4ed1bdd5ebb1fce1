package inbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footbridge/core"

	"github.com/fsnotify/fsnotify"
)

// The folders of the inbox that are no participant's.
const (
	Done    = "done"
	Refused = "refused"
)

// File is a file that has come, of which only its place is known.
type File struct {
	Path string
	Name string
	Size int64 // bytes
}

// Desk takes files in. Safe for concurrent use.
type Desk interface {
	// Take makes a file an upload of the participant with an external id, and waits
	// until it is processed; the same bytes again make no other one. Errors:
	// *Refusal where it is of no use to try again; any other means that it is.
	Take(ctx context.Context, externalID string, file File) (core.UploadID, error)
}

// Refusal says why a file is not taken, in words for the person who put it there.
type Refusal struct{ Why string }

// Error is the words.
func (r *Refusal) Error() string { return r.Why }

// Config says how an inbox behaves; its zero value works.
type Config struct {
	Rest   time.Duration // a file is taken that did not change for so long; 0: three seconds
	Look   time.Duration // it is looked through so often in any case; 0: ten seconds
	Failed func(error)   // told of what is tried again; nil: nobody is
}

const (
	restTime = 3 * time.Second
	lookTime = 10 * time.Second
)

// Inbox is the drop folder of a home.
type Inbox struct {
	dir    string
	desk   Desk
	config Config
	seen   map[string]state // by path, of what has not been taken yet
}

// state is a file as it was seen, and since when it is so.
type state struct {
	size    int64
	changed time.Time
	since   time.Time
}

// New makes an inbox of a folder, which exists.
func New(dir string, desk Desk, config Config) *Inbox {
	if config.Rest == 0 {
		config.Rest = restTime
	}
	if config.Look == 0 {
		config.Look = lookTime
	}
	if config.Failed == nil {
		config.Failed = func(error) {}
	}
	return &Inbox{dir: dir, desk: desk, config: config, seen: map[string]state{}}
}

// Watch takes files in until ctx ends. Its error is why the folder cannot be
// watched; it is looked through all the same.
func (b *Inbox) Watch(ctx context.Context) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		err = fmt.Errorf("watch the inbox: %w", err)
		watcher = &fsnotify.Watcher{}
	} else {
		defer watcher.Close()
	}
	look := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			return err
		case <-watcher.Events:
			look.Reset(b.config.Rest)
		case <-watcher.Errors: // it is looked through in any case
		case <-look.C:
			if err == nil {
				b.watchFolders(watcher)
			}
			resting := b.look(ctx)
			look.Reset(b.config.Look)
			if resting {
				look.Reset(b.config.Rest)
			}
		}
	}
}

// watchFolders watches the inbox and the folders of participants. To watch one
// again changes nothing, and one that cannot be watched is looked through.
func (b *Inbox) watchFolders(watcher *fsnotify.Watcher) {
	watcher.Add(b.dir)
	for _, folder := range b.folders() {
		watcher.Add(filepath.Join(b.dir, folder))
	}
}

// folders lists the folders of participants.
func (b *Inbox) folders() (all []string) {
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		b.config.Failed(fmt.Errorf("look into the inbox: %w", pathless(err)))
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != Done && e.Name() != Refused && !hidden(e.Name()) {
			all = append(all, e.Name())
		}
	}
	return all
}

// look takes what has rested, and reports whether something has not yet.
func (b *Inbox) look(ctx context.Context) (resting bool) {
	present := map[string]bool{}
	for _, folder := range append([]string{""}, b.folders()...) {
		entries, err := os.ReadDir(filepath.Join(b.dir, folder))
		if err != nil {
			b.config.Failed(fmt.Errorf("look into a folder of the inbox: %w", pathless(err)))
			continue
		}
		for _, e := range entries {
			if hidden(e.Name()) || folder == "" && e.IsDir() || ctx.Err() != nil {
				continue
			}
			path := filepath.Join(b.dir, folder, e.Name())
			present[path] = true
			info, err := os.Lstat(path)
			switch {
			case err != nil: // it is gone again
			case !b.rested(path, info):
				resting = true
			default:
				b.take(ctx, folder, path, info)
			}
		}
	}
	for path := range b.seen {
		if !present[path] {
			delete(b.seen, path)
		}
	}
	return resting
}

// rested reports whether a file has been as it is for long enough.
func (b *Inbox) rested(path string, info fs.FileInfo) bool {
	now := time.Now()
	before, known := b.seen[path]
	if !known || before.size != info.Size() || !before.changed.Equal(info.ModTime()) {
		b.seen[path] = state{info.Size(), info.ModTime(), now}
		return false
	}
	return now.Sub(before.since) >= b.config.Rest
}

// take takes one file and puts it where it belongs then.
func (b *Inbox) take(ctx context.Context, folder, path string, info fs.FileInfo) {
	id, err := b.judge(ctx, folder, path, info)
	var refusal *Refusal
	switch {
	case err == nil:
		err = b.settle(path, folder, Done, string(id)+"-"+filepath.Base(path), "")
	case errors.As(err, &refusal):
		err = b.settle(path, folder, Refused, filepath.Base(path), refusal.Why)
	}
	if err != nil && ctx.Err() == nil {
		b.config.Failed(fmt.Errorf("take a file from the inbox: %w", pathless(err)))
	}
}

// judge hands a file to the desk, where it is one.
func (b *Inbox) judge(ctx context.Context, folder, path string, info fs.FileInfo) (core.UploadID, error) {
	switch {
	case folder == "":
		return "", &Refusal{"This file is in nobody's folder. Put it into a folder of the inbox that has the participant's external id for its name."}
	case info.IsDir():
		return "", &Refusal{"This is a folder. One upload is one file: zip the folder and put the zip here."}
	case !info.Mode().IsRegular():
		return "", &Refusal{"This is no file but a link or a device. Put the file itself here."}
	case info.Size() == 0:
		return "", &Refusal{"This file is empty."}
	}
	return b.desk.Take(ctx, folder, File{Path: path, Name: info.Name(), Size: info.Size()})
}

// settle moves a file to one of the two folders, under a name that is free there,
// with a text beside it where there is something to say.
func (b *Inbox) settle(path, folder, to, name, why string) error {
	dir := filepath.Join(b.dir, to, folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	target := filepath.Join(dir, name)
	for n := 2; ; n++ {
		if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
			break
		}
		extension := filepath.Ext(name)
		target = filepath.Join(dir, fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, extension), n, extension))
	}
	if why != "" {
		if err := os.WriteFile(target+whyEnding, []byte(why+"\n"), 0o600); err != nil {
			return err
		}
	}
	delete(b.seen, path)
	return os.Rename(path, target)
}

// hidden reports whether a name is that of a file which is being written, or one
// that an operating system leaves.
func hidden(name string) bool {
	lower := strings.ToLower(name)
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || lower == "thumbs.db" || lower == "desktop.ini" {
		return true
	}
	for _, ending := range []string{".part", ".partial", ".crdownload", ".tmp"} {
		if strings.HasSuffix(lower, ending) {
			return true
		}
	}
	return false
}

// pathless leaves the path out of an error: files may bear people's names.
func pathless(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
