package analysis

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"sync"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/synapse"
)

// Memory is what has to outlast the program. Safe for concurrent use.
type Memory interface {
	// Parts gives the parts of a destination's project. Errors:
	// core.ErrProjectPending where it is not made yet.
	Parts(ctx context.Context, d core.Destination) (core.RepositoryConfig, error)

	// Unsent gives those of some participant versions that a destination's table is
	// not known to hold; table says which one that is.
	Unsent(ctx context.Context, d core.DestinationID, table string, versions []core.ParticipantVersion) ([]core.ParticipantVersion, error)

	// Sent notes that the table holds some, durably. Idempotent.
	Sent(ctx context.Context, d core.DestinationID, table string, versions []core.ParticipantVersion) error

	// Memo gives what was last kept under a name, nil where nothing was; Keep keeps
	// it durably. Idempotent.
	Memo(ctx context.Context, name string) []byte
	Keep(ctx context.Context, name string, text []byte) error
}

// Repository is the Synapse repository as the pusher uses it (push.Repository).
// Safe for concurrent use.
type Repository struct {
	client *synapse.Client
	memory Memory
	bucket func() Bucket // of the settings
	loans  loans

	// tell says what was cut of the annotations of a record, and which participant
	// versions a table does not take.
	tell func(ctx context.Context, record core.UploadID, reasons []core.Reason) error

	mu      sync.Mutex
	folders map[string]synapse.EntityID // parent/name
	full    map[synapse.EntityID]bool   // folders
	tables  map[synapse.EntityID]synapse.Table
	writing map[core.DestinationID]*sync.Mutex // one append at a time
}

// New makes a repository of a client. tell is told of each record that was
// cut: it may be told again. bucket gives that of the settings, each time it matters.
func New(client *synapse.Client, memory Memory, tell func(context.Context, core.UploadID, []core.Reason) error, bucket func() Bucket) *Repository {
	return &Repository{
		client: client, memory: memory, tell: tell, bucket: bucket, loans: loans{shelves: map[int64]shelf{}, lent: map[synapse.EntityID]*loan{}},
		folders: map[string]synapse.EntityID{}, full: map[synapse.EntityID]bool{}, tables: map[synapse.EntityID]synapse.Table{}, writing: map[core.DestinationID]*sync.Mutex{},
	}
}

// Close closes idle connections. It is idempotent.
func (r *Repository) Close() error { return r.client.Close() }

// Hitch gives why a call to the repository is being repeated; false where none is.
func (r *Repository) Hitch() (synapse.Hitch, bool) { return r.client.Hitch() }

// Put sends the bytes of an object, to the project's bucket where it has one; the
// receipt is their file handle.
func (r *Repository) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	parts, err := r.memory.Parts(ctx, d)
	if err != nil {
		return "", err
	}
	at, ok, err := r.shelf(ctx, parts, o)
	switch {
	case err != nil:
		return "", err
	case ok:
		return r.putObject(ctx, at, o)
	}
	location := parts.StorageLocation
	if !isRaw(o) {
		location = 0
	}
	return r.client.Upload(ctx, o, synapse.Name(path.Base(o.Path)), location)
}

// Verify asks the bucket. The repository has nothing to be asked: a handle is only
// given for bytes that arrived as they left, and Describe looks at the file that is
// made of them.
func (r *Repository) Verify(ctx context.Context, d core.Destination, o core.Object, _ string) error {
	return r.inBucket(ctx, d, o, r.verifyObject)
}

// Describe makes the file of an object, with its annotations, looks at it, and gives
// its id.
func (r *Repository) Describe(ctx context.Context, d core.Destination, o core.Object, receipt string) (string, error) {
	id, err := r.describe(ctx, d, o, receipt)
	if errors.Is(err, core.ErrOtherRepository) { // a folder that is remembered may be gone
		r.forget()
		id, err = r.describe(ctx, d, o, receipt)
	}
	return string(id), err
}

func (r *Repository) describe(ctx context.Context, d core.Destination, o core.Object, receipt string) (synapse.EntityID, error) {
	annotations, cut := synapse.Annotate(o.Metadata, order(o.Metadata)...)
	if len(cut) > 0 {
		if err := r.tell(ctx, core.UploadID(o.Metadata[export.KeyRecordID]), cut); err != nil {
			return "", err
		}
	}
	file := synapse.File{Name: synapse.Name(path.Base(o.Path)), Handle: receipt, Digest: o.Digest, Annotations: annotations}
	for n := 1; ; n++ {
		var err error
		if file.Parent, err = r.folder(ctx, d, o, n, r.client.MakeFolder); err != nil {
			return "", err
		}
		if r.isFull(file.Parent) {
			if _, err := r.client.Child(ctx, file.Parent, file.Name); errors.Is(err, core.ErrNotFound) {
				continue
			}
		}
		id, err := r.client.PutFile(ctx, file)
		if errors.Is(err, synapse.ErrFull) && n < foldersMax {
			r.fill(file.Parent)
			continue
		}
		if err != nil {
			return "", err
		}
		return id, r.client.Verify(ctx, file)
	}
}

// order is which annotations stay where there are too many: the service's, then
// the timeline's, then the app's.
func order(metadata map[string]string) []string {
	timeline := export.TimelineKeys()
	return slices.Concat(export.ServiceKeys(), slices.DeleteFunc(slices.Sorted(maps.Keys(metadata)), func(key string) bool { return !slices.Contains(timeline, key) }))
}

// PutView has nothing to do: whoever studies the data makes a view of the folder.
func (r *Repository) PutView(context.Context, core.Destination, string, []core.FileViewRow) error {
	return nil
}

// Grant lets a user or team of the repository read a destination's project, and
// gives what it is called there. Idempotent. Errors: core.ErrNotFound where there is
// no such user or team, core.ErrProjectPending where there is no project.
func (r *Repository) Grant(ctx context.Context, d core.Destination, who string) (int64, error) {
	parts, err := r.made(ctx, d)
	if err != nil {
		return 0, err
	}
	principal, err := r.client.Principal(ctx, who)
	if err != nil {
		return 0, err
	}
	for _, part := range []string{parts.Project, parts.RawDataFolder, parts.ParticipantVersionTable, parts.DemographicsTable, parts.DemographicsView} {
		if part == "" {
			continue
		}
		if err := r.client.Grant(ctx, synapse.EntityID(part), principal, synapse.Read()); err != nil {
			return 0, err
		}
	}
	return principal, nil
}

// made gives the parts of a destination's project, which nobody may have asked for yet.
func (r *Repository) made(ctx context.Context, d core.Destination) (core.RepositoryConfig, error) {
	parts, err := r.memory.Parts(ctx, d)
	if err == nil && parts.Project == "" {
		err = core.ErrProjectPending
	}
	return parts, err
}

// Credentials asks for temporary credentials that read a destination's raw data in
// its storage. Errors: those of synapse.Client.Credentials, core.ErrProjectPending where
// there is no project.
func (r *Repository) Credentials(ctx context.Context, d core.Destination) (synapse.Credentials, error) {
	parts, err := r.made(ctx, d)
	if err != nil {
		return synapse.Credentials{}, err
	}
	return r.client.Credentials(ctx, synapse.EntityID(parts.RawDataFolder), false)
}
