package main

import (
	"os"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// The program and its desktop package tell the same version.
func TestVersionIsThatOfThePackage(t *testing.T) {
	text, err := os.ReadFile("../FyneApp.toml")
	if err != nil {
		t.Fatal(err)
	}
	var app struct {
		Details struct{ Icon, ID, Name, Version string }
	}
	if err := toml.Unmarshal(text, &app); err != nil {
		t.Fatal(err)
	}
	if app.Details.Version != version {
		t.Errorf("FyneApp.toml has version %q, the program %q", app.Details.Version, version)
	}
	if app.Details.Name != "Footbridge" || app.Details.ID == "" {
		t.Errorf("FyneApp.toml says %+v", app.Details)
	}
	for _, name := range []string{app.Details.Icon, "packaging/" + app.Details.ID + ".desktop", "packaging/" + app.Details.ID + ".metainfo.xml"} {
		if _, err := os.Stat("../" + name); err != nil {
			t.Error(err)
		}
	}
}
