package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A device that is paired sends, over a restart of the site and later without the code;
// and no more once it is forgotten. Neither the code nor its password is in the log.
func TestADeviceIsPairedAndSends(t *testing.T) {
	s := newSite(t)
	s.secured = true
	var made struct{ Code, URL string }
	s.start()
	if err := json.Unmarshal([]byte(s.command(nil, "pair", "--study", testStudy, "--external-id", "p1", "--new", "--json")), &made); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(made.URL, s.base+"/pair#c=") || !strings.HasPrefix(s.base, "https://") {
		t.Fatalf("the site at %s makes the link %s", s.base, made.URL)
	}
	file := filepath.Join(t.TempDir(), "walk.bin")
	if err := os.WriteFile(file, []byte("a walk"), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "device", "paired.json")
	s.kill()
	s.start()
	type sent struct{ ID, Status string }
	send := func(args ...string) (all []sent) {
		t.Helper()
		if err := json.Unmarshal([]byte(s.command(nil, append([]string{"send", "--json", "--paired", settings}, args...)...)), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	first := send(file, "--pair", made.URL)
	if err := os.WriteFile(file, []byte("another walk"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := send(file)
	if len(first) != 1 || len(second) != 1 || first[0].Status != "succeeded" || second[0].Status != "succeeded" {
		t.Fatalf("sent %v, then %v", first, second)
	}
	s.exported(first[0].ID)
	if said := s.refused("send", file, "--pair", made.URL, "--paired", settings+"2"); !strings.Contains(said, "used already") {
		t.Errorf("the code again: %s", said)
	}

	var devices []struct {
		ID, Name, State, ExternalID string
		Uploads                     int
	}
	if err := json.Unmarshal([]byte(s.command(nil, "device", "list", "--json")), &devices); err != nil {
		t.Fatal(err)
	}
	if len(devices) != 1 || devices[0].State != "active" || devices[0].ExternalID != "p1" || devices[0].Uploads < 1 {
		t.Fatalf("devices %+v", devices)
	}
	if text := s.command(nil, "device", "show", devices[0].ID); !strings.Contains(text, "Of participant p1") || !strings.Contains(text, "Last seen at") {
		t.Errorf("it is shown as %s", text)
	}
	s.command(nil, "device", "forget", devices[0].ID)
	if err := os.WriteFile(file, []byte("a third walk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := s.refused("send", file, "--paired", settings); !strings.Contains(said, "There is no account with this name and password") {
		t.Errorf("once forgotten it hears %s", said)
	}

	var kept struct{ Password string }
	raw, err := os.ReadFile(settings)
	if err == nil {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil || kept.Password == "" {
		t.Fatalf("kept %s (%v)", raw, err)
	}
	for _, secret := range []string{strings.ReplaceAll(made.Code, "-", ""), made.Code, kept.Password} {
		if found, _ := exec.Command("grep", "-rlaF", secret, s.home).Output(); len(found) > 0 || strings.Contains(s.out.String(), secret) {
			t.Errorf("a secret lies in %s", found)
		}
	}
}
