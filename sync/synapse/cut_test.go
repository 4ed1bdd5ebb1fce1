package synapse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"footbridge/core"
	"footbridge/sync/synapse"
)

func TestName(t *testing.T) {
	for _, test := range []struct {
		name, want string
		as         bool // it is fit as it is
	}{
		{"0199-walk.zip", "0199-walk.zip", true},
		{"a,b_c. d-e+f()'", "a,b_c. d-e+f()'", true},
		{"a/b\\c:d#e@f", "a_b_c_d_e_f", false},
		{"é日", "__", false},
		{" walk ", "walk", false},
		{"", "", false},
		{"   ", "", false},
		{strings.Repeat("x", 256), strings.Repeat("x", 256), true},
		{strings.Repeat("x", 257), strings.Repeat("x", 256), false},
		{strings.Repeat("x", 255) + " y", strings.Repeat("x", 255), false},
	} {
		if got := synapse.Name(test.name); got != test.want {
			t.Errorf("Name(%q) = %q, want %q", test.name, got, test.want)
		}
		if err := synapse.CheckName(test.name); (err == nil) != test.as {
			t.Errorf("CheckName(%q) = %v", test.name, err)
		}
	}
}

func TestAnnotate(t *testing.T) {
	long := strings.Repeat("x", 499) + "😀"
	got, reasons := synapse.Annotate(map[string]string{
		"recordId": "r", "participantVersion": "3", "task": "", "clientInfo": long,
		"a-b": "x", "_accessRequirementIds": "x", strings.Repeat("k", 257): "x",
	})
	want := synapse.Annotations{
		"recordId":           {Type: "STRING", Value: []string{"r"}},
		"participantVersion": {Type: "LONG", Value: []string{"3"}},
		"task":               {Type: "STRING", Value: []string{""}},
		"clientInfo":         {Type: "STRING", Value: []string{strings.Repeat("x", 499)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var codes []string
	for _, reason := range reasons {
		codes = append(codes, reason.Code)
	}
	if diff := cmp.Diff([]string{"annotation_left_out", "annotation_left_out", "annotation_cut", "annotation_left_out"}, codes); diff != "" {
		t.Error(diff, reasons)
	}
	if _, reasons := synapse.Annotate(map[string]string{"participantVersion": "three"}); len(reasons) != 1 {
		t.Errorf("a version that is no number: %v", reasons)
	}
}

// Of more keys than the repository takes, those that matter most stay.
func TestAnnotateManyKeys(t *testing.T) {
	values := map[string]string{"recordId": "r", "zSession": "s"}
	for i := range 120 {
		values[fmt.Sprintf("app%03d", i)] = "x"
	}
	got, reasons := synapse.Annotate(values, "recordId", "missing", "zSession")
	if len(got) != synapse.KeyLimit || len(reasons) != 22 {
		t.Errorf("%d annotations and %d reasons", len(got), len(reasons))
	}
	for _, key := range []string{"recordId", "zSession", "app000", "app097"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s was left out", key)
		}
	}
	if _, ok := got["app098"]; ok {
		t.Error("app098 was kept")
	}
	if !slices.IsSortedFunc(reasons, func(a, b core.Reason) int { return strings.Compare(a.Message, b.Message) }) {
		t.Error("the reasons are in no order")
	}
}

// Whatever an app submits, what comes out is what the repository takes, and says
// of itself nothing that was cut.
func TestAnnotateAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.MapOfN(rapid.String(), rapid.StringN(0, 600, -1), 0, 130).Draw(t, "values")
		got, reasons := synapse.Annotate(values)
		kept := 0
		for key, value := range got {
			text := value.Value[0]
			if n := len(utf16.Encode([]rune(text))); n > synapse.ValueLimit {
				t.Errorf("%q has %d units", key, n)
			}
			if !strings.HasPrefix(values[key], text) || utf8.ValidString(values[key]) && !utf8.ValidString(text) {
				t.Errorf("%q was cut to %q", values[key], text)
			}
			if text == values[key] {
				kept++
			}
		}
		if kept+len(reasons) != len(values) {
			t.Errorf("%d kept and %d told, of %d", kept, len(reasons), len(values))
		}
	})
}
