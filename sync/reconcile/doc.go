// Package reconcile compares what a destination's repository holds with what the
// store says it should hold, record by record and row by row.
//
// It promises that content is compared by hash, never by size or time; that a plan
// is complete before anything acts on it; and that it changes nothing itself. Files
// and rows that should be there come from the store through Shelf; what is there is
// asked of the repository through Repository.
package reconcile
