package tongue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"footbridge/ui/tongue"

	"github.com/google/go-cmp/cmp"
)

func TestHeard(t *testing.T) {
	name, pairs, ok := tongue.Heard("There is no schema walk revision 3, so the record has no data. Make it, then redrive the upload.")
	if !ok || name != "schema_unknown" {
		t.Fatalf("heard %q", name)
	}
	want := "Il n’y a pas de schéma walk révision 3 : l’enregistrement n’a pas de données. Créez-le, puis faites traiter à nouveau le téléversement."
	if got := tongue.In("fr").Say("message."+name, pairs...); got != want {
		t.Errorf("it is said again as %q", got)
	}
	for english, want := range map[string]string{
		"The bundle is refused: entry 2 is unsafe. It is called ../x. The file is kept.": "bundle_refused",
		"Upload x was not found.":         "not_found",
		"Upload x was not found":          "",
		"":                                "",
		"Nobody has ever said that.":      "",
		"File a has\nmore than one line.": "",
		"info.json lists file a, which is not in the bundle.": "file_missing",
	} {
		if name, _, ok := tongue.Heard(english); name != want || ok != (want != "") {
			t.Errorf("of %q is heard %q", english, name)
		}
	}
}

// unheard are the codes of what processing says in English alone, for technicians.
var unheard = []string{"file_not_read"}

// saying are files that say messages, besides those that process.
var saying = []string{
	"../../core/errors.go", "../../core/schema/validate.go", "../../app/analysis/*.go", "../../app/appliance/*.go", "../../app/local/*/*.go", "../../app/api/call/*.go",
	"../../app/api/studies/*.go", "../../app/api/schemas/*.go", "../../app/api/people/*.go", "../../app/api/devices/*.go", "../../app/founder/*.go",
}

// What processing says of an upload is in the catalogue by its very words, and what is
// there is said somewhere.
func TestWhatIsKeptCanBeSaidAgain(t *testing.T) {
	processing := []string{"../../core/process/*.go", "../../core/bundle/*.go"}
	missing := map[string]bool{}
	nodes(t, processing, func(n ast.Node) {
		if code, text := reason(n); text != "" {
			name, pairs, ok := tongue.Heard(text)
			if !ok {
				missing[code] = true
			} else if again := (tongue.Tongue{}).Say("message."+name, pairs...); again != text {
				t.Errorf("%s is said again as %q", text, again)
			}
		}
	})
	if diff := cmp.Diff(unheard, slices.Sorted(maps.Keys(missing))); diff != "" {
		t.Errorf("English alone are other codes than those that are stated (-stated +found):\n%s", diff)
	}
	heard := map[string]bool{}
	nodes(t, append(processing, saying...), func(n ast.Node) {
		if e, ok := n.(ast.Expr); ok {
			text := written(e)
			for _, text := range []string{text, text + ".", strings.Replace(text, open, "Field", 1), strings.Replace(text, open, "Attachment field", 1)} { // an error becomes a sentence
				if name, _, ok := tongue.Heard(text); ok {
					heard["message."+name] = true
				}
			}
		}
	})
	for id := range texts(t)["en"] {
		if strings.HasPrefix(id, "message.") && !heard[strings.TrimSuffix(id, ".window")] {
			t.Errorf("nothing says %s any more", id)
		}
	}
}

// blank is what stands in a place of a text.
var blank = regexp.MustCompile(`\bx\b`)

// composed are the parts of sentences that the code puts together of others.
var composed = []string{"phrase.damaged_for", "phrase.entry", "phrase.entry_listed", "phrase.unsupported", "phrase.unsupported_for"}

// What is wrong with a zip, an encrypted message or a value is in the catalogue by its
// very words, and what is there is said somewhere.
func TestPartsCanBeSaidAgain(t *testing.T) {
	said := map[string]bool{}
	hear := func(text string) bool {
		text = blank.ReplaceAllString(text, "7")
		name, _, ok := tongue.Part(strings.TrimSpace(text))
		said["phrase."+name] = ok || said["phrase."+name]
		return ok
	}
	nodes(t, []string{"../../core/archive/*.go"}, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 {
			return
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name != "stop" && f.Sel.Name != "note" && f.Sel.Name != "broken" {
			return
		}
		if text := written(call.Args[2]); text != open && !hear(text) {
			t.Errorf("that a zip %s is English alone", text)
		}
	})
	nodes(t, []string{
		"../../core/archive/name.go", "../../core/cms/*.go", "../../core/schema/*.go", "../../core/form/*.go", "../../core/schedule/*.go", "../../core/participant/*.go",
		"../../core/account/password.go", "../../app/api/studies/*.go", "../../app/keys/*.go", "../../app/config/*.go", "../../app/appliance/whole.go", "../../app/door/*.go", "../../sync/remote/*.go",
	}, func(n ast.Node) {
		if e, ok := n.(ast.Expr); ok {
			text := written(e)
			hear(strings.TrimSuffix(text, ": "+open)) // what went wrong stands before the kind of error
			hear(text)
		}
	})
	var missing []string
	for id := range texts(t)["en"] {
		if strings.HasPrefix(id, "phrase.") && !said[id] {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	if diff := cmp.Diff(composed, missing); diff != "" {
		t.Errorf("nothing says other parts than those that are put together (-stated +found):\n%s", diff)
	}
	for english, want := range map[string]string{
		"serial 1a of issuer CN=site":          "recipient",
		"entry 3 of the directory is a folder": "entry_listed",
		"entry 3 has no name":                  "entry",
		"entry three has no name":              "complaint",
		"Nobody.":                              "",
	} {
		if name, _, ok := tongue.Part(english); name != want || ok != (want != "") {
			t.Errorf("of %q is heard %q", english, name)
		}
	}
}

// nodes visits the code of files.
func nodes(t *testing.T, patterns []string, visit func(ast.Node)) {
	t.Helper()
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				visit(n)
				return true
			})
		}
	}
}

// reason is the code and text of what is said of an upload; empty where a node says
// nothing, or nothing of its own.
func reason(n ast.Node) (code, text string) {
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		if ok && (f.Sel.Name == "say" || f.Sel.Name == "refuse") && len(n.Args) > 1 {
			code, text = written(n.Args[0]), written(n.Args[1])
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				switch key, _ := pair.Key.(*ast.Ident); {
				case key == nil:
				case key.Name == "Code":
					code = written(pair.Value)
				case key.Name == "Message":
					text = written(pair.Value)
				}
			}
		}
	}
	if code == "" || text == open {
		return "", ""
	}
	return code, text
}

// open is what code does not say itself.
const open = "x"

// verb is a place in a format.
var verb = regexp.MustCompile(`%(\[\d\])?[sdv]`)

// written is a text as it stands in the code, with something in each place.
func written(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return verb.ReplaceAllString(text, open)
		}
	case *ast.BinaryExpr:
		return written(e.X) + written(e.Y)
	}
	return open
}
