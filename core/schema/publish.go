package schema

import (
	"fmt"
	"slices"
)

// The rules here are: the answers to a survey go into the schema that has its
// identifier, and no two surveys share one. A schema that is there takes the
// answers to the new version too where it can, so that they all are in one table.

// Taken says that a survey's identifier is that of a schema which is not its own.
type Taken struct{ Identifier string }

// Error says it, and what to do.
func (t *Taken) Error() string {
	return fmt.Sprintf("the survey's identifier %s is that of a schema which is not its own; make the survey under another one", t.Identifier)
}

// Publish publishes a version of a survey: it gives the survey as it is then, and
// the schema revision that takes its answers, both to be saved in one
// transaction. latest is the newest revision of the schema with the survey's
// identifier, deleted ones included, nil where there is none. It is changed where
// that suffices, unless always a new revision is wanted.
//
// Publishing again changes nothing but what is new. Errors: *Taken, *core.Invalid.
func Publish(survey Survey, latest *Schema, newRevision bool) (Survey, Schema, error) {
	if err := survey.Check(); err != nil {
		return survey, Schema{}, err
	}
	if err := survey.Claim(latest); err != nil {
		return survey, Schema{}, err
	}
	s := Schema{Kind: Answers, Revision: 1, Fields: []Field{answers()}}
	switch {
	case latest == nil:
	case newRevision || latest.Deleted || latest.ModuleID != "" || !latest.takesAnswers():
		s.Revision = latest.Revision + 1
	default:
		s = *latest
		if _, ok := s.Field(AnswersField); !ok {
			s.Fields = append(slices.Clip(s.Fields), answers())
		}
	}
	s.Name, s.ID = survey.Name, survey.Identifier
	s.SurveyGUID, s.SurveyCreatedOn = survey.GUID, survey.CreatedOn
	if err := s.Check(); err != nil {
		return survey, Schema{}, err
	}
	survey.Published, survey.SchemaRevision = true, s.Revision
	return survey, s, nil
}

// Claim reports whether the survey may have its identifier: latest is the newest
// revision of the schema that goes by it, nil where none does. Errors: *Taken.
func (s Survey) Claim(latest *Schema) error {
	if latest != nil && (latest.Kind != Answers || latest.SurveyGUID != s.GUID) {
		return &Taken{s.Identifier}
	}
	return nil
}

// answers is the field that takes all answers.
func answers() Field { return Field{Name: AnswersField, Type: LargeText, Required: true} }

// takesAnswers reports whether the schema has room for all answers, or can have.
func (s Schema) takesAnswers() bool {
	f, ok := s.Field(AnswersField)
	return !ok || f.Type.Attachment() || f.Type.sized() && f.unbounded()
}
