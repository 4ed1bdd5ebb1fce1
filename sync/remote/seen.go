package remote

import (
	"context"
	"errors"
	"hash/maphash"
	"path"
	"sync"
	"time"

	"github.com/rclone/rclone/fs"

	"footbridge/core"
)

// seen knows which names may be in a folder: it was listed when something was
// first put there, and what was put since is added. What it does not know is not
// there, and need not be asked for. That it is wrong, because somebody else put
// the file, costs that the file is sent and not skipped.
type seen struct {
	seed maphash.Seed

	mu      sync.Mutex
	folders map[string]*names
}

// names are those of one folder, as hashes. Without any, the folder is too large
// to be known.
type names struct {
	since time.Time
	known map[uint64]bool
}

// A folder with more than maxNames is asked about each file instead; so is
// everything after keepSeen, and where more than maxFolders are written to, the
// oldest is forgotten.
const (
	maxNames   = 20_000
	maxFolders = 8
	keepSeen   = 30 * time.Minute
)

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), folders: map[string]*names{}} }

// may reports whether the remote may have a file at a path, and notes that from
// now on it may.
func (s *seen) may(ctx context.Context, l *line, file string) (bool, error) {
	folder := path.Dir(file)
	name := maphash.String(s.seed, file)
	if known, may := s.note(folder, name); known {
		return may, nil
	}
	found := &names{since: time.Now(), known: map[uint64]bool{}}
	if folder == "." {
		folder = ""
	}
	err := l.look(ctx, folder, func(entries fs.DirEntries) error {
		for _, entry := range entries {
			found.known[maphash.String(s.seed, entry.Remote())] = true
		}
		if len(found.known) > maxNames {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		found.known = nil
	case err != nil && !errors.Is(err, fs.ErrorDirNotFound):
		return false, err
	}
	s.keep(path.Dir(file), found)
	_, may := s.note(path.Dir(file), name)
	return may, nil
}

// note adds a name to a folder that is known, and reports whether it was there.
func (s *seen) note(folder string, name uint64) (known, may bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.folders[folder]
	if found == nil || time.Since(found.since) > keepSeen {
		return false, true
	}
	may = found.known == nil || found.known[name]
	if found.known != nil {
		found.known[name] = true
	}
	return true, may
}

// keep keeps what was found in a folder, unless another did so meanwhile.
func (s *seen) keep(folder string, found *names) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held := s.folders[folder]; held != nil && time.Since(held.since) <= keepSeen {
		return
	}
	oldest := ""
	for name, held := range s.folders {
		if oldest == "" || held.since.Before(s.folders[oldest].since) {
			oldest = name
		}
	}
	if len(s.folders) >= maxFolders {
		delete(s.folders, oldest)
	}
	s.folders[folder] = found
}

// recent holds what the remote confirmed when it was put, so that it is not
// asked the same twice within a breath.
type recent struct {
	mu    sync.Mutex
	files map[string]confirmation
}

type confirmation struct {
	digest core.Digest
	at     time.Time
}

const (
	keepRecent = time.Minute
	maxRecent  = 64
)

// add notes that the remote confirmed a file.
func (r *recent) add(path string, digest core.Digest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.files) >= maxRecent {
		clear(r.files)
	}
	if r.files == nil {
		r.files = map[string]confirmation{}
	}
	r.files[path] = confirmation{digest, time.Now()}
}

// take reports whether the remote has just confirmed a file, once.
func (r *recent) take(path string, digest core.Digest) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	held, ok := r.files[path]
	delete(r.files, path)
	return ok && held.digest == digest && time.Since(held.at) < keepRecent
}
