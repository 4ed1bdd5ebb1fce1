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
