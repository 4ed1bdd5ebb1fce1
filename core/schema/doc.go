// Package schema knows what legacy bundles are described by: schemas and their
// fields, surveys, and the values that fields take.
//
// It promises that a schema that Check lets through can be written as a table
// of the repository, that a canonical value stays what it is when it is made
// canonical again, and that no complaint about a value says what the value was:
// it belongs to a participant.
//
// It is pure: documents come in as JSON and leave as JSON, and who keeps them is
// the caller's business. Bundles are read by core/bundle, with the rules here.
package schema
