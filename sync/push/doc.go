// Package push carries records, their annotations, the Participant Versions
// table and the file views to the repository.
//
// It promises that every step is journalled and may be run again without a
// second effect, that consent is asked for before bytes leave and again before
// they are annotated, that an item which cannot be sent is parked with its
// reason and blocks no other, that a repository which is away is asked again
// gently, for as long as it takes, and that a project which refuses holds up its
// own records alone.
//
// Exports are claimed from and settled in the store through Outbox and Tables.
// It imports no other room of sync but export: app hands it whatever repository
// the settings name as Repository.
package push
