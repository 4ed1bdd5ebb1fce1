package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The README draws who imports whom; the drawing is true.
func TestTheDrawingInTheREADMEIsTrue(t *testing.T) {
	drawn, real := drawing(t), imports(t)
	if diff := cmp.Diff(real, drawn); diff != "" {
		t.Errorf("README.md draws other imports than go list tells (-real +drawn):\n%s", diff)
	}
}

// The rooms that must not know each other do not.
func TestRoomsKeepApart(t *testing.T) {
	for from, all := range imports(t) {
		for _, to := range all {
			switch {
			case from == "core" || strings.HasPrefix(from, "core/"):
				if !strings.HasPrefix(to, "core") {
					t.Errorf("%s imports %s: core knows no other room", from, to)
				}
			case house(from) != "app" && house(to) != house(from) && house(to) != "core":
				t.Errorf("%s imports %s: store, sync and ui never import one another", from, to)
			case house(from) == "sync" && house(to) == "sync" && to != "sync/export":
				t.Errorf("%s imports %s: sync's rooms know of each other only export, which says what goes where", from, to)
			case strings.HasPrefix(from, "app/local/") && (strings.HasPrefix(to, "app/local/") || to == "app/appliance"):
				t.Errorf("%s imports %s: the rooms of app/local know neither each other nor the appliance, which gives them what they need", from, to)
			}
		}
	}
}

func house(room string) string {
	name, _, _ := strings.Cut(room, "/")
	return name
}

// drawing reads the lines "room → rooms" of the README.
func drawing(t *testing.T) map[string][]string {
	t.Helper()
	f, err := os.Open("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rooms := map[string][]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if from, to, ok := strings.Cut(lines.Text(), "→"); ok && !strings.Contains(from, " ─") && strings.HasPrefix(lines.Text(), "    ") {
			all := strings.Fields(to)
			slices.Sort(all)
			rooms[strings.TrimSpace(from)] = all
		}
	}
	return rooms
}

// imports asks go list.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "footbridge/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], "footbridge/")
		if strings.HasPrefix(from, "testdata") {
			continue
		}
		all := []string{}
		for _, to := range words[1:] {
			if room, ours := strings.CutPrefix(to, "footbridge/"); ours && room != "core/crash" {
				all = append(all, room)
			}
		}
		if len(all) > 0 {
			slices.Sort(all)
			rooms[from] = all
		}
	}
	return rooms
}
