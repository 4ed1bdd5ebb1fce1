package folders

import (
	"bytes"
	"context"
	"io"
	"path"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/table"
)

// tableFile is a table as a file of a project: the same rows always make the same
// bytes.
type tableFile struct {
	path        string
	contentType string
	encode      func(io.Writer) error
}

const parquetType = "application/vnd.apache.parquet"

// versionFiles are the table Participant Versions, and that of the demographics where
// there are any. Versions stay, so where there were some there are some.
func versionFiles(d core.Destination, versions []core.ParticipantVersion) []tableFile {
	files := []tableFile{
		{export.VersionsTable, parquetType, func(to io.Writer) error { return table.WriteVersionsParquet(to, versions, d.Study) }},
		{export.VersionsCSV, "text/csv", func(to io.Writer) error { return table.WriteVersionsCSV(to, versions, d.Study) }},
	}
	if rows := export.Demographics(versions, d.Study); len(rows) > 0 {
		files = append(files,
			tableFile{export.DemographicsTable, parquetType, func(to io.Writer) error { return table.WriteDemographicsParquet(to, rows) }},
			tableFile{export.DemographicsCSV, "text/csv", func(to io.Writer) error { return table.WriteDemographicsCSV(to, rows) }})
	}
	return files
}

// viewFiles are the file view of a date.
func viewFiles(date string, rows []core.FileViewRow) []tableFile {
	return []tableFile{{export.FileViewPath(date), parquetType, func(to io.Writer) error { return table.WriteFileView(to, rows) }}}
}

// PutVersions writes the table Participant Versions anew, as Parquet and as CSV, and
// that of the demographics where there are any.
func (r *Repository) PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	return r.write(ctx, d, versionFiles(d, versions))
}

// PutView writes the file view of a date anew.
func (r *Repository) PutView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	return r.write(ctx, d, viewFiles(date, rows))
}

// write writes tables anew.
func (r *Repository) write(ctx context.Context, d core.Destination, tables []tableFile) error {
	for _, t := range tables {
		var text bytes.Buffer
		if err := t.encode(&text); err != nil {
			return err
		}
		if err := r.put(ctx, d, t.path, text.Bytes(), t.contentType); err != nil {
			return err
		}
	}
	return nil
}

// compare compares tables with what is there. Errors: core.ErrNotFound,
// core.ErrDigestMismatch.
func (r *Repository) compare(ctx context.Context, d core.Destination, tables []tableFile) error {
	from, err := r.of(ctx, d.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		var text bytes.Buffer
		if err := t.encode(&text); err != nil {
			return err
		}
		held, err := from.Hash(ctx, path.Join(string(d.ID), t.path))
		if err != nil {
			return err
		}
		if held.MD5 != export.DigestOf(text.Bytes()).MD5 {
			return core.ErrDigestMismatch
		}
	}
	return nil
}

// CheckVersions compares the table Participant Versions (reconcile.Repository).
func (r *Repository) CheckVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	return r.compare(ctx, d, versionFiles(d, versions))
}

// CheckView compares the file view of a date (reconcile.Repository).
func (r *Repository) CheckView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	return r.compare(ctx, d, viewFiles(date, rows))
}
