package tongue_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"footbridge/ui/tongue"

	"github.com/google/go-cmp/cmp"
)

func TestIn(t *testing.T) {
	for wish, want := range map[string]string{
		"": "en", "C": "en", "de-DE": "en", "fr": "fr", "fr_CM.UTF-8": "fr", "pt-BR,pt;q=0.9,en;q=0.8": "pt", "sw-KE": "sw", "de, pt-BR;q=0.8, en;q=0.1": "pt", "en;q=0.5, fr": "fr", "*": "en", "fr_FR@euro": "fr", "de;q=": "en", "es_MX": "es", "POSIX": "en",
	} {
		if got := tongue.In(wish).Code(); got != want {
			t.Errorf("who would like %q hears %s, not %s", wish, got, want)
		}
	}
	if got := tongue.In("", "sw_TZ").Code(); got != "sw" {
		t.Errorf("who has no first wish hears %s", got)
	}
	if got := (tongue.Tongue{}).Code(); got != "en" {
		t.Errorf("the zero Tongue speaks %s", got)
	}
}

func TestCount(t *testing.T) {
	en, fr := tongue.Tongue{}, tongue.In("fr")
	for _, c := range []struct {
		got, want string
	}{
		{en.Count("count.record", 0), "0 records"}, {en.Count("count.record", 1), "1 record"}, {en.Count("count.record", 1_000_000), "1000000 records"},
		{fr.Count("count.record", 0), "0 enregistrement"}, {fr.Count("count.record", 2), "2 enregistrements"}, {fr.Count("count.record", 1_000_000), "1000000 enregistrements"},
		{tongue.In("pt-MZ").Count("count.record", 0), "0 registos"}, {tongue.In("sw").Count("count.record", 1), "rekodi 1"},
		{en.Say("no.such.name"), "no.such.name"},
	} {
		if c.got != c.want {
			t.Errorf("said %q, not %q", c.got, c.want)
		}
	}
}

// texts reads the catalogue: language, then name, then its text in one line.
func texts(t *testing.T) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	for _, l := range tongue.Languages() {
		all[l.Code] = map[string]string{}
	}
	names, err := filepath.Glob("catalogue/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]json.RawMessage
		if err := json.Unmarshal(body, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		code := strings.Split(filepath.Base(name), ".")[1]
		for id, text := range file {
			if _, twice := all[code][id]; twice {
				t.Errorf("%s is there twice in %s", id, code)
			}
			all[code][id] = string(text)
		}
	}
	return all
}

var place = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

// Every language says everything, fills the same places and counts alike.
func TestNothingIsMissing(t *testing.T) {
	all := texts(t)
	if codes := slices.Sorted(maps.Keys(all)); !slices.Equal(codes, []string{"en", "es", "fr", "pt", "sw"}) {
		t.Fatalf("the languages are %v", codes)
	}
	for code, said := range all {
		if diff := cmp.Diff(slices.Sorted(maps.Keys(all["en"])), slices.Sorted(maps.Keys(said))); diff != "" {
			t.Errorf("%s says other things than English (-en +%s):\n%s", code, code, diff)
		}
		for id, text := range said {
			english := all["en"][id]
			if diff := cmp.Diff(places(english), places(text)); diff != "" {
				t.Errorf("%s fills other places in %s than English (-en +%s):\n%s", id, code, code, diff)
			}
			if (text[0] == '{') != (english[0] == '{') {
				t.Errorf("%s counts in one of English and %s only", id, code)
			}
			if text == `""` || strings.Contains(text, `: ""`) {
				t.Errorf("%s says nothing in %s", id, code)
			}
		}
	}
}

// An upload has one word in each language, which is another than that for sending records
// on: the pages are called so.
func TestAnUploadHasOneWord(t *testing.T) {
	all, uploads := texts(t), regexp.MustCompile(`\b[Uu]ploads?\b`)
	for code, word := range map[string]string{"en": "pload", "es": "arga", "fr": "éléversement", "pt": "arregamento", "sw": "paki"} {
		for id, english := range all["en"] {
			if uploads.MatchString(english) && !strings.HasPrefix(id, "guide.test.") && !strings.Contains(all[code][id], word) { // the test is sent
				t.Errorf("%s: %s calls an upload otherwise: %s", code, id, all[code][id])
			}
		}
		if !strings.Contains(all[code]["uploads.name"], word) || strings.Contains(all[code]["sending.name"], word) {
			t.Errorf("%s: the pages are called %s and %s", code, all[code]["uploads.name"], all[code]["sending.name"])
		}
	}
}

// Each language has one kind of quotation marks, and one sign for an apostrophe and for what
// is left out. English that programs say is heard by its very words, and has theirs.
func TestSignsAreTheSame(t *testing.T) {
	heard := regexp.MustCompile(`^(message|phrase)\.`)
	others := map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`[«»'"]|\.\.\.`), "sw": regexp.MustCompile(`[«»'"]|\.\.\.`),
		"es": regexp.MustCompile(`[“”'"]|\.\.\.|« | »`), "pt": regexp.MustCompile(`[“”'"]|\.\.\.|« | »`),
		"fr": regexp.MustCompile(`[“”'"]|\.\.\.|«[^ ]|[^ ]»`),
	}
	for code, said := range texts(t) {
		for id, text := range said {
			counted := map[string]string{}
			if text[0] == '{' {
				if err := json.Unmarshal([]byte(text), &counted); err != nil {
					t.Fatalf("%s: %v", id, err)
				}
			} else {
				counted["other"] = strings.ReplaceAll(strings.Trim(text, `"`), `\"`, `"`)
			}
			for _, text := range counted {
				if found := others[code].FindString(text); found != "" && !(code == "en" && heard.MatchString(id)) {
					t.Errorf("%s: %s has %q, which the language says otherwise: %s", code, id, found, text)
				}
			}
		}
	}
}

// places are the names of what a text is filled with. That a number is there may be
// left unsaid.
func places(text string) []string {
	var all []string
	for _, found := range place.FindAllStringSubmatch(text, -1) {
		if found[1] != "n" {
			all = append(all, found[1])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// What the code says is in the catalogue, and what is in the catalogue is said. A name
// that is put together begins with a literal; name.window is said where name is.
func TestWhatIsSaidIsThere(t *testing.T) {
	english := texts(t)["en"]
	unsaid := maps.Clone(english)
	for name, at := range said(t) {
		prefix, open := strings.CutSuffix(name, "*")
		found := false
		for id := range english {
			if strings.TrimSuffix(id, ".window") == name || open && strings.HasPrefix(id, prefix) {
				found = true
				delete(unsaid, id)
			}
		}
		if !found {
			t.Errorf("%s says %s, which is not in the catalogue", at, name)
		}
	}
	if len(unsaid) > 0 {
		t.Errorf("nobody says %v", slices.Sorted(maps.Keys(unsaid)))
	}
}

// said are the names that the code says, and where; one that goes on is told with *.
func said(t *testing.T) map[string]string {
	t.Helper()
	names, files := map[string]string{}, token.NewFileSet()
	for _, root := range []string{"../../ui", "../../app"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				f, ok := call.Fun.(*ast.SelectorExpr)
				name := literal(call.Args[0])
				if !ok || name == "" {
					return true
				}
				switch f.Sel.Name {
				case "sayFrom", "countFrom":
					names[name+"_since"] = path
					names[name] = path
				case "sayAt":
					names[name+"_at"] = path
					names[name] = path
				case "Say", "Count":
					names[name] = path
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// literal is a name as it stands in the code.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if name, err := strconv.Unquote(e.Value); err == nil {
			return name
		}
	case *ast.BinaryExpr:
		if name := literal(e.X); name != "" {
			return strings.TrimSuffix(name, "*") + "*"
		}
	}
	return ""
}
