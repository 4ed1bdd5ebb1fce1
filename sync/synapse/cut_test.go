package synapse_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
	told := []core.Reason{
		{Code: "annotation_cut", Message: `Annotation "clientInfo" is cut to 500 characters in the repository; the record has all of it.`},
		{Code: "annotation_left_out", Message: `Annotation "a-b" is not in the repository: the name has characters that the repository does not take.`},
		{Code: "annotation_left_out", Message: `Annotation "_accessRequirementIds" is not in the repository: the name is reserved by the repository.`},
		{Code: "annotation_left_out", Message: `Annotation "` + strings.Repeat("k", 40) + `" is not in the repository: the name is longer than 256 characters.`},
	}
	if diff := cmp.Diff(told, reasons, cmpopts.SortSlices(func(a, b core.Reason) bool { return a.Message < b.Message })); diff != "" {
		t.Error(diff)
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
	if len(got) != synapse.KeyLimit || len(reasons) != 1 || strings.Count(reasons[0].Message, `"`) != 2*22 ||
		!strings.HasPrefix(reasons[0].Message, `Annotations "app098", "app099", `) || !strings.HasSuffix(reasons[0].Message, ` and "app119" are not in the repository: it takes 100 for each file.`) {
		t.Errorf("%d annotations, and told is %v", len(got), reasons)
	}
	for _, key := range []string{"recordId", "zSession", "app000", "app097"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s was left out", key)
		}
	}
	if _, ok := got["app098"]; ok {
		t.Error("app098 was kept")
	}
}

// However many values are cut, the record gets one message, the same each time.
func TestAnnotateManyLongValues(t *testing.T) {
	values := map[string]string{"recordId": "r"}
	for _, key := range []string{"c", "a", "b"} {
		values[key] = strings.Repeat("x", 501)
	}
	_, reasons := synapse.Annotate(values)
	want := []core.Reason{{Code: "annotation_cut", Message: `Annotations "a", "b" and "c" are cut to 500 characters in the repository; the record has all of them.`}}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Error(diff)
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
		told := 0
		for _, reason := range reasons {
			told += strings.Count(strings.ReplaceAll(strings.ReplaceAll(reason.Message, `\\`, ""), `\"`, ""), `"`) / 2
		}
		if kept+told != len(values) {
			t.Errorf("%d kept and %d told, of %d", kept, told, len(values))
		}
	})
}
