package table

import (
	"fmt"
	"slices"

	"footbridge/core"
)

// How says which version of a participant a file is joined with.
type How string

// The two joins.
const (
	JoinSubmitted How = "submitted" // the version that was current when the data was submitted
	JoinLatest    How = "latest"    // the participant's highest version
)

// joinedVersion is what a joined row's participantVersion is called, since the
// file view has one of its own: that which the data was submitted under.
const joinedVersion = "joinedParticipantVersion"

// Join gives every file once, sorted by path, with the row of its participant
// beside it: the columns of FileView, then those of Versions without
// healthCode, the version being called joinedParticipantVersion. The cells of
// a participant that has no such row are missing. The participant's columns
// keep their names, as path, size and md5 do: an annotation that has one of
// them, in any case, is in the column annotation.createdOn and so on. visible
// is as for Versions. The error is a join that does not exist.
func Join(files []core.FileViewRow, versions []core.ParticipantVersion, how How, visible core.StudyID) (Table, error) {
	if how != JoinSubmitted && how != JoinLatest {
		return Table{}, fmt.Errorf("join %q: there is %q and %q", how, JoinSubmitted, JoinLatest)
	}
	people := Versions(versions, visible)
	participant := slices.Clone(people.Columns[1:])
	for i := range participant {
		if participant[i].Name == participantVersion {
			participant[i].Name = joinedVersion
		}
		participant[i].Optional = true
	}
	table := fileView(files, slices.Concat(fileColumns, participant))
	table.Columns = append(table.Columns, participant...)

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
