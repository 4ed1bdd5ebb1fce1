package main_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/testdata"
)

// A zip that openssl encrypts to the site's certificate lands in the repository
// as it was before, annotated.
func TestAnEncryptedZipLandsInTheRepository(t *testing.T) {
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	plain := zipped(t, "steps.json", strings.Repeat(`{"steps": 9}`, 4000))
	certificate := filepath.Join(t.TempDir(), "site.pem")
	write(t, certificate, []byte(s.command(nil, "key", "public")))

	p := &parcel{name: "walk.zip", body: sealed(t, plain, certificate), encrypted: true, metadata: map[string]any{"taskRunId": "r-1", "declined": false}}
	if err := s.slot(token, p); err != nil {
		t.Fatal(err)
	}
	if err := s.put(p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.complete(token, p.ID, ""); err != nil {
		t.Fatal(err)
	}
	files := s.exported(p.ID)
	if got, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(got, plain) {
		t.Fatalf("the exported file differs from the zip before encryption (%v)", err)
	}
	if want := p.ID + "-walk.zip"; filepath.Base(files[0]) != want {
		t.Errorf("it is called %s, want %s", filepath.Base(files[0]), want)
	}
	date := filepath.Base(filepath.Dir(files[0]))
	var annotations map[string]any
	read(t, filepath.Join(s.home, "repository", testStudy, "annotations", date, p.ID+".json"), &annotations)
	for key, want := range map[string]any{
		"recordId": p.ID, "taskRunId": "r-1", "declined": "false", "participantVersion": 1.0,
		"userAgent": "Walker/7 (Pixel 9; Android/16)", "contentType": "application/octet-stream",
	} {
		if annotations[key] != want {
			t.Errorf("annotation %s is %v, want %v", key, annotations[key], want)
		}
	}
	for _, key := range []string{"healthCode", "uploadedOn", "exportedOn", "clientInfo"} {
		if text, _ := annotations[key].(string); text == "" {
			t.Errorf("annotation %s is missing", key)
		}
	}
}

// The submitted join shows a participant as they were at the upload, the latest
// join as they are now.
func TestBothJoins(t *testing.T) {
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	p := &parcel{name: "a.bin", body: []byte("before")}
	if _, err := s.send(token, p); err != nil {
		t.Fatal(err)
	}
	s.exported(p.ID)
	var admin struct{ SessionToken string }
	if err := s.call("POST", "/v4/auth/signIn", "", map[string]string{"appId": testApp, "email": "admin@example.org", "password": testPassword}, &admin); err != nil {
		t.Fatal(err)
	}
	change := map[string]any{"dataGroups": []string{"late", "early"}, "languages": []string{"sw"}, "externalIds": map[string]string{testStudy: "p1"}}
	if err := s.call("POST", "/v5/studies/"+testStudy+"/participants/externalid:p1", admin.SessionToken, change, nil); err != nil {
		t.Fatal(err)
	}
	for join, want := range map[string]string{"submitted": "1||", "latest": "2|early,late|sw"} {
		rows, err := csv.NewReader(strings.NewReader(s.command(nil, "view", "--study", testStudy, "--join", join))).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%s: %d rows (%v)", join, len(rows), err)
		}
		cells := map[string]string{}
		for i, column := range rows[0] {
			cells[column] = rows[1][i]
		}
		if got := cells["joinedParticipantVersion"] + "|" + cells["dataGroups"] + "|" + cells["languages"]; got != want {
			t.Errorf("%s: got %s, want %s", join, got, want)
		}
		if cells["participantVersion"] != "1" || cells["recordId"] != p.ID {
			t.Errorf("%s: the file's own columns are %v", join, cells)
		}
	}
	var objects []map[string]any
	if err := json.Unmarshal([]byte(s.command(nil, "view", "--study", testStudy, "--join", "latest", "--format", "json")), &objects); err != nil || len(objects) != 1 {
		t.Errorf("JSON view: %d objects (%v)", len(objects), err)
	}
	if parquet := s.command(nil, "view", "--study", testStudy, "--join", "latest", "--format", "parquet"); !strings.HasPrefix(parquet, "PAR1") {
		t.Error("the Parquet view is no Parquet")
	}
	checkVersions(t, s, 2)
}

// What is encrypted to a key that is not here fails with the recipient's name,
// and succeeds once the key is imported.
func TestAForeignEnvelopeWaitsForItsKey(t *testing.T) {
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	dir := t.TempDir()
	private, certificate := filepath.Join(dir, "private.pem"), filepath.Join(dir, "certificate.pem")
	openssl(t, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", private, "-out", certificate, "-days", "30", "-subj", "/CN=an older app", "-set_serial", "0xabcdef12")
	plain := zipped(t, "x.json", "{}")
	p := &parcel{name: "x.zip", body: sealed(t, plain, certificate), encrypted: true}
	v, err := s.send(token, p)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(v.MessageList, " ")
	if v.Status != "validation_failed" || !strings.Contains(words, "abcdef12") || !strings.Contains(words, "an older app") {
		t.Fatalf("got %s with %q", v.Status, words)
	}
	both := filepath.Join(dir, "both.pem")
	write(t, both, append(bytesOf(t, private), bytesOf(t, certificate)...))
	s.command(nil, "key", "import", both)
	if v, err = s.complete(token, p.ID, "?synchronous=true&redrive=true"); err != nil || v.Status != "succeeded" {
		t.Fatalf("after importing the key: %s %v (%v)", v.Status, v.MessageList, err)
	}
	if got := bytesOf(t, s.exported(p.ID)[0]); !bytes.Equal(got, plain) {
		t.Error("the exported file differs from the zip before encryption")
	}
	if _, err := s.complete(token, p.ID, "?redrive=true"); !refused(err, 403) {
		t.Errorf("the owner's redrive of what succeeded: %v", err)
	}
}

// A damaged envelope fails with the name of the recipient it was encrypted to.
func TestADamagedEnvelopeNamesItsRecipient(t *testing.T) {
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	certificate := filepath.Join(t.TempDir(), "site.pem")
	write(t, certificate, []byte(s.command(nil, "key", "public")))
	body := sealed(t, noise(5000), certificate)
	p := &parcel{name: "x.zip", body: body[:len(body)-300], encrypted: true}
	v, err := s.send(token, p)
	if err != nil {
		t.Fatal(err)
	}
	if words := strings.Join(v.MessageList, " "); v.Status != "validation_failed" || !strings.Contains(words, "CN="+testApp) {
		t.Errorf("got %s with %q", v.Status, words)
	}
}

// Settings that change are taken up by a running appliance; wrong ones are not.
func TestSettingsAreTakenUpWhileItRuns(t *testing.T) {
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	name := filepath.Join(s.home, "footbridge.toml")
	good := string(bytesOf(t, name))
	p := func() *parcel { return &parcel{name: "a.bin", body: bytes.Repeat([]byte(time.Now().String()), 10)} }
	write(t, name, []byte(strings.Replace(good, "max_size = 5368709120", "max_size = 100", 1)))
	eventually(t, func() bool { return refused(s.slot(token, p()), 400) })
	write(t, name, []byte(strings.Replace(good, "max_size = 5368709120", "max_size = -1", 1)))
	line := strings.Count(good[:strings.Index(good, "max_size = ")], "\n") + 1
	eventually(t, func() bool {
		return strings.Contains(s.out.String(), fmt.Sprintf("line %d: max_size must be over 0 bytes", line))
	})
	if !refused(s.slot(token, p()), 400) {
		t.Error("wrong settings were taken up")
	}
	write(t, name, []byte(good))
	eventually(t, func() bool { return s.slot(token, p()) == nil })
}

// noise is bytes that do not compress.
func noise(n int) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(p)
	return p
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come to hold")
		}
	}
}

func zipped(t *testing.T, name, content string) []byte {
	t.Helper()
	return testdata.Bundle(t, name, content)
}

// sealed encrypts as devices do: BER with indefinite lengths, AES-256-CBC.
func sealed(t *testing.T, plain []byte, certificate string) []byte {
	t.Helper()
	in := filepath.Join(t.TempDir(), "plain")
	write(t, in, plain)
	return openssl(t, "cms", "-encrypt", "-stream", "-binary", "-aes256", "-outform", "DER", "-in", in, certificate)
}

func openssl(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command("openssl", args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("openssl %s: %v\n%s", args[0], err, errs.String())
	}
	return out.Bytes()
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func bytesOf(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(bytesOf(t, name), into); err != nil {
		t.Fatal(err)
	}
}
