package library_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/library"
	"footbridge/core/schema"
	"footbridge/store"
)

var _ library.Shelf = (*store.Store)(nil)

// fake is a Shelf in memory, for one goroutine. Each list is by name, the newest
// edition first.
type fake struct {
	schemas []schema.Schema
	surveys []schema.Survey
}

func (f *fake) Arrange(_ context.Context, identifier string, change func(*schema.Dossier) error) error {
	revised := func(s schema.Schema) bool { return s.ID == identifier }
	versioned := func(s schema.Survey) bool { return s.Identifier == identifier }
	d := schema.Dossier{Schemas: only(f.schemas, revised), Surveys: only(f.surveys, versioned)}
	if err := change(&d); err != nil {
		return err
	}
	f.schemas = append(slices.DeleteFunc(f.schemas, revised), d.Schemas...)
	f.surveys = append(slices.DeleteFunc(f.surveys, versioned), d.Surveys...)
	slices.SortStableFunc(f.schemas, func(a, b schema.Schema) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(f.surveys, func(a, b schema.Survey) int { return cmp.Compare(a.GUID, b.GUID) })
	return nil
}

func (f *fake) Schema(_ context.Context, id string, revision int) (schema.Schema, error) {
	return one(only(f.schemas, func(s schema.Schema) bool { return s.ID == id && s.Revision == revision }))
}

func (f *fake) Survey(_ context.Context, guid string, createdOn time.Time) (schema.Survey, error) {
	of := core.FormatTime(createdOn)
	return one(only(f.surveys, func(s schema.Survey) bool { return s.GUID == guid && core.FormatTime(s.CreatedOn) == of }))
}

func (f *fake) Schemas(_ context.Context, id string, most int, wanted func(schema.Schema) bool) ([]schema.Schema, error) {
	return list(f.schemas, func(s schema.Schema) string { return s.ID }, id, most, wanted), nil
}

func (f *fake) Surveys(_ context.Context, guid string, most int, wanted func(schema.Survey) bool) ([]schema.Survey, error) {
	return list(f.surveys, func(s schema.Survey) string { return s.GUID }, guid, most, wanted), nil
}

// list gives the first editions that are wanted of the name, or of every name.
func list[T any](all []T, of func(T) string, name string, most int, wanted func(T) bool) []T {
	taken := map[string]int{}
	return only(all, func(v T) bool {
		if name != "" && of(v) != name || !wanted(v) || most > 0 && taken[of(v)] == most {
			return false
		}
		taken[of(v)]++
		return true
	})
}

func only[T any](all []T, wanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !wanted(v) })
}

func one[T any](all []T) (T, error) {
	if len(all) == 0 {
		return *new(T), fmt.Errorf("it: %w", core.ErrNotFound)
	}
	return all[0], nil
}

// onEach runs a test on the fake and on the store.
func onEach(t *testing.T, test func(t *testing.T, shelf library.Shelf)) {
	t.Run("fake", func(t *testing.T) { test(t, &fake{}) })
	t.Run("store", func(t *testing.T) {
		s, err := store.Open(t.TempDir(), store.Config{})
		must(t, err)
		t.Cleanup(func() { s.Close() })
		test(t, s)
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What every shelf does.
func TestShelves(t *testing.T) {
	onEach(t, func(t *testing.T, shelf library.Shelf) {
		all := func(schema.Schema) bool { return true }
		every := func(schema.Survey) bool { return true }
		day := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
		put := func(identifier string, schemas []schema.Schema, surveys ...schema.Survey) {
			t.Helper()
			must(t, shelf.Arrange(t.Context(), identifier, func(d *schema.Dossier) error {
				d.Schemas, d.Surveys = schemas, surveys
				return nil
			}))
		}
		revision := func(id string, n int) schema.Schema {
			return schema.Schema{ID: id, Revision: n, Kind: schema.Data, Deleted: n%2 == 0}
		}
		listed := func(id string, most int, wanted func(schema.Schema) bool) string {
			t.Helper()
			found, err := shelf.Schemas(t.Context(), id, most, wanted)
			must(t, err)
			return fmt.Sprint(found)
		}
		put("walk", []schema.Schema{revision("walk", 10), revision("walk", 9), revision("walk", 1)})
		put("walk 2", []schema.Schema{revision("walk 2", 3)})
		put("wal", []schema.Schema{revision("wal", 2)},
			schema.Survey{Identifier: "wal", GUID: "g2", CreatedOn: day.Add(time.Millisecond), Name: "newer"},
			schema.Survey{Identifier: "wal", GUID: "g2", CreatedOn: day, Name: "older"})
		put("x", nil, schema.Survey{Identifier: "x", GUID: "g1", CreatedOn: day})

		undeleted := func(s schema.Schema) bool { return !s.Deleted }
		for got, want := range map[string]string{
			listed("walk", 0, all): "[walk revision 10 walk revision 9 walk revision 1]", listed("walk", 1, all): "[walk revision 10]",
			listed("walk", 1, undeleted): "[walk revision 9]", listed("wal", 0, undeleted): "[]", listed("w", 0, all): "[]",
			listed("", 1, all): "[wal revision 2 walk revision 10 walk 2 revision 3]", listed("", 1, undeleted): "[walk revision 9 walk 2 revision 3]",
			listed("", 2, all): "[wal revision 2 walk revision 10 walk revision 9 walk 2 revision 3]",
		} {
			if got != want {
				t.Errorf("listed %s, want %s", got, want)
			}
		}
		surveys, err := shelf.Surveys(t.Context(), "", 1, every)
		must(t, err)
		if len(surveys) != 2 || surveys[0].GUID != "g1" || surveys[1].Name != "newer" {
			t.Errorf("%+v", surveys)
		}

		// Points are found whatever the zone and below the millisecond, and nothing else is.
		survey, err := shelf.Survey(t.Context(), "g2", day.Add(300*time.Microsecond).In(time.FixedZone("", 3600)))
		if err != nil || survey.Name != "older" {
			t.Errorf("%+v %v", survey, err)
		}
		if s, err := shelf.Schema(t.Context(), "walk", 10); err != nil || !s.Deleted {
			t.Errorf("%v %v", s, err)
		}
		_, noSchema := shelf.Schema(t.Context(), "walk", 2)
		_, noSurvey := shelf.Survey(t.Context(), "g2", day.Add(time.Second))
		for _, err := range []error{noSchema, noSurvey} {
			if !errors.Is(err, core.ErrNotFound) {
				t.Error(err)
			}
		}

		// A change sees what goes by its identifier; its error undoes it.
		broken := errors.New("broken")
		err = shelf.Arrange(t.Context(), "wal", func(d *schema.Dossier) error {
			if len(d.Schemas) != 1 || len(d.Surveys) != 2 || d.Surveys[0].Name != "newer" {
				t.Errorf("%+v", d)
			}
			d.Schemas, d.Surveys = nil, nil
			return broken
		})
		if err != broken || listed("wal", 0, all) != "[wal revision 2]" {
			t.Errorf("%v %s", err, listed("wal", 0, all))
		}
		put("wal", nil)
		if got := listed("", 0, all); got != "[walk revision 10 walk revision 9 walk revision 1 walk 2 revision 3]" {
			t.Error(got)
		}
		must(t, shelf.Arrange(t.Context(), "wal", func(d *schema.Dossier) error {
			if len(d.Schemas)+len(d.Surveys) != 0 {
				t.Errorf("%+v", d)
			}
			return nil
		}))
	})
}
