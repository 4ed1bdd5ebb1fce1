package library

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"footbridge/core"
	"footbridge/core/schema"
)

// The rules here are: a survey keeps guid and identifier through all versions;
// the versions' times only grow; what is published stays as it is; a survey and
// the schema of its answers are published together. What is kept can be read
// back.

// begin adds the first version of a survey.
func begin(all *schema.Dossier, s schema.Survey) (schema.Survey, error) {
	if len(all.Surveys) > 0 {
		return s, fmt.Errorf("survey %s with the identifier %s: %w", all.Surveys[0].GUID, s.Identifier, core.ErrExists)
	}
	if err := s.Claim(newest(all)); err != nil {
		return s, err
	}
	s = fresh(s)
	return s, putSurvey(all, s)
}

// newest is the newest revision of the schema, a deleted one too; nil where there is
// none.
func newest(all *schema.Dossier) *schema.Schema {
	if len(all.Schemas) == 0 {
		return nil
	}
	return &all.Schemas[0]
}

// fresh is a version as it is at its creation.
func fresh(s schema.Survey) schema.Survey {
	s.ModifiedOn, s.Version = s.CreatedOn, 1
	s.Published, s.Deleted, s.SchemaRevision = false, false, 0
	return named(s)
}

// named gives every element a guid that has none.
func named(s schema.Survey) schema.Survey {
	s.Elements = slices.Clone(s.Elements)
	for i, e := range s.Elements {
		if e.GUID == "" {
			s.Elements[i] = e.WithGUID(core.NewID(s.ModifiedOn))
		}
	}
	return s
}

// edit replaces a version that is not published yet. A document that names no
// identifier keeps the survey's.
func edit(all *schema.Dossier, was, s schema.Survey, now time.Time) (schema.Survey, error) {
	switch {
	case was.Published:
		return s, ErrPublished
	case s.Version != 0 && s.Version != was.Version:
		return s, fmt.Errorf("survey %s: %w", was.GUID, core.ErrConflict)
	case s.Identifier != "" && s.Identifier != was.Identifier:
		invalid := &core.Invalid{Entity: "Survey"}
		invalid.Complain("identifier", "cannot change: it is %s in every version; make another survey for another one", was.Identifier)
		return s, invalid
	}
	s.Identifier, s.GUID, s.CreatedOn = was.Identifier, was.GUID, was.CreatedOn
	s = fresh(s)
	s.ModifiedOn, s.Version = now, was.Version+1
	return s, putSurvey(all, s)
}

// renew adds a version that is like another one.
func renew(all *schema.Dossier, s schema.Survey, now time.Time) (schema.Survey, error) {
	s.CreatedOn = now
	if newest := all.Surveys[0].CreatedOn; !now.After(newest) {
		s.CreatedOn = newest.Add(time.Millisecond)
	}
	s = fresh(s)
	return s, putSurvey(all, s)
}

// publish publishes a version and the schema of its answers.
func publish(all *schema.Dossier, s schema.Survey, newRevision bool, now time.Time) (schema.Survey, error) {
	if s.Published {
		return s, nil
	}
	s, answers, err := schema.Publish(s, newest(all), newRevision)
	if err != nil {
		return s, err
	}
	was, _ := revisionOf(all, answers.Revision)
	answers.Version = was.Version + 1
	if err := putSchema(all, answers); err != nil {
		return s, err
	}
	s.ModifiedOn, s.Version = now, s.Version+1
	return s, putSurvey(all, s)
}

// withdraw deletes a version.
func withdraw(all *schema.Dossier, guid string, createdOn time.Time, forGood bool) error {
	i := versionOf(all, guid, createdOn)
	switch {
	case i < 0 || all.Surveys[i].Deleted && !forGood:
		return noSurvey(guid, createdOn)
	case forGood:
		all.Surveys = slices.Delete(all.Surveys, i, i+1)
	default:
		all.Surveys[i].Deleted = true
		all.Surveys[i].Version++
	}
	return nil
}

// versionOf gives the place of a version, -1 where it is not there.
func versionOf(all *schema.Dossier, guid string, createdOn time.Time) int {
	createdOn = createdOn.Truncate(time.Millisecond)
	return slices.IndexFunc(all.Surveys, func(s schema.Survey) bool { return s.GUID == guid && s.CreatedOn.Equal(createdOn) })
}

// putSurvey takes a version in, in its place. Errors: *core.Invalid.
func putSurvey(all *schema.Dossier, s schema.Survey) error {
	if err := s.Check(); err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write survey %s: %w", s.GUID, err)
	}
	if _, err := schema.ParseSurvey(text); err != nil {
		return err
	}
	i, there := slices.BinarySearchFunc(all.Surveys, s.CreatedOn, func(other schema.Survey, t time.Time) int { return t.Compare(other.CreatedOn) })
	if there {
		all.Surveys[i] = s
	} else {
		all.Surveys = slices.Insert(all.Surveys, i, s)
	}
	return nil
}
