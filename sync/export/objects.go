package export

import (
	"strings"
	"time"

	"footbridge/core"
)

// Raw is the file of an upload as it goes to the repository, without its bytes.
func Raw(u core.Upload, exportedOn time.Time) core.Object {
	return core.Object{
		Path: RawPath(*u.Facts), Notes: AnnotationsPath(*u.Facts, u.ID), Digest: u.Record.Plain,
		ModTime: u.Facts.UploadedOn, ContentType: u.Request.ContentType, Metadata: Annotate(u, exportedOn),
	}
}

// Attachments are those of a legacy record, in their order, without their bytes;
// none of another.
func Attachments(u core.Upload) []core.Object {
	if u.Record.Legacy == nil {
		return nil
	}
	paths := AttachmentPaths(*u.Facts, u.Record.Legacy.Attachments)
	all := make([]core.Object, len(paths))
	for i, a := range u.Record.Legacy.Attachments {
		all[i] = beside(u, core.Object{Path: paths[i], Digest: a.Digest, ContentType: a.ContentType})
	}
	return all
}

// DataObject is the data of a legacy record, and its text.
func DataObject(u core.Upload) (core.Object, []byte, error) {
	text, err := Data(u)
	if err != nil {
		return core.Object{}, nil, err
	}
	return beside(u, core.Object{Path: DataPath(*u.Facts, u.ID), Digest: DigestOf(text), ContentType: "application/json"}), text, nil
}

// beside says of an object to which record it belongs.
func beside(u core.Upload, o core.Object) core.Object {
	o.ModTime = u.Facts.UploadedOn
	o.Metadata = map[string]string{KeyRecordID: string(u.ID), KeyHealthCode: string(u.HealthCode)}
	return o
}

// Objects are all that a record is in the repository, without their bytes.
func Objects(u core.Upload, exportedOn time.Time) ([]core.Object, error) {
	all := append([]core.Object{Raw(u, exportedOn)}, Attachments(u)...)
	if u.Record.Legacy == nil {
		return all, nil
	}
	data, _, err := DataObject(u)
	return append(all, data), err
}

// OfRecords reports whether a path within a destination is one where records lie,
// rather than tables and what describes the project.
func OfRecords(path string) bool {
	for _, folder := range []string{RawDataFolder, annotationsDir, DataFolder, attachmentsDir} {
		if strings.HasPrefix(path, folder+"/") {
			return true
		}
	}
	return false
}
