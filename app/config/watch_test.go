package config_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/config"
)

// watched is a home whose settings are followed, and what was told of them.
func watched(t *testing.T, text string) (home string, live *config.Live, told chan error) {
	t.Helper()
	home = t.TempDir()
	file(t, home, text)
	live, err := config.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	return home, live, follow(t, live)
}

func follow(t *testing.T, live *config.Live) chan error {
	ctx, stop := context.WithCancel(t.Context())
	told, done := make(chan error, 100), make(chan error)
	go func() { done <- live.Watch(ctx, func(err error) { told <- err }) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	time.Sleep(50 * time.Millisecond) // it is watching
	return told
}

func next(t *testing.T, told chan error) error {
	t.Helper()
	select {
	case err := <-told:
		return err
	case <-time.After(time.Minute):
		t.Fatal("nothing was told")
		return nil
	}
}

func TestChangesAreTakenUp(t *testing.T) {
	home, live, told := watched(t, `listen = ":1"`)
	for name, change := range map[string]func(text string){
		"written":      func(text string) { file(t, home, text) },
		"renamed over": func(text string) { rename(t, home, text) },
		"removed and written": func(text string) {
			os.Remove(filepath.Join(home, config.FileName))
			time.Sleep(20 * time.Millisecond)
			file(t, home, text)
		},
		"written in two steps": func(text string) {
			file(t, home, text[:len(text)-3])
			time.Sleep(20 * time.Millisecond)
			file(t, home, text)
		},
	} {
		for _, port := range []string{":2", ":3"} {
			change(`listen = "` + port + `"`)
			// On a slow machine what lies between two steps is told, too.
			for err := next(t, told); err != nil || live.Settings().Listen != port; err = next(t, told) {
				t.Logf("%s: meanwhile %s, %v", name, live.Settings().Listen, err)
			}
		}
	}
}

func rename(t *testing.T, home, text string) {
	t.Helper()
	other := filepath.Join(home, ".footbridge.toml.swp")
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, filepath.Join(home, config.FileName)); err != nil {
		t.Fatal(err)
	}
}

// The last good settings stay while the file is wrong or gone.
func TestWrongChangesAreNot(t *testing.T) {
	home, live, told := watched(t, `listen = ":1"`)
	file(t, home, "listen = 1")
	if err := next(t, told); err == nil || !strings.Contains(err.Error(), "line 1: listen must be") || live.Settings().Listen != ":1" {
		t.Errorf("%v, %s", err, live.Settings().Listen)
	}
	os.Remove(filepath.Join(home, config.FileName))
	if err := next(t, told); err == nil || err.Error() != "footbridge.toml is gone; put it back" || live.Settings().Listen != ":1" {
		t.Errorf("%v, %s", err, live.Settings().Listen)
	}
	file(t, home, `listen = ":1"`) // as it was: it is told that all is well again
	if err := next(t, told); err != nil {
		t.Error(err)
	}
	os.WriteFile(filepath.Join(home, "other.toml"), []byte("x"), 0o600)
	file(t, home, `listen   =   ":1"`)
	select {
	case err := <-told:
		t.Errorf("nothing changed, yet it was told %v", err)
	case <-time.After(300 * time.Millisecond):
	}
}

// What changes between Open and Watch is not missed.
func TestAChangeBeforeItWatches(t *testing.T) {
	home := t.TempDir()
	live, err := config.Open(home) // there is no file yet
	if err != nil {
		t.Fatal(err)
	}
	file(t, home, `listen = ":2"`)
	if err := next(t, follow(t, live)); err != nil || live.Settings().Listen != ":2" {
		t.Errorf("%s, %v", live.Settings().Listen, err)
	}
}

func TestAHomeThatIsWrong(t *testing.T) {
	home := t.TempDir()
	file(t, home, "nonsense")
	if _, err := config.Open(home); err == nil {
		t.Error("wrong settings are opened")
	}
	live, err := config.Open(filepath.Join(home, "none"))
	if err != nil || live.Settings().Zone().String() != "America/Los_Angeles" {
		t.Fatal(err)
	}
	if err := live.Watch(t.Context(), nil); err == nil {
		t.Error("a folder that is not there is watched")
	}
}
