package appliance_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/appliance/appliancetest"
)

// beside lists what lies in the folder that a home is in.
func beside(t *testing.T, home string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Dir(home))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// A home is made in its place, with the secrets that the guide was told.
func TestAHomeIsMadeWhole(t *testing.T) {
	for name, prepare := range map[string]func(home string) error{
		"none is there":      func(string) error { return nil },
		"an empty folder":    func(home string) error { return os.Mkdir(home, 0o755) },
		"a killed making":    func(home string) error { return os.WriteFile(home+".making.lock", nil, 0o600) },
		"an rclone.conf":     func(home string) error { return put(home, "rclone.conf", "[old]\ntype = local\n") },
		"a making was begun": func(home string) error { return put(home+".making", "footbridge.db", "half") },
	} {
		t.Run(name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "h")
			if err := prepare(home); err != nil {
				t.Fatal(err)
			}
			m, err := appliance.MakeWhole(t.Context(), home, appliancetest.Plan(), appliance.Secrets{Token: "t0ken", Rclone: []byte("[new]\ntype = local\n")})
			if err != nil || !m.Configured || m.Key == "" {
				t.Fatalf("%+v (%v)", m, err)
			}
			appliancetest.Open(t, home)
			if text, err := os.ReadFile(filepath.Join(home, "keys", "repository.token")); err != nil || string(text) != "t0ken\n" {
				t.Errorf("the token is %q (%v)", text, err)
			}
			if text, err := os.ReadFile(filepath.Join(home, "rclone.conf")); err != nil || !strings.Contains(string(text), "[new]") || strings.Contains(string(text), "[old]") != strings.Contains(name, "rclone") {
				t.Errorf("rclone.conf is %q (%v)", text, err)
			}
			if info, err := os.Stat(home); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the home is %v (%v)", info.Mode(), err)
			}
			if left := beside(t, home); len(left) != 1 {
				t.Errorf("beside it are %v", left)
			}
		})
	}
}

func put(dir, name, text string) error {
	return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// Nothing is left of a home that is not made.
func TestAHomeIsMadeWhollyOrNotAtAll(t *testing.T) {
	weak, stopped := appliancetest.Plan(), func() context.Context {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		return ctx
	}
	weak.Password = "weak"
	for name, try := range map[string]func(home string) error{
		"it fails": func(home string) error {
			_, err := appliance.MakeWhole(t.Context(), home, weak, appliance.Secrets{})
			return err
		},
		"it is interrupted": func(home string) error {
			_, err := appliance.MakeWhole(stopped(), home, appliancetest.Plan(), appliance.Secrets{})
			return err
		},
	} {
		home := filepath.Join(t.TempDir(), "h")
		if err := try(home); err == nil {
			t.Errorf("where %s there is no error", name)
		}
		if left := beside(t, home); len(left) > 0 {
			t.Errorf("where %s there are %v", name, left)
		}
	}
}

// What somebody keeps in a folder is no home, and stays.
func TestAnOccupiedFolder(t *testing.T) {
	home := filepath.Join(t.TempDir(), "h")
	if err := put(home, "letters.txt", "dear"); err != nil {
		t.Fatal(err)
	}
	if _, err := appliance.MakeWhole(t.Context(), home, appliancetest.Plan(), appliance.Secrets{}); !errors.Is(err, appliance.ErrOccupied) {
		t.Errorf("making a home there: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(home, "letters.txt")); err != nil || string(text) != "dear" {
		t.Errorf("it holds %q (%v)", text, err)
	}
}

// A repository that takes its time is waited for no longer than patience lasts.
func TestPatience(t *testing.T) {
	hurried := appliancetest.Plan()
	hurried.Patience = time.Nanosecond
	m, err := appliance.MakeWhole(t.Context(), filepath.Join(t.TempDir(), "h"), hurried, appliance.Secrets{})
	if err != nil || m.NoProject == nil || m.Configured {
		t.Errorf("%+v (%v)", m, err)
	}
}

// Where records are to go is tried before there is a home, and nothing is left.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "h")
	for spec, want := range map[string]struct {
		ok   bool
		says string
	}{
		"folder:repository":                           {true, "No probe file is left."},
		"folder:" + filepath.Join(dir, "new"):         {true, "No probe file is left."},
		"folder:" + filepath.Join(dir, "disk", "new"): {false, "there is no such folder"},
		"rclone:mine:" + t.TempDir():                  {true, "No probe file is left."},
		"synapse:http://127.0.0.1:1":                  {false, ""},
	} {
		tested, err := appliance.Try(t.Context(), home, spec, appliance.Secrets{Rclone: []byte("[mine]\ntype = local\n"), Token: "t"})
		said := ""
		for _, check := range tested.Checks {
			said += check.Text + "\n"
		}
		if err != nil || tested.OK != want.ok || !strings.Contains(said, want.says) {
			t.Errorf("%s: %v (%v)\n%s", spec, tested.OK, err, said)
		}
	}
	for _, spec := range []string{"rclone:none:x", "disk:x"} {
		if _, err := appliance.Try(t.Context(), home, spec, appliance.Secrets{}); err == nil {
			t.Errorf("%s was tried", spec)
		}
	}
	if left := beside(t, home); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
