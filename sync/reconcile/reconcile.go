package reconcile

import (
	"context"
	"errors"
	"slices"

	"footbridge/core"
)

// Shelf knows what a destination should hold. Safe for concurrent use.
type Shelf interface {
	// Exported hands every record that a destination holds to visit, until it fails.
	Exported(ctx context.Context, d core.DestinationID, date string, visit func(core.Upload, core.Export) error) error

	// Planned hands every record of which something may lie at a destination to
	// visit, until it fails.
	Planned(ctx context.Context, d core.DestinationID, visit func(core.Upload, core.Export) error) error

	// Versions hands every participant version with a membership in the study
	// (empty: every one) to visit, until it fails.
	Versions(ctx context.Context, study core.StudyID, visit func(core.ParticipantVersion) error) error

	// Behind reports whether a table of a destination is about to be written.
	Behind(d core.DestinationID) bool
}

// Repository is what a destination's records lie in. Safe for concurrent use.
// Idempotent.
type Repository interface {
	// Check compares an object with what is there. Errors: core.ErrNotFound,
	// core.ErrDigestMismatch, ErrUnannotated; any other means that it cannot be told.
	Check(ctx context.Context, d core.Destination, o core.Object) error

	// Walk visits the path of everything that is there and can be listed, until
	// visit fails.
	Walk(ctx context.Context, d core.Destination, visit func(path string) error) error

	// Rows counts how often the table Participant Versions holds each of these; what
	// it never takes is Refused, or Passed.
	Rows(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) (map[Row]int, error)

	// CheckVersions compares the table Participant Versions, and CheckView the file
	// view of a date, with what is there, where they are files. Errors: those of Check.
	CheckVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error
	CheckView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error
}

// ErrUnannotated says that an object has not the metadata that it should have.
var ErrUnannotated = errors.New("not annotated as it should be")

// What is counted of rows that a table has not and never takes as they are.
const (
	Refused = -1 // a person has to correct what is too long
	Passed  = -2 // a later version of the same participant is there
)

// Row names a row of the table Participant Versions.
type Row struct {
	HealthCode core.HealthCode
	Version    int
}

// Plan says what is wrong with one destination.
type Plan struct {
	Destination core.DestinationID `json:"destination"`
	Missing     []core.UploadID    `json:"missing"`
	Differing   []core.UploadID    `json:"differing"`
	Unannotated []core.UploadID    `json:"unannotated"`
	Orphans     []string           `json:"orphans"` // paths of what belongs to no record
	Rows        Rows               `json:"rows"`
	Tables      []Table            `json:"tables"`               // that are missing or say something else
	Unreadable  int                `json:"unreadable,omitempty"` // records, tables and listings that could not be compared
	Failed      string             `json:"failed,omitempty"`     // why the first of them could not
}

// Rows says what is wrong with a table: rows as healthCode/version.
type Rows struct {
	Missing   []string `json:"missing"`
	Duplicate []string `json:"duplicate"`
	Refused   []string `json:"refused,omitempty"` // that no repair brings there
	Passed    []string `json:"passed,omitempty"`  // likewise, but a later version is there: that is not wrong any more
}

// Table is a table that is kept as a file.
type Table struct {
	Path string `json:"path"`
	Date string `json:"date,omitempty"` // of a file view; empty: it is Participant Versions
}

// New gives a plan in which nothing is wrong.
func New(d core.DestinationID) Plan {
	return Plan{Destination: d, Missing: []core.UploadID{}, Differing: []core.UploadID{}, Unannotated: []core.UploadID{},
		Orphans: []string{}, Rows: Rows{Missing: []string{}, Duplicate: []string{}}, Tables: []Table{}}
}

// Clean reports whether all was compared and nothing is wrong.
func (p Plan) Clean() bool {
	return p.Failed == "" && !p.Mendable() && len(p.Orphans)+len(p.Rows.Refused) == 0
}

// Mendable reports whether something is wrong that can be sent again.
func (p Plan) Mendable() bool {
	return len(p.Missing)+len(p.Differing)+len(p.Unannotated)+len(p.Rows.Missing)+len(p.Rows.Duplicate)+len(p.Tables) > 0
}

// Wrong lists the records that have to be sent again.
func (p Plan) Wrong() []core.UploadID { return slices.Concat(p.Missing, p.Differing, p.Unannotated) }
