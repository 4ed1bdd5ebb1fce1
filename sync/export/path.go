package export

import "footbridge/core"

// The parts of a destination, slash-separated from its root.
const (
	RawDataFolder  = "raw-data"
	ProjectPath    = "project.json"
	VersionsCSV    = "participant-versions/participant_versions.csv"
	VersionsTable  = "participant-versions/participant_versions.parquet"
	annotationsDir = "annotations"
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

// FileViewPath is where the file view of one date folder (YYYY-MM-DD) lies.
func FileViewPath(date string) string {
	return fileViewDir + "/" + date + ".parquet"
}
