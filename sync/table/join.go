package table

import (
	"fmt"

	"footbridge/core"
)

// How says which version of a participant a file is joined with.
type How string

// The two joins.
const (
	JoinSubmitted How = "submitted" // the version that was current when the data was submitted
	JoinLatest    How = "latest"    // the participant's highest version
)

// Join gives every file once, sorted by path, with the row of its participant
// beside it: the columns of FileView, then those of Versions without
// healthCode, the version being called joinedParticipantVersion. The cells of
// a participant that has no such row are missing. Where the app's metadata
// has a column's name, in any case, the file view keeps it and the
// participant's column is called participant.createdOn and so on. visible is
// as for Versions. The error is a join that does not exist.
func Join(files []core.FileViewRow, versions []core.ParticipantVersion, how How, visible core.StudyID) (Table, error) {
	if how != JoinSubmitted && how != JoinLatest {
		return Table{}, fmt.Errorf("join %q: there is %q and %q", how, JoinSubmitted, JoinLatest)
	}
	table, people := FileView(files), Versions(versions, visible)
	names := names{}
	for _, column := range table.Columns {
		names.take(column.Name, "")
	}
	for _, column := range people.Columns[1:] {
		if column.Name == participantVersion {
			column.Name = "joinedParticipantVersion"
		}
		column.Name, column.Optional = names.take(column.Name, "participant."), true
		table.Columns = append(table.Columns, column)
	}

	files = byPath(files)
	find := finder(people.Rows, how)
	nobody := make([]any, len(people.Columns))
	for i, file := range files {
		row := find(file)
		if row == nil {
			row = nobody
		}
		table.Rows[i] = append(table.Rows[i], row[1:]...)
	}
	return table, nil
}

// person is what the join looks a row up by. version is 0 for the latest.
type person struct {
	healthCode string
	version    int64
}

// finder gives the function that finds the participant's row for a file. rows
// are sorted by health code and version.
func finder(rows [][]any, how How) func(core.FileViewRow) []any {
	found := make(map[person][]any, len(rows))
	for _, row := range rows {
		key := person{healthCode: row[0].(string)}
		if how == JoinSubmitted {
			key.version = row[1].(int64)
		}
		found[key] = row // of the same key the last, which is the latest
	}
	return func(file core.FileViewRow) []any {
		key := person{healthCode: file.Annotations[healthCode]}
		if how == JoinSubmitted {
			submitted, ok := version(file)
			if !ok {
				return nil
			}
			key.version = submitted
		}
		return found[key]
	}
}
