package bundle

import (
	"errors"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/core/schema"
)

// The rules here are: a survey that the bundle names has to be there, as its
// answers belong to one version of it; a schema that is not there makes a record
// without data, with the bundle beside it.

// schema finds what describes the bundle; nil where it is schemaless.
func (b *reading) schema(schemas Schemas) (*schema.Schema, error) {
	guid, createdOn := b.info.text("surveyGuid"), b.info.text("surveyCreatedOn")
	if guid != "" && createdOn != "" {
		return b.ofSurvey(schemas, guid, createdOn)
	}
	id := b.info.text("item")
	if id == "" && !b.info.generic() {
		id = b.info.text("identifier") // what old apps called it
	}
	if id == "" {
		if guid != "" || createdOn != "" {
			b.say("survey_incomplete", "info.json names a survey by only one of surveyGuid and surveyCreatedOn, so the record has no data.")
		}
		return nil, nil
	}
	revision := b.info.revision()
	if revision == 0 {
		b.say("schema_revision_invalid", "info.json: schemaRevision is no positive whole number, so the record has no data.")
		return nil, nil
	}
	return b.known(schemas, id, revision)
}

// ofSurvey finds the schema of a version of a survey.
func (b *reading) ofSurvey(schemas Schemas, guid, createdOn string) (*schema.Schema, error) {
	at, err := schema.Moment(createdOn)
	if err != nil {
		b.refuse("schema_not_found", "Survey schema not found: info.json's surveyCreatedOn is %s. The file is kept.", err)
		return nil, nil
	}
	survey, err := schemas.Survey(guid, at.UTC().Truncate(time.Millisecond))
	switch {
	case errors.Is(err, core.ErrNotFound):
		b.refuse("schema_not_found", "Survey schema not found: there is no survey %s that was created on %s. "+
			"surveyCreatedOn in info.json has to be the survey's own. Publish that version, then redrive the upload. The file is kept.",
			shown(guid), core.FormatTime(at))
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("find survey %s: %w", guid, err)
	case survey.SchemaRevision == 0:
		b.say("survey_unpublished", "Survey %s of that date is not published, so the record has no data. Publish it, then redrive the upload.", shown(guid))
		return nil, nil
	}
	return b.known(schemas, survey.Identifier, survey.SchemaRevision)
}

// known finds one revision of a schema.
func (b *reading) known(schemas Schemas, id string, revision int) (*schema.Schema, error) {
	s, err := schemas.Schema(id, revision)
	switch {
	case errors.Is(err, core.ErrNotFound):
		b.say("schema_unknown", "There is no schema %s revision %d, so the record has no data. Make it, then redrive the upload.", shown(id), revision)
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("find schema %s revision %d: %w", id, revision, err)
	}
	return &s, nil
}
