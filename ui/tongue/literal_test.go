package tongue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sentence is a text that looks like one that people read: words with spaces between,
// and a capital or a full stop.
var sentence = regexp.MustCompile(`\pL\pL+ \pL|^\pL*\p{Lu}\pL+\.?$`)

// spared look like sentences and are none: the program's name, its commands, units, and
// names of errands, of fields and of errors that are said in other words.
var spared = regexp.MustCompile(`^(Footbridge|footbridge [a-z _-]+|bytes a second|[a-z]+ further|participants to pair|no day|draw a QR code: %w|read the document: %w|[a-z]+([A-Z][a-z]+)+|[A-Z]{2,}|[KMGT]iB)$`)

// What the window and ui/view say comes from the catalogue.
func TestNoSentenceStandsInTheCode(t *testing.T) {
	looked, files := 0, token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "pagetest") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		looked++
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				if n.Tag != nil {
					return false
				}
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind == token.STRING && err == nil && sentence.MatchString(text) && !spared.MatchString(text) {
					t.Errorf("%s says %q, which is not in the catalogue", files.Position(n.Pos()), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || looked < 20 {
		t.Errorf("%d files were looked at (%v)", looked, err)
	}
}
