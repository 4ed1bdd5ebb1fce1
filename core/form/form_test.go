package form_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/core/form"

	"github.com/google/go-cmp/cmp"
)

// document has values of every kind.
const document = `{"text":"x","number":-7,"flag":true,"null":null,"empty":"","list":[1],"object":{},"big":4294967296,"fraction":1.5,"TEXT":"twice","not":"true"}`

func TestReadingValues(t *testing.T) {
	var d map[string]form.Value
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		t.Fatal(err)
	}
	r := form.Of("Thing")
	got := map[string]string{}
	for _, key := range []string{"text", "number", "flag", "null", "empty", "list", "big", "fraction", "not", "missing"} {
		n, given := r.Number(key+".n", d[key], 32)
		flag := r.Flag(key+".f", d[key])
		line := fmt.Sprintf("%q %d %t", r.Text(key+".t", d[key]), n, given)
		if flag != nil {
			line += fmt.Sprint(" ", *flag)
		}
		got[key] = line
	}
	want := map[string]string{
		"text": `"x" 0 false`, "number": `"-7" -7 true`, "flag": `"true" 0 false true`, "null": `"" 0 false`, "empty": `"" 0 false`,
		"list": `"" 0 false`, "big": `"4294967296" 0 false`, "fraction": `"1.5" 0 false`, "not": `"true" 0 false true`, "missing": `"" 0 false`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var wrong []string
	for path := range r.Invalid.Fields {
		wrong = append(wrong, path)
	}
	slices.Sort(wrong)
	const complaints = "big.f big.n flag.n fraction.f fraction.n list.f list.n list.t not.n number.f text.f text.n"
	if got := strings.Join(wrong, " "); got != complaints {
		t.Errorf("complains of %s, want %s", got, complaints)
	}
	if n, given := r.Number("big", d["big"], 64); n != 1<<32 || !given {
		t.Error(n, given)
	}
}

func TestReadingTimes(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-11-20T08:00:00.1239+01:00"`: "2026-11-20T07:00:00.123Z", `1763622000123`: "2025-11-20T07:00:00.123Z", `"2026-11-20"`: "2026-11-20T00:00:00.000Z",
		`""`: "none", `null`: "none", `"now"`: "wrong", `1e99`: "wrong", `99999999999999999`: "wrong", `[]`: "wrong", `true`: "wrong",
	} {
		var v form.Value
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		r := form.Of("Thing")
		at, got := r.Time("at", v), "none"
		switch {
		case r.Err() != nil:
			got = "wrong"
		case !at.IsZero():
			got = core.FormatTime(at)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestNoOneReadsManyComplaints(t *testing.T) {
	r := form.Of("Thing")
	if r.Err() != nil {
		t.Error(r.Err())
	}
	for i := range 1000 {
		r.Complain(form.At("list", i, "a", "b"), "is wrong")
	}
	if len(r.Invalid.Fields) != 100 || r.Invalid.Fields["list[99].a.b"] == nil {
		t.Errorf("%d complaints", len(r.Invalid.Fields))
	}
}
