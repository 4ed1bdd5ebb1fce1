package export

import (
	"strings"

	"footbridge/core"
)

// The parts of a destination, slash-separated from its root.
const (
	RawDataFolder     = "raw-data"
	ProjectPath       = "project.json"
	VersionsCSV       = "participant-versions/participant_versions.csv"
	VersionsTable     = "participant-versions/participant_versions.parquet"
	DemographicsCSV   = "participant-versions/participant_versions_demographics.csv"
	DemographicsTable = "participant-versions/participant_versions_demographics.parquet"
	annotationsDir    = "annotations"
	DataFolder        = "data"
	attachmentsDir    = "attachments"
	fileViewDir       = "file-view"
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
	return DataFolder + "/" + facts.DateFolder + "/" + string(record) + ".json"
}

// AttachmentPaths are where the attachments of a legacy record lie, in their order:
// each is called by its id. Of ids that differ only in case, which many places take
// for the same, the later have a number behind theirs.
func AttachmentPaths(facts core.Facts, all []core.Attachment) []string {
	taken, paths := map[string]bool{}, make([]string, len(all))
	for i, a := range all {
		name := free(a.ID, taken)
		taken[strings.ToLower(name)] = true
		paths[i] = attachmentsDir + "/" + facts.DateFolder + "/" + name
	}
	return paths
}

// FileViewPath is where the file view of one date folder (YYYY-MM-DD) lies.
func FileViewPath(date string) string {
	return fileViewDir + "/" + date + ".parquet"
}
