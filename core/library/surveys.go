package library

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/core/schema"
)

// ErrPublished says that a version of a survey was published, so that it cannot
// be changed any more.
var ErrPublished = errors.New("published already")

// CreateSurvey makes a survey of a document, unpublished; guid and times are set
// here. Errors: *core.Invalid; core.ErrExists where another survey has its
// identifier, *schema.Taken where a schema has that is not a survey's.
func (d *Desk) CreateSurvey(ctx context.Context, document []byte) (schema.Survey, error) {
	draft, err := schema.ParseSurvey(document)
	if err != nil {
		return draft, err
	}
	now := d.moment()
	draft.GUID, draft.CreatedOn = core.NewID(now), now
	return arrange(ctx, d, draft.Identifier, func(all *schema.Dossier) (schema.Survey, error) { return begin(all, draft) })
}

// UpdateSurvey changes a version that is not published; what the document says of
// guid and createdOn does not count. Errors: *core.Invalid, ErrPublished;
// core.ErrNotFound, also where the version is deleted; core.ErrConflict where the
// document has another version number.
func (d *Desk) UpdateSurvey(ctx context.Context, guid string, createdOn time.Time, document []byte) (schema.Survey, error) {
	draft, err := schema.ParseSurvey(document)
	if err != nil {
		return draft, err
	}
	now := d.moment()
	return d.version(ctx, guid, createdOn, func(all *schema.Dossier, was schema.Survey) (schema.Survey, error) {
		return edit(all, was, draft, now)
	})
}

// VersionSurvey makes a new version of a version, unpublished. Errors:
// core.ErrNotFound, also where the version is deleted.
func (d *Desk) VersionSurvey(ctx context.Context, guid string, createdOn time.Time) (schema.Survey, error) {
	now := d.moment()
	return d.version(ctx, guid, createdOn, func(all *schema.Dossier, was schema.Survey) (schema.Survey, error) {
		return renew(all, was, now)
	})
}

// PublishSurvey publishes a version, and with it the schema revision that takes
// its answers: a new one where that is wanted or needed. A published version
// stays as it is. Errors: *schema.Taken, *core.Invalid; core.ErrNotFound, also
// where the version is deleted.
func (d *Desk) PublishSurvey(ctx context.Context, guid string, createdOn time.Time, newRevision bool) (schema.Survey, error) {
	now := d.moment()
	return d.version(ctx, guid, createdOn, func(all *schema.Dossier, was schema.Survey) (schema.Survey, error) {
		return publish(all, was, newRevision, now)
	})
}

// DeleteSurvey deletes a version; the schema of its answers stays. forGood removes
// one that is deleted already too. Errors: core.ErrNotFound.
func (d *Desk) DeleteSurvey(ctx context.Context, guid string, createdOn time.Time, forGood bool) error {
	there, err := d.shelf.Survey(ctx, guid, createdOn)
	if err != nil {
		return err
	}
	return d.shelf.Arrange(ctx, there.Identifier, func(all *schema.Dossier) error { return withdraw(all, guid, createdOn, forGood) })
}

// version runs a decision on a version that is not deleted. The identifier, which
// never changes, leads to what else goes by it.
func (d *Desk) version(ctx context.Context, guid string, createdOn time.Time, decide func(*schema.Dossier, schema.Survey) (schema.Survey, error)) (schema.Survey, error) {
	there, err := d.shelf.Survey(ctx, guid, createdOn)
	if err != nil {
		return there, err
	}
	return arrange(ctx, d, there.Identifier, func(all *schema.Dossier) (schema.Survey, error) {
		i := versionOf(all, guid, createdOn)
		if i < 0 || all.Surveys[i].Deleted {
			return there, noSurvey(guid, createdOn)
		}
		return decide(all, all.Surveys[i])
	})
}

// Surveys gives the newest version of every survey, by guid: the older one first.
func (d *Desk) Surveys(ctx context.Context, deletedToo bool) ([]schema.Survey, error) {
	return d.shelf.Surveys(ctx, "", 1, undeletedSurvey(deletedToo))
}

// PublishedSurveys gives the newest published version of every survey, by guid.
func (d *Desk) PublishedSurveys(ctx context.Context, deletedToo bool) ([]schema.Survey, error) {
	return d.shelf.Surveys(ctx, "", 1, publishedSurvey(deletedToo))
}

// Versions gives the versions of a survey, the newest first. Errors:
// core.ErrNotFound where there is none.
func (d *Desk) Versions(ctx context.Context, guid string, deletedToo bool) ([]schema.Survey, error) {
	return d.versions(ctx, guid, 0, undeletedSurvey(deletedToo))
}

// RecentSurvey gives the newest version of a survey that is not deleted. Errors:
// core.ErrNotFound.
func (d *Desk) RecentSurvey(ctx context.Context, guid string) (schema.Survey, error) {
	all, err := d.versions(ctx, guid, 1, undeletedSurvey(false))
	return first(all, err, noSurvey(guid, time.Time{}))
}

// PublishedSurvey gives the newest published version of a survey. Errors:
// core.ErrNotFound.
func (d *Desk) PublishedSurvey(ctx context.Context, guid string) (schema.Survey, error) {
	all, err := d.versions(ctx, guid, 1, publishedSurvey(false))
	return first(all, err, noSurvey(guid, time.Time{}))
}

// Survey gives a version of a survey, a deleted one too. Errors: core.ErrNotFound.
func (d *Desk) Survey(ctx context.Context, guid string, createdOn time.Time) (schema.Survey, error) {
	return d.shelf.Survey(ctx, guid, createdOn)
}

func (d *Desk) versions(ctx context.Context, guid string, most int, wanted func(schema.Survey) bool) ([]schema.Survey, error) {
	if guid == "" { // which is every survey to the shelf
		return nil, noSurvey(guid, time.Time{})
	}
	all, err := d.shelf.Surveys(ctx, guid, most, wanted)
	if err == nil && len(all) == 0 {
		err = noSurvey(guid, time.Time{})
	}
	return all, err
}

func undeletedSurvey(deletedToo bool) func(schema.Survey) bool {
	return func(s schema.Survey) bool { return deletedToo || !s.Deleted }
}

func publishedSurvey(deletedToo bool) func(schema.Survey) bool {
	return func(s schema.Survey) bool { return s.Published && (deletedToo || !s.Deleted) }
}

// noSurvey says that a version is not there; the zero time: that none is.
func noSurvey(guid string, createdOn time.Time) error {
	if createdOn.IsZero() {
		return fmt.Errorf("survey %s: %w", guid, core.ErrNotFound)
	}
	return fmt.Errorf("survey %s of %s: %w", guid, core.FormatTime(createdOn), core.ErrNotFound)
}
