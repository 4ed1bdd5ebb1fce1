// Package export says how one upload looks once it has left the site: where
// its file lies, which annotations it carries, and its row in the file view; and which
// rows the demographics of participants have.
//
// An annotation keeps the key that the app submitted where every repository
// takes it: characters of [A-Za-z0-9_.], not a name of the service's, nor one
// that the timeline of the participant's study gives the upload (assessmentId and
// sixteen more), and no other key that is the same without regard to case. Of keys that differ only
// in case, the one in lower case where they first differ keeps its name (of
// taskId and TaskId, taskId) and the others get _2, _3 and so on behind theirs. So
// do keys that had to be reduced, after all that were legal as submitted: "a b"
// beside a_b is a_b_2. What the columns of a table are called is no concern of
// keys: path stays path here.
//
// It is pure: the same upload and the same time of export give the same
// bytes, so a step that is run again has no second effect. It reads no clock,
// no file and no network. What it takes comes from the store; what it gives
// goes to the repository through sync/push.
package export
