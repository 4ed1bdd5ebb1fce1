// Package core is the vocabulary of Footbridge: what an upload, a record, a
// participant version, a study and an export are, and what can go wrong with
// them.
//
// It promises names and shapes only: no package of ours is imported here, no
// file is read, no goroutine starts. Every other room takes these types in and
// hands them out. Read core.go first.
package core
