package lists

import (
	"cmp"
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/ui/view"
)

// dossier is what is known of an upload's record; nil where it has none.
func (h *Handlers) dossier(ctx context.Context, u core.Upload, exports []core.Export) (*view.Dossier, error) {
	if u.Record == nil || u.Facts == nil {
		return nil, nil
	}
	d := &view.Dossier{
		CreatedOn: u.Record.CreatedOn.UTC().Truncate(time.Millisecond), Bytes: u.Record.Plain.Size, MD5: u.Record.Plain.MD5,
		Annotations: map[string]string{}, Journals: []view.Journal{},
	}
	if u.Record.SchemaID != nil {
		d.Schema = *u.Record.SchemaID
	}
	if u.Record.Legacy != nil {
		d.Attachments = len(u.Record.Legacy.Attachments)
	}
	var planned time.Time
	for _, e := range exports {
		planned = cmp.Or(planned, e.ExportedOn)
		j := view.NewJournal(e)
		if e.State == core.ExportExported {
			var err error
			if j.Place, j.Folder, err = h.lies(ctx, e, export.RawPath(*u.Facts)); err != nil {
				return nil, err
			}
		}
		d.Journals = append(d.Journals, j)
	}
	for key, value := range export.Annotate(u, planned) {
		if key != export.KeyExportedOn || !planned.IsZero() {
			d.Annotations[key] = value
		}
	}
	return d, nil
}

// lies says where a file is: its place, and the folder of this computer that it is in,
// where it is in one.
func (h *Handlers) lies(ctx context.Context, e core.Export, at string) (place, folder string, err error) {
	spec := h.Settings().Repository
	if root, ok := strings.CutPrefix(spec, "folder:"); ok {
		if !filepath.IsAbs(root) {
			root = filepath.Join(h.Home, root)
		}
		place = filepath.Join(root, string(e.Destination), filepath.FromSlash(at))
		return place, filepath.Dir(place), nil
	}
	if strings.HasPrefix(spec, projects.SynapseSpec) {
		return cmp.Or(e.File, at), "", nil
	}
	study, err := h.Store.Study(ctx, core.StudyID(e.Destination))
	if err != nil && !errors.Is(err, core.ErrNotFound) { // it may be the app's
		return "", "", err
	}
	bucket, key := h.Stored(e.Destination, study.Repository, at)
	return path.Join(bucket, key), "", nil
}
