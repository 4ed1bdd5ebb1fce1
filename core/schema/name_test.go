package schema_test

import (
	"regexp"
	"testing"

	"footbridge/core/schema"

	"pgregory.net/rapid"
)

func TestSanitizedNames(t *testing.T) {
	for name, want := range map[string]string{
		"":                                  "",
		"walk.json":                         "walk.json",
		"Walk-2_left foot.v1":               "Walk-2_left foot.v1",
		"    ":                              "_  _",
		" ":                                 "_",
		".":                                 "_",
		"-":                                 "_",
		"..":                                "__",
		"a..":                               "a._",
		"--many--of--dashes--":              "_-many--of--dashes--",
		"..many..of..dots..":                "_.many.of.dots._",
		"  many  of  spaces  ":              "_ many  of  spaces _",
		"__many__of__underscores__":         "__many__of__underscores__",
		"a...b....c":                        "a.b.c",
		"!@swaps#$what%^is&*not(plain)":     "__swaps__what__is__not_plain_",
		"tab\tand\nline":                    "tab_and_line",
		"größe":                             "gr__e",
		"smile 😀":                           "smile _",
		"folder/steps.csv":                  "folder_steps.csv",
		".hidden":                           "_hidden",
		"-dash first, dash last-":           "_dash first_ dash last-",
		string([]byte{'a', 0xff, 'b', '.'}): "a_b_",
	} {
		if got := schema.Sanitize(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

var legal = regexp.MustCompile(`^([A-Za-z0-9_]([-A-Za-z0-9_. ]*[-A-Za-z0-9_])?)?$`)

func TestSanitizedNamesAreLegalAndStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-._ a!]{0,9}`)).Draw(t, "name")
		once := schema.Sanitize(name)
		if !legal.MatchString(once) || regexp.MustCompile(`\.\.`).MatchString(once) {
			t.Fatalf("%q became %q", name, once)
		}
		if twice := schema.Sanitize(once); twice != once {
			t.Fatalf("%q became %q, then %q", name, once, twice)
		}
	})
}
