package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

func TestDeedLines(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 7_000_000, time.UTC)
	for want, deed := range map[string]core.Deed{
		"2026-11-20T09:00:00Z  the operator paused sending": {At: at, Did: core.DeedSyncPaused},
		"2026-11-20T09:00:00Z  u-1 at 10.0.0.7 gave access to a study's project: account jo, study sleep": {
			At: at, Who: "u-1", Address: "10.0.0.7", Did: core.DeedAccessGranted, With: map[string]string{"study": "sleep", "account": "jo"}},
		"2026-11-20T09:00:00Z  the operator did what this version has no words for (flown)": {At: at, Did: "flown"},
	} {
		if got := (view.Reader{}).DeedLine(deed); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What a deed was done with is named in the reader's language, too.
func TestWhatADeedWasDoneWith(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	deed := core.Deed{At: at, Did: core.DeedPairingMade, With: map[string]string{"pairing": "p-1", "device": "d-1"}}
	want := "2026-11-20T09:00:00Z  l’opérateur a créé un code qui associe un appareil : appareil d-1, association p-1"
	if got := (view.Reader{Tongue: tongue.In("fr")}).DeedLine(deed); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// No deed that the core names is without words.
func TestEveryDeedHasWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../core/deed.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	ast.Inspect(file, func(n ast.Node) bool {
		value, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		named++
		did, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
		if err != nil || strings.Contains((view.Reader{}).Did(core.DeedKind(did)), "no words") {
			t.Errorf("%s has no words (%v)", value.Names[0].Name, err)
		}
		return true
	})
	if named < 20 {
		t.Errorf("only %d deeds were found", named)
	}
}
