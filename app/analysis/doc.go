// Package analysis keeps projects in the Synapse repository: it makes them, puts
// records into them as files with annotations, and appends participant versions and
// their demographics to their tables.
//
// It promises that a project is made step by step, each of them kept before the
// next, so that a failure leaves nothing behind that nobody knows; that no file is
// ever there without its annotations; that each participant version, and each value
// of its demographics, is in a table once; and that what the repository cuts of an
// annotation is told. Where a project has a bucket of the study's own, bytes go there
// with keys that the repository lends; they are in memory only.
//
// It knows how things are called there, and sync/synapse how to ask for them.
// Records come from sync/push; what has to be remembered goes to the store through
// the Memory declared here.
package analysis
