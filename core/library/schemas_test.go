package library_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/library"
	"footbridge/core/schema"
)

// desk is a desk on a fake shelf, at a time that the test sets.
type desk struct {
	*library.Desk
	t   *testing.T
	now time.Time
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, now: time.Date(2026, 11, 20, 8, 0, 0, 123_456_789, time.FixedZone("", 3600))}
	d.Desk = library.NewDesk(&fake{}, func() time.Time { return d.now })
	return d
}

// walk is a schema document with other values.
func walk(other string) []byte {
	return []byte(`{"name":"Walk","schemaId":"walk","schemaType":"ios_data","fieldDefinitions":[{"name":"steps","type":"int"}]` + other + `}`)
}

// saw shows a schema, or the error in its place.
func saw(s schema.Schema, err error) string {
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s version %d", s, s.Version)
	if s.Deleted {
		text += " deleted"
	}
	return text
}

func (d *desk) want(got, want string) {
	d.t.Helper()
	if got != want {
		d.t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCreatingSchemas(t *testing.T) {
	d := newDesk(t)
	d.want(saw(d.CreateSchema(t.Context(), walk(""))), "walk revision 1 version 1")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"revision":0,"version":9,"deleted":true`))), "walk revision 2 version 1")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"revision":7`))), "walk revision 7 version 1")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"revision":3`))), "walk revision 3 version 1")
	d.want(saw(d.CreateSchema(t.Context(), walk(``))), "walk revision 8 version 1")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"revision":7`))), "walk revision 7: exists already")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"revision":-1`))), "UploadSchema is invalid: revision must be positive")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"schemaId":"a\u0000b"`))), "UploadSchema is invalid: schemaId must have at most 255 bytes and no control characters")
	d.want(saw(d.CreateSchema(t.Context(), []byte(`[]`))), "UploadSchema is invalid: UploadSchema must be a JSON object")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"revision":2147483647`))), "walk revision 2147483647 version 1")
	d.want(saw(d.CreateSchema(t.Context(), walk(``))), "UploadSchema is invalid: revision must be a whole number")
}

// A name that is longer when it is written is refused now, not when it is read.
func TestWhatIsKeptCanBeRead(t *testing.T) {
	d := newDesk(t)
	_, err := d.CreateSchema(t.Context(), walk(`,"name":"`+strings.Repeat("<", 300_000)+`"`))
	if err == nil || !strings.Contains(err.Error(), "must have at most 1048576 bytes") {
		t.Error(err)
	}
	_, err = d.CreateSurvey(t.Context(), sleep(`,"name":"`+strings.Repeat("<", 300_000)+`"`))
	if err == nil || !strings.Contains(err.Error(), "must have at most 1048576 bytes") {
		t.Error(err)
	}
}

func TestUpdatingSchemas(t *testing.T) {
	d := newDesk(t)
	update := func(revision int, other string) string {
		return saw(d.UpdateSchema(t.Context(), "walk", revision, walk(other)))
	}
	d.want(update(1, ""), "schema walk revision 1: not found")
	d.want(saw(d.CreateSchema(t.Context(), walk(`,"surveyGuid":"g"`))), "walk revision 1 version 1")
	d.want(update(1, `,"schemaId":"other","revision":5,"name":"Walk on"`), "walk revision 1 version 2")
	d.want(update(1, `,"version":2`), "walk revision 1 version 3")
	d.want(update(1, `,"version":2`), "walk revision 1: changed meanwhile")
	d.want(update(1, `,"name":" "`), "UploadSchema is invalid: name is required")
	d.want(update(1, `,"schemaType":"ios_survey","fieldDefinitions":[]`),
		"walk revision 1 cannot be changed so: schemaType cannot change; field steps is missing. Make a new revision instead")
	var why *schema.Incompatible
	if _, err := d.UpdateSchema(t.Context(), "walk", 1, walk(`,"fieldDefinitions":[]`)); !errors.As(err, &why) {
		t.Error(err)
	}
	s, err := d.Schema(t.Context(), "walk", 1)
	d.want(saw(s, err), "walk revision 1 version 3")
	d.want(s.SurveyGUID, "g")
	must(t, d.DeleteSchema(t.Context(), "walk", 1, false))
	d.want(update(1, ""), "schema walk revision 1: not found")
}

func TestRevisingSchemas(t *testing.T) {
	d := newDesk(t)
	revise := func(other string) string { return saw(d.ReviseSchema(t.Context(), walk(other))) }
	d.want(revise(`,"revision":1`), "walk revision 1: changed meanwhile")
	d.want(revise(``), "walk revision 1 version 1")
	d.want(revise(``), "walk revision 0: changed meanwhile")
	d.want(revise(`,"revision":1,"version":4`), "walk revision 2 version 1")
	d.want(revise(`,"revision":1`), "walk revision 1: changed meanwhile")
	d.want(revise(`,"revision":2,"schemaType":null`), "UploadSchema is invalid: schemaType is required")

	// Who does not see the deleted revision need not know its number, which is not given again.
	must(t, d.DeleteSchema(t.Context(), "walk", 2, false))
	d.want(revise(`,"revision":2`), "walk revision 2: changed meanwhile")
	d.want(revise(`,"revision":1`), "walk revision 3 version 1")
	must(t, d.DeleteSchema(t.Context(), "walk", 0, false))
	d.want(revise(``), "walk revision 4 version 1")
}

func TestDeletingSchemas(t *testing.T) {
	d := newDesk(t)
	for range 3 {
		_, err := d.CreateSchema(t.Context(), walk(""))
		must(t, err)
	}
	remove := func(revision int, forGood bool) string {
		return fmt.Sprint(d.DeleteSchema(t.Context(), "walk", revision, forGood))
	}
	left := func(deletedToo bool) string {
		all, err := d.Revisions(t.Context(), "walk", deletedToo)
		return fmt.Sprint(all, err)
	}
	d.want(remove(4, false), "schema walk revision 4: not found")
	d.want(remove(3, false), "<nil>")
	d.want(remove(3, false), "schema walk revision 3: not found")
	d.want(saw(d.Schema(t.Context(), "walk", 3)), "walk revision 3 version 2 deleted")
	d.want(saw(d.RecentSchema(t.Context(), "walk")), "walk revision 2 version 1")
	d.want(left(false), "[walk revision 2 walk revision 1] <nil>")
	d.want(left(true), "[walk revision 3 walk revision 2 walk revision 1] <nil>")
	d.want(remove(3, true), "<nil>")
	d.want(left(true), "[walk revision 2 walk revision 1] <nil>")
	d.want(remove(0, false), "<nil>")
	d.want(remove(0, false), "schema walk: not found")
	d.want(left(false), "[] schema walk: not found")
	d.want(saw(d.RecentSchema(t.Context(), "walk")), "schema walk: not found")
	d.want(remove(0, true), "<nil>")
	d.want(remove(0, true), "schema walk: not found")
	d.want(left(true), "[] schema walk: not found")
}

func TestListingSchemas(t *testing.T) {
	d := newDesk(t)
	for _, id := range []string{"walk", "tap", "walk"} {
		_, err := d.CreateSchema(t.Context(), walk(`,"schemaId":"`+id+`"`))
		must(t, err)
	}
	list := func(deletedToo bool) string {
		all, err := d.Schemas(t.Context(), deletedToo)
		return fmt.Sprint(all, err)
	}
	d.want(list(false), "[tap revision 1 walk revision 2] <nil>")
	must(t, d.DeleteSchema(t.Context(), "walk", 2, false))
	must(t, d.DeleteSchema(t.Context(), "tap", 0, false))
	d.want(list(false), "[walk revision 1] <nil>")
	d.want(list(true), "[tap revision 1 walk revision 2] <nil>")
	if _, err := d.Revisions(t.Context(), "", true); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
}
