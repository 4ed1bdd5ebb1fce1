// Package bundle reads legacy bundles: a zip with info.json and data files, in
// the formats v1_legacy and v2_generic, described by a schema or by a survey.
//
// It promises that a bundle of any size is read in constant memory but for the
// JSON that must be looked into, which is bounded; that the same bundle gives the
// same outcome; that every bundle gets a verdict, and an error means that the
// bytes or the schemas could not be read; that what is left out of a record is
// said; and that no message tells a value. Messages name fields and files: they
// are names that the app's developers chose.
//
// A record refers to an attachment by its place in the bundle. No attachment is
// copied, so a bundle takes no more room than it came with, whatever it unpacks to.
//
// It has no clock, no disk and no network. A bundle comes as a stream that can be
// opened again, as its bytes are decrypted each time and may be kept nowhere:
// once to see what it holds, once more where large JSON must be looked into, and
// later once for each attachment that someone wants to have.
package bundle
