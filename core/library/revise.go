package library

import (
	"encoding/json"
	"fmt"
	"slices"

	"footbridge/core"
	"footbridge/core/schema"
)

// The rules here are: numbers of revisions only grow, and a version counts the
// changes of one revision from 1. What is kept can be read back.

// create adds a revision.
func create(all *schema.Dossier, s schema.Schema) (schema.Schema, error) {
	if s.Revision == 0 {
		s.Revision = last(all) + 1
	}
	if _, there := revisionOf(all, s.Revision); there {
		return s, fmt.Errorf("%s: %w", s, core.ErrExists)
	}
	s.Version, s.Deleted = 1, false
	return s, putSchema(all, s)
}

// revise adds the revision that follows the one which its author saw.
func revise(all *schema.Dossier, s schema.Schema) (schema.Schema, error) {
	seen := 0
	if i := slices.IndexFunc(all.Schemas, undeletedSchema(false)); i >= 0 {
		seen = all.Schemas[i].Revision
	}
	if s.Revision != seen {
		return s, fmt.Errorf("%s: %w", s, core.ErrConflict)
	}
	s.Revision = last(all) + 1
	return create(all, s)
}

// change replaces a revision. The survey whose answers it takes stays where the
// new one names none.
func change(all *schema.Dossier, s schema.Schema) (schema.Schema, error) {
	was, there := revisionOf(all, s.Revision)
	switch {
	case !there || was.Deleted:
		return s, noSchema(s.ID, s.Revision)
	case s.Version != 0 && s.Version != was.Version:
		return s, fmt.Errorf("%s: %w", s, core.ErrConflict)
	}
	if s.SurveyGUID == "" {
		s.SurveyGUID, s.SurveyCreatedOn = was.SurveyGUID, was.SurveyCreatedOn
	}
	s.Version, s.Deleted = was.Version+1, false
	if err := s.Check(); err != nil {
		return s, err
	}
	if err := was.Change(s); err != nil {
		return s, err
	}
	return s, putSchema(all, s)
}

// discard deletes a revision, or every one where revision is 0.
func discard(all *schema.Dossier, id string, revision int, forGood bool) error {
	meant := func(s schema.Schema) bool {
		return (revision == 0 || s.Revision == revision) && (forGood || !s.Deleted)
	}
	if !slices.ContainsFunc(all.Schemas, meant) {
		return noSchema(id, revision)
	}
	if forGood {
		all.Schemas = slices.DeleteFunc(all.Schemas, meant)
		return nil
	}
	for i, s := range all.Schemas {
		if meant(s) {
			all.Schemas[i].Deleted, all.Schemas[i].Version = true, s.Version+1
		}
	}
	return nil
}

// last is the highest number of a revision, 0 where there is none.
func last(all *schema.Dossier) int {
	if len(all.Schemas) == 0 {
		return 0
	}
	return all.Schemas[0].Revision
}

func revisionOf(all *schema.Dossier, revision int) (schema.Schema, bool) {
	i := slices.IndexFunc(all.Schemas, func(s schema.Schema) bool { return s.Revision == revision })
	if i < 0 {
		return schema.Schema{}, false
	}
	return all.Schemas[i], true
}

// putSchema takes a revision in, in its place. Errors: *core.Invalid.
func putSchema(all *schema.Dossier, s schema.Schema) error {
	if err := s.Check(); err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write %s: %w", s, err)
	}
	if _, err := schema.Parse(text); err != nil {
		return err
	}
	i, there := slices.BinarySearchFunc(all.Schemas, s.Revision, func(other schema.Schema, n int) int { return n - other.Revision })
	if there {
		all.Schemas[i] = s
	} else {
		all.Schemas = slices.Insert(all.Schemas, i, s)
	}
	return nil
}
