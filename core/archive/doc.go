// Package archive looks at a zip while it streams by and says what is wrong
// with it, within stated limits.
//
// Nothing is unpacked: every entry is inflated, counted and checked against
// its checksum, and forgotten. Memory stays within a few hundred kilobytes and
// the names of the entries that the limits allow.
//
// An archive without problems reads the same to every reader, from the front
// as from its directory at the end: the two are compared, and every byte
// belongs to one record.
//
// A problem is a verdict about the archive, not an error. Look fails only where
// the reader it was given fails.
package archive
