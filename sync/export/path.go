package export

import "footbridge/core"

// The parts of a destination, slash-separated from its root.
const (
	RawDataFolder  = "raw-data"
	ProjectPath    = "project.json"
	VersionsCSV    = "participant-versions/participant_versions.csv"
	VersionsTable  = "participant-versions/participant_versions.parquet"
	annotationsDir = "annotations"
	dataDir        = "data"
	attachmentsDir = "attachments"
	fileViewDir    = "file-view"
)

// RawPath is where the bytes of an upload lie. Both of its parts are frozen
// facts, so it never changes.
func RawPath(facts core.Facts) string {
	return RawDataFolder + "/" + facts.DateFolder + "/" + facts.FileName
}

// AnnotationsPath is where the annotations of a record lie.
func AnnotationsPath(facts core.Facts, record core.UploadID) string {
	return annotationsDir + "/" + facts.DateFolder + "/" + string(record) + ".json"
}

// DataPath is where the data of a legacy record lies.
func DataPath(facts core.Facts, record core.UploadID) string {
	return dataDir + "/" + facts.DateFolder + "/" + string(record) + ".json"
}

// AttachmentPath is where an attachment of a legacy record lies.
func AttachmentPath(facts core.Facts, a core.Attachment) string {
	return attachmentsDir + "/" + facts.DateFolder + "/" + a.FileName()
}

// FileViewPath is where the file view of one date folder (YYYY-MM-DD) lies.
func FileViewPath(date string) string {
	return fileViewDir + "/" + date + ".parquet"
}
