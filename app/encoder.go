package main

import (
	"io"

	"footbridge/core"
	"footbridge/sync/table"
)

// encoder gives the pusher the tables' formats.
type encoder struct{}

// VersionsCSV writes Participant Versions (push.Encoder).
func (encoder) VersionsCSV(w io.Writer, versions []core.ParticipantVersion, visible core.StudyID) error {
	return table.WriteVersionsCSV(w, versions, visible)
}

// VersionsParquet writes Participant Versions (push.Encoder).
func (encoder) VersionsParquet(w io.Writer, versions []core.ParticipantVersion, visible core.StudyID) error {
	return table.WriteVersionsParquet(w, versions, visible)
}

// FileView writes a file view (push.Encoder).
func (encoder) FileView(w io.Writer, rows []core.FileViewRow) error {
	return table.WriteFileView(w, rows)
}
