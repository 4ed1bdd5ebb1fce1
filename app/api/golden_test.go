package api_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

var (
	anID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	aTime   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
	aDate   = regexp.MustCompile(`"\d{4}-\d\d-\d\d"`)
	aFolder = regexp.MustCompile(`/\d{4}-\d\d-\d\d/`)
	aHost   = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	aSecret = regexp.MustCompile(`((?:session|reauth)Token": "|expires=|signature=|whsec_)[A-Za-z0-9_+/=-]+`)
)

// golden compares an answer with testdata/name.json. Ids, times, addresses and
// secrets differ each time: their form is compared.
func (a answer) golden(t *testing.T, name string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(a.raw), &v); err != nil {
		t.Fatalf("%s is no JSON: %v", a.raw, err)
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	encoder.Encode(v)
	got := text.String()
	for _, mask := range []struct {
		form *regexp.Regexp
		with string
	}{{anID, "<id>"}, {aTime, "<time>"}, {aDate, `"<date>"`}, {aFolder, "/<date>/"}, {aHost, "<host>"}, {aSecret, "$1<secret>"}} {
		got = mask.form.ReplaceAllString(got, mask.with)
	}
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
