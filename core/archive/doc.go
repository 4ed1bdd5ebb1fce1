// Package archive looks at a zip while it streams by and says what is wrong
// with it, within stated limits. Look forgets what it saw; Read hands the files
// to who wants them, and goes no further than the first thing that is wrong.
//
// Nothing is unpacked to a disk: every entry is inflated, counted, and checked
// against its checksum. Memory stays within a few hundred kilobytes and the names
// of the entries that the limits allow.
//
// An archive without problems reads the same to every reader, from the front
// as from its directory at the end: the two are compared, and every byte
// belongs to one record.
//
// What an entry is called may tell who sent it. Messages call it by its place,
// counted from 1 as the archive holds them, so they may be logged and kept; its
// name is in Problem.Entry alone, for callers that may show it.
//
// A problem is a verdict about the archive, not an error. Look fails only where
// the reader it was given fails, and Read where its visitor does, too.
package archive
