package appliance

import (
	"context"
	"errors"
	"path"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/remote"
)

// files is a repository of files: a folder, or an rclone remote (push.Repository).
// A destination's project is a folder of its name, which stands before anything is
// put into it. Safe for concurrent use.
type files struct{ *projects }

// of gives the remote once the destination's project is seen to stand there: what a
// disk that is unplugged or swapped does not hold is neither lost nor removed.
func (f files) of(ctx context.Context, d core.Destination) (*remote.Remote, error) {
	if err := f.check(ctx, string(d.ID)); err != nil {
		return nil, err
	}
	return f.open(ctx)
}

// Put puts an object at its path. There is no receipt: the path says all.
func (f files) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	o.Path = path.Join(string(d.ID), o.Path)
	return "", f.projects.Put(ctx, o)
}

// Verify asks the remote.
func (f files) Verify(ctx context.Context, d core.Destination, o core.Object, _ string) error {
	return f.projects.Verify(ctx, path.Join(string(d.ID), o.Path), o.Digest)
}

// Describe writes the object's metadata beside it, where it has a place for that.
func (f files) Describe(ctx context.Context, d core.Destination, o core.Object, _ string) (string, error) {
	if o.Notes == "" {
		return "", nil
	}
	text, err := export.Annotations(o.Metadata).JSON()
	if err != nil {
		return "", err
	}
	return "", f.PutBytes(ctx, path.Join(string(d.ID), o.Notes), text, "application/json")
}

// PutVersions writes the table anew, as Parquet and as CSV, and that of the
// demographics where there are any.
func (f files) PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	return f.write(ctx, d, versionFiles(d, versions))
}

// PutView writes the file view of a date anew.
func (f files) PutView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	return f.write(ctx, d, viewFiles(date, rows))
}

// Remove takes an object out, and what is said of it beside it.
func (f files) Remove(ctx context.Context, d core.Destination, o core.Object) error {
	from, err := f.of(ctx, d)
	if err != nil {
		return err
	}
	for _, at := range []string{o.Notes, o.Path} {
		if at == "" {
			continue
		}
		if err := from.Remove(ctx, path.Join(string(d.ID), at)); err != nil && !errors.Is(err, core.ErrNotFound) {
			return err
		}
	}
	return nil
}
