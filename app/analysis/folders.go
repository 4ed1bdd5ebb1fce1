package analysis

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/synapse"
)

// The rules here are: the files of a date lie in its folder; a folder takes ten
// thousand, and then the date has another one, and another: 2026-11-20-02 follows
// 2026-11-20. A file that is in one of them stays there.

// foldersMax is how many folders a date may have.
const foldersMax = 99

func isRaw(o core.Object) bool { return strings.HasPrefix(o.Path, export.RawDataFolder+"/") }

// finder finds a folder of a folder, or makes it.
type finder func(ctx context.Context, parent synapse.EntityID, name string) (synapse.EntityID, error)

// folder gives the nth folder of an object's date.
func (r *Repository) folder(ctx context.Context, d core.Destination, o core.Object, n int, find finder) (synapse.EntityID, error) {
	parts, err := r.memory.Parts(ctx, d)
	if err != nil {
		return "", err
	}
	kind, date := path.Split(path.Dir(o.Path))
	parent := synapse.EntityID(parts.RawDataFolder)
	if !isRaw(o) {
		name := attachmentsFolder
		if kind == export.DataFolder+"/" {
			name = dataFolder
		}
		if parent, err = r.within(ctx, synapse.EntityID(parts.Project), name, find); err != nil {
			return "", err
		}
	}
	if n > 1 {
		date = fmt.Sprintf("%s-%02d", date, n)
	}
	return r.within(ctx, parent, date, find)
}

// within gives a folder of a folder, which is remembered.
func (r *Repository) within(ctx context.Context, parent synapse.EntityID, name string, find finder) (synapse.EntityID, error) {
	key := string(parent) + "/" + name
	r.mu.Lock()
	id, ok := r.folders[key]
	r.mu.Unlock()
	if ok {
		return id, nil
	}
	id, err := find(ctx, parent, name)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.folders[key] = id
	return id, nil
}

// holder gives the folder of an object's date that has the file; core.ErrNotFound
// where none has.
func (r *Repository) holder(ctx context.Context, d core.Destination, o core.Object) (synapse.EntityID, error) {
	for n := 1; n <= foldersMax; n++ {
		folder, err := r.folder(ctx, d, o, n, r.client.Child)
		if err != nil {
			return "", err
		}
		if _, err = r.client.Child(ctx, folder, synapse.Name(path.Base(o.Path))); !errors.Is(err, core.ErrNotFound) {
			return folder, err
		}
	}
	return "", core.ErrNotFound
}

func (r *Repository) isFull(folder synapse.EntityID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.full[folder]
}

func (r *Repository) fill(folder synapse.EntityID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.full[folder] = true
}

func (r *Repository) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.folders)
	clear(r.tables)
}
