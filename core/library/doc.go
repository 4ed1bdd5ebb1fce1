// Package library holds the rules of how schemas and surveys come and go: who
// may follow whom, what may still be changed, and what a survey's publication
// makes.
//
// # Schemas
//
// A schema is known by its id and has numbered revisions. A revision may change
// as long as the data that is there still fits it (core/schema); what does not
// fit is a new revision. The number of a revision that was deleted is not given
// again while its row is there.
//
// # Surveys
//
// A survey is known by its guid and has versions, told apart by the millisecond
// they were made in. A version changes freely until it is published and never
// after; then a new version is made of it. Publishing makes or adapts the schema
// that takes the answers, which goes by the survey's identifier, so no two
// surveys share one and a survey keeps the one it was made with.
//
// # What is deleted
//
// Deleting marks a row: it is in no list any more but is found by whoever names
// it, because bundles of apps in the field do. Only an administrator removes rows
// for good.
//
// The package keeps nothing and starts nothing: it decides by pure functions on
// a dossier, which the store runs inside one transaction. Documents come from
// app/api; rows go to the store through the Shelf declared here.
package library
