package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"footbridge/core"
	"footbridge/sync/export"
)

// The rules here are: what lies in the repository is listed before the store is asked
// what belongs there, so that what is sent meanwhile is known to it; a record that is
// on its way there, or stopped on it, has its place like one that has arrived.

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

	// Rows counts how often the table Participant Versions holds each of these.
	Rows(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) (map[Row]int, error)

	// CheckVersions compares the table Participant Versions, and CheckView the file
	// view of a date, with what is there, where they are files. Errors: those of Check.
	CheckVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error
	CheckView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error
}

// ErrUnannotated says that an object has not the metadata that it should have.
var ErrUnannotated = errors.New("not annotated as it should be")

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
	Tables      []Table            `json:"tables"`           // that are missing or say something else
	Failed      string             `json:"failed,omitempty"` // why it could not be compared
}

// Rows says what is wrong with a table: rows as healthCode/version.
type Rows struct {
	Missing   []string `json:"missing"`
	Duplicate []string `json:"duplicate"`
}

// Table is a table that is kept as a file.
type Table struct {
	Path string `json:"path"`
	Date string `json:"date,omitempty"` // of a file view; empty: it is Participant Versions
}

// New gives a plan in which nothing is wrong.
func New(d core.DestinationID) Plan {
	return Plan{Destination: d, Missing: []core.UploadID{}, Differing: []core.UploadID{}, Unannotated: []core.UploadID{},
		Orphans: []string{}, Rows: Rows{[]string{}, []string{}}, Tables: []Table{}}
}

// Clean reports whether it was compared and nothing is wrong.
func (p Plan) Clean() bool { return p.Failed == "" && !p.Mendable() && len(p.Orphans) == 0 }

// Mendable reports whether something is wrong that can be sent again.
func (p Plan) Mendable() bool {
	return len(p.Missing)+len(p.Differing)+len(p.Unannotated)+len(p.Rows.Missing)+len(p.Rows.Duplicate)+len(p.Tables) > 0
}

// Wrong lists the records that have to be sent again.
func (p Plan) Wrong() []core.UploadID { return slices.Concat(p.Missing, p.Differing, p.Unannotated) }

// Compare compares a destination. Errors: what keeps it from being told.
func Compare(ctx context.Context, shelf Shelf, r Repository, d core.Destination) (Plan, error) {
	p := New(d.ID)
	dates := map[string]bool{}
	err := shelf.Exported(ctx, d.ID, "", func(u core.Upload, e core.Export) error {
		objects, err := export.Objects(u, e.ExportedOn)
		if err != nil {
			return err
		}
		dates[u.Facts.DateFolder] = true
		return p.look(ctx, r, d, u.ID, objects)
	})
	if err != nil {
		return p, fmt.Errorf("compare the records of %s: %w", d.ID, err)
	}
	if err := p.walk(ctx, shelf, r, d); err != nil {
		return p, fmt.Errorf("list what %s holds: %w", d.ID, err)
	}
	if err := p.count(ctx, shelf, r, d); err != nil {
		return p, fmt.Errorf("compare the participant versions of %s: %w", d.ID, err)
	}
	for _, date := range slices.Sorted(maps.Keys(dates)) {
		if err := p.view(ctx, shelf, r, d, date); err != nil {
			return p, fmt.Errorf("compare a file view of %s: %w", d.ID, err)
		}
	}
	return p, nil
}

// look compares the objects of one record. The worst of them is what is wrong with
// it.
func (p *Plan) look(ctx context.Context, r Repository, d core.Destination, id core.UploadID, objects []core.Object) error {
	missing, differing, unannotated := false, false, false
	for _, o := range objects {
		switch err := r.Check(ctx, d, o); {
		case err == nil:
		case errors.Is(err, core.ErrNotFound):
			missing = true
		case errors.Is(err, core.ErrDigestMismatch):
			differing = true
		case errors.Is(err, ErrUnannotated):
			unannotated = true
		default:
			return err
		}
	}
	switch {
	case missing:
		p.Missing = append(p.Missing, id)
	case differing:
		p.Differing = append(p.Differing, id)
	case unannotated:
		p.Unannotated = append(p.Unannotated, id)
	}
	return nil
}

// walk finds what belongs to no record.
func (p *Plan) walk(ctx context.Context, shelf Shelf, r Repository, d core.Destination) error {
	var there []string
	err := r.Walk(ctx, d, func(path string) error {
		if export.OfRecords(path) {
			there = append(there, path)
		}
		return nil
	})
	if err != nil || len(there) == 0 {
		return err
	}
	expected := map[string]bool{}
	err = shelf.Planned(ctx, d.ID, func(u core.Upload, e core.Export) error {
		objects, err := export.Objects(u, e.ExportedOn)
		for _, o := range objects {
			expected[o.Path], expected[o.Notes] = true, true
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, path := range there {
		if !expected[path] {
			p.Orphans = append(p.Orphans, path)
		}
	}
	return nil
}
