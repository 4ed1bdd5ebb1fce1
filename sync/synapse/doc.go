// Package synapse speaks to the Synapse repository: it makes projects, folders,
// tables and storage locations, sends files, and appends participant versions and
// their demographics.
//
// It promises that every call may be repeated after any crash without a second
// effect: it looks before it makes, takes "exists already" for found, resumes an
// upload, and asks a table what it holds before it appends once more. A file
// entity is made together with its annotations, never without them. What the
// repository would refuse (names, annotations, cells) is found before it is sent.
// Repeating within a call takes seconds; repeating for hours is sync/push's.
//
// It never takes an answer for success that is not the repository's, such as the
// page of a hotel's network. Its errors tell neither tokens nor signed links, nor
// what a participant's device or record said. It logs nothing, writes nothing to
// disk, and starts no goroutine.
//
// Bytes come from core.Object and leave in parts, one in memory at a time; rows
// come from core.ParticipantVersion and core.DemographicRow. It imports no other room of sync, so names,
// keys and annotations come as plain values.
package synapse
