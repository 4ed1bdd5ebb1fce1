package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"footbridge/core"
	"footbridge/core/schema"
	"footbridge/store/rows"
)

// edition stands in a key between the name of a document and the number or time
// of the edition: names have no control characters.
const edition = "\x00"

func schemaKey(id string, revision int) string {
	return fmt.Sprintf("%s%s%010d", id, edition, revision)
}

func surveyKey(guid string, createdOn time.Time) string {
	return guid + edition + core.FormatTime(createdOn)
}

// Schema gives a revision of a schema, a deleted one too. Errors:
// core.ErrNotFound (library.Shelf).
func (s *Store) Schema(_ context.Context, id string, revision int) (schema.Schema, error) {
	return load[schema.Schema](s.rows, schemasBucket, schemaKey(id, revision), fmt.Sprintf("schema %s revision %d", id, revision))
}

// Survey gives a version of a survey, a deleted one too; createdOn counts to the
// millisecond. Errors: core.ErrNotFound (library.Shelf).
func (s *Store) Survey(_ context.Context, guid string, createdOn time.Time) (schema.Survey, error) {
	return load[schema.Survey](s.rows, surveysBucket, surveyKey(guid, createdOn), fmt.Sprintf("survey %s of %s", guid, core.FormatTime(createdOn)))
}

// Schemas gives the newest revisions that are wanted, at most so many of each
// schema (0: all), of one or of every schema (library.Shelf).
func (s *Store) Schemas(_ context.Context, id string, most int, wanted func(schema.Schema) bool) ([]schema.Schema, error) {
	return editions(s.rows, schemasBucket, id, most, wanted)
}

// Surveys gives the newest versions that are wanted, at most so many of each
// survey (0: all), of one or of every survey (library.Shelf).
func (s *Store) Surveys(_ context.Context, guid string, most int, wanted func(schema.Survey) bool) ([]schema.Survey, error) {
	return editions(s.rows, surveysBucket, guid, most, wanted)
}

// editions gives the newest editions that are wanted, at most so many of each
// document (0: all): of the one with a name, or of every one where it is empty.
// They come by name, the newest first. What is not needed is not decoded.
func editions[T any](from *rows.DB, bucket rows.Bucket, name string, most int, wanted func(T) bool) ([]T, error) {
	prefix := ""
	if name != "" {
		prefix = name + edition
	}
	var byName [][]T // the last name first
	var of string
	var failed error
	from.ScanBack(bucket, prefix, "", func(key string, raw []byte) bool {
		its, _, _ := cutLast(key, edition)
		if byName == nil || its != of {
			of, byName = its, append(byName, nil)
		}
		found := &byName[len(byName)-1]
		if most > 0 && len(*found) == most {
			return name == ""
		}
		v, err := decode[T](raw)
		if err != nil {
			failed = fmt.Errorf("read %s %q: %w", bucket, key, err)
			return false
		}
		if wanted(v) {
			*found = append(*found, v)
		}
		return true
	})
	slices.Reverse(byName)
	return slices.Concat(byName...), failed
}

// Arrange runs change on what goes by an identifier, and keeps what it leaves of
// it (library.Shelf).
func (s *Store) Arrange(ctx context.Context, identifier string, change func(*schema.Dossier) error) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		was := shelved{tx, map[place][]byte{}}
		d, err := was.dossier(identifier)
		if err != nil {
			return err
		}
		if err := change(&d); err != nil {
			return err
		}
		return was.replace(identifier, d)
	})
}

// shelved is rows as a change finds them.
type shelved struct {
	tx   *rows.Tx
	rows map[place][]byte
}

type place struct {
	bucket rows.Bucket
	key    string
}

// dossier reads what goes by an identifier.
func (w shelved) dossier(identifier string) (d schema.Dossier, err error) {
	if d.Schemas, err = gather[schema.Schema](w, schemasBucket, identifier); err != nil {
		return d, err
	}
	if guid := w.tx.Get(surveyNamesBucket, identifier); guid != nil {
		d.Surveys, err = gather[schema.Survey](w, surveysBucket, string(guid))
	}
	return d, err
}

// gather reads the editions of a document, the newest first.
func gather[T any](w shelved, bucket rows.Bucket, name string) (all []T, failed error) {
	w.tx.Scan(bucket, name+edition, func(key string, raw []byte) {
		v, err := decode[T](raw)
		if err != nil {
			failed = fmt.Errorf("read %s %q: %w", bucket, key, err)
		}
		w.rows[place{bucket, key}] = raw
		all = append(all, v)
	})
	slices.Reverse(all)
	return all, failed
}

// replace makes the rows those of a dossier.
func (w shelved) replace(identifier string, d schema.Dossier) error {
	for _, s := range d.Schemas {
		if err := w.put(place{schemasBucket, schemaKey(s.ID, s.Revision)}, s); err != nil {
			return err
		}
	}
	for _, s := range d.Surveys {
		if err := w.put(place{surveysBucket, surveyKey(s.GUID, s.CreatedOn)}, s); err != nil {
			return err
		}
	}
	for at := range w.rows {
		w.tx.Delete(at.bucket, at.key)
	}
	switch known := w.tx.Get(surveyNamesBucket, identifier) != nil; {
	case known && len(d.Surveys) == 0:
		w.tx.Delete(surveyNamesBucket, identifier)
	case !known && len(d.Surveys) > 0:
		w.tx.Put(surveyNamesBucket, identifier, []byte(d.Surveys[0].GUID))
	}
	return nil
}

// put writes a row unless it is as it was, and takes it from those that are to go.
func (w shelved) put(at place, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s %q: %w", at.bucket, at.key, err)
	}
	if !bytes.Equal(raw, w.rows[at]) {
		w.tx.Put(at.bucket, at.key, raw)
	}
	delete(w.rows, at)
	return nil
}
