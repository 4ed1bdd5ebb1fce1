// Package segment is an append-only log in numbered files that holds rows and
// small bodies together, so that one sync makes both durable.
//
// It promises that what Sync has covered is read back byte for byte after a
// crash, that a record is either whole or absent, and that a torn tail is cut
// off, never misread. It knows nothing of uploads: a body is bytes at a Place,
// a row record is an opaque payload that Replay hands back in order.
//
// It never starts a goroutine. One writer appends; Sync may be called beside
// it; any number of readers open places.
package segment
