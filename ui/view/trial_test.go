package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

// What is wrong with a repository is said in the reader's language, with what to do.
func TestTrials(t *testing.T) {
	fr := view.Reader{Tongue: tongue.In("fr")}
	for name, c := range map[string]struct {
		trial view.Trial
		want  []string
	}{
		"known": {
			view.Trial{Repository: "folder /srv", Checks: []view.Check{{OK: true, Text: "it answers"}, {Trouble: "wrong_key", Text: "write: denied"}}},
			[]string{"Il n’accepte pas la clé, le jeton ou le mot de passe.", "Corrigez-la dans rclone.conf, dans le dossier de Footbridge, ou dans les champs du guide. rclone veut les mots de passe comme « rclone obscure » les écrit.", "Pour qui s’en occupe, en anglais : write: denied"},
		},
		"of Synapse": {
			view.Trial{Repository: "synapse:https://repo", Checks: []view.Check{{Trouble: "wrong_key"}}},
			[]string{"Il n’accepte pas la clé, le jeton ou le mot de passe.", "Le jeton est mal saisi, expiré ou révoqué. Créez-en un nouveau avec les droits view, download et modify dans les réglages du compte du dépôt, et mettez-le dans keys/repository.token, dans le dossier de Footbridge."},
		},
		"of a later version": {
			view.Trial{Checks: []view.Check{{Trouble: "haunted", Text: "boo"}}},
			[]string{"Cela n’a pas marché, et Footbridge ne sait pas pourquoi.", "Vérifiez le nom et les options du dépôt.", "Pour qui s’en occupe, en anglais : boo"},
		},
		"well": {view.Trial{OK: true, Checks: []view.Check{{OK: true}}}, nil},
	} {
		if diff := cmp.Diff(c.want, fr.TrialLines(c.trial)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// No trouble that a repository can have is without words.
func TestEveryTroubleHasWords(t *testing.T) {
	named := map[string]bool{}
	for _, path := range []string{"../../sync/remote/trouble.go", "../../sync/synapse/trouble.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			value, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if kind, ok := value.Type.(*ast.Ident); ok && kind.Name == "Trouble" {
				code, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				named[code] = true
			}
			return false
		})
	}
	for code := range named {
		lines := (view.Reader{}).TrialLines(view.Trial{Checks: []view.Check{{Trouble: code}}})
		if len(lines) != 2 || code != "" && strings.Contains(lines[0], "does not know why") {
			t.Errorf("of %q is said %q", code, lines)
		}
	}
	if len(named) < 20 {
		t.Errorf("only %d troubles were found", len(named))
	}
}
