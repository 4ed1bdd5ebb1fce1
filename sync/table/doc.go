// Package table writes what researchers query: the Participant Versions, their
// demographics, the file view, and the versions joined with it, as CSV, Parquet or
// JSON.
//
// The columns of the file (path, size, md5) and, in the joined table, those of
// the participant (joinedParticipantVersion, createdOn, modifiedOn, dataGroups,
// languages, sharingScope, studyMemberships, clientTimeZone) keep their names
// whatever an app calls its metadata. An annotation of such a name, in any
// case, is in the column annotation.NAME of that table and keeps its own key
// everywhere else. So a query that was right yesterday reads the same cells
// when a device sends a new key.
//
// The same rows always give the same bytes, in whatever order they came. It
// takes rows from the store, writes to the io.Writer it is given, and never
// decides what may be exported. Values are written as they are: nothing is
// escaped for the sake of spreadsheets.
package table
