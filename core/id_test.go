package core_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"footbridge/core"
)

func TestIDsSortByTime(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	earlier := ""
	for i := range 1000 {
		id := core.NewID(start.Add(time.Duration(i) * time.Millisecond))
		if !shape.MatchString(id) {
			t.Fatalf("%q is not a version 7 UUID", id)
		}
		if id <= earlier {
			t.Fatalf("%q does not sort after %q", id, earlier)
		}
		earlier = id
	}
}

// What was requested from one time to another is what has an id in the span,
// both ends included, however much was requested in the same millisecond.
func TestASpanOfTimeIsASpanOfIDs(t *testing.T) {
	start := time.Date(2026, 11, 20, 8, 0, 0, 123_456_789, time.UTC)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	for ms := range 100 {
		for range 20 {
			id := core.UploadID(core.NewID(at(ms)))
			for _, span := range [][2]int{{0, 99}, {50, 50}, {20, 30}, {31, 30}, {-5, 10}} {
				want := span[0] <= ms && ms <= span[1]
				if got := core.Between(at(span[0]), at(span[1])).Holds(id); got != want {
					t.Fatalf("%s, made at %d, in %v: %v", id, ms, span, got)
				}
			}
		}
	}
	id := core.UploadID(core.NewID(start))
	for _, all := range []core.Span{{}, core.Between(time.Time{}, time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)), {First: id, Last: id}} {
		if !all.Holds(id) {
			t.Errorf("%v lacks %s", all, id)
		}
	}
}

func TestWhatHasTheFormOfAnID(t *testing.T) {
	id := core.NewID(time.Now())
	for text, want := range map[string]bool{
		id: true, string(core.NewHealthCode()): true, "": false, id[:35]: false, id + "0": false, strings.ToUpper(id): false,
		strings.Replace(id, "-", "0", 1): false, "-" + id[1:]: false, id[:35] + "g": false, id[:35] + "/": false,
	} {
		if got := core.ValidID(text); got != want {
			t.Errorf("%q is an id: %v", text, got)
		}
	}
}

func TestHealthCodesAreNeverTheSame(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[core.HealthCode]bool{}
	for range 1000 {
		code := core.NewHealthCode()
		if !shape.MatchString(string(code)) || seen[code] {
			t.Fatalf("health code %q is malformed or repeated", code)
		}
		seen[code] = true
	}
}

func TestInvalidNamesEveryFieldOnce(t *testing.T) {
	var invalid core.Invalid
	if invalid.Err() != nil {
		t.Fatal("nothing was complained about, yet there is an error")
	}
	invalid.Entity = "UploadRequest"
	invalid.Complain("name", "cannot be null or blank")
	invalid.Complain("contentLength", "must be over %d", 0)
	want := "UploadRequest is invalid: contentLength must be over 0; name cannot be null or blank"
	if got := invalid.Err().Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIdentifiersNameFolders(t *testing.T) {
	for id, want := range map[string]bool{
		"sleep": true, "a1": true, "2-b": true, strings.Repeat("x", 60): true,
		"": false, "a": false, "-a": false, "Sleep": false, "a/b": false, "..": false, "a b": false, strings.Repeat("x", 61): false,
	} {
		if got := core.ValidIdentifier(id); got != want {
			t.Errorf("%q is valid: %v", id, got)
		}
	}
}

func TestMadeOn(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 0, 0, 7_000_000, time.UTC)
	if got, ok := core.MadeOn(core.NewID(at)); !ok || !got.Equal(at) {
		t.Errorf("made on %v (%v)", got, ok)
	}
	for _, other := range []string{"", "walk", "0199f3a2-1111"} {
		if got, ok := core.MadeOn(other); ok {
			t.Errorf("%q was made on %v", other, got)
		}
	}
}
