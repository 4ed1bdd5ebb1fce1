// Package table writes what researchers query: the Participant Versions, the
// file view, and the two joined, as CSV, Parquet or JSON.
//
// The same rows always give the same bytes, in whatever order they came. It
// takes rows from the store, writes to the io.Writer it is given, and never
// decides what may be exported. Values are written as they are: nothing is
// escaped for the sake of spreadsheets.
package table
