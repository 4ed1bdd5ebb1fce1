package device_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/device"
	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAnAnswerMakesADeviceDo(t *testing.T) {
	fields := `{"message":"UploadRequest is invalid","type":"InvalidEntityException","errors":{"contentLength":["contentLength is too large"],"name":["name is bad"]}}`
	echo := `{"message":"no: ` + password + " " + tokenWord + "1 /put/upload-1?signature=" + signature + `"}`
	tests := []struct {
		name   string
		tricks map[string][]trick
		asked  string
		err    string // part of it
		is     error
	}{
		{"nothing is wrong", nil, "signIn slot put complete", "", nil},
		{"PUT: 403", map[string][]trick{"put": {say(403, "")}}, "signIn slot put slot put complete", "", nil},
		{"PUT: 403 twice", map[string][]trick{"put": {say(403, ""), say(403, "")}}, "signIn slot put slot put slot put complete", "", nil},
		{"PUT: 409", map[string][]trick{"put": {say(409, "")}}, "signIn slot put put complete", "", nil},
		{"PUT: 500", map[string][]trick{"put": {say(500, "")}}, "signIn slot put put complete", "", nil},
		{"PUT: 503", map[string][]trick{"put": {say(503, ""), say(503, "")}}, "signIn slot put put put complete", "", nil},
		{"PUT: cut", map[string][]trick{"put": {cut}}, "signIn slot put put complete", "", nil},
		{"PUT: answer lost", map[string][]trick{"put": {lose}}, "signIn slot put put complete", "", nil},
		{"PUT: 400", map[string][]trick{"put": {say(400, "")}}, "signIn slot put", "400: Bad Request", nil},
		{"PUT: 404", map[string][]trick{"put": {say(404, "")}}, "signIn slot put", "404", core.ErrNotFound},
		{"PUT: 413", map[string][]trick{"put": {say(413, "<html>", "Content-Type", "text/html")}}, "signIn slot put", "413: Request Entity Too Large", nil},
		{"PUT: 502", map[string][]trick{"put": {say(502, "")}}, "signIn slot put", "502", nil},
		{"PUT: redirect", map[string][]trick{"put": {say(307, "", "Location", "/put/x?signature="+signature)}}, "signIn slot put", "307", nil},
		{"slot: cut", map[string][]trick{"slot": {lose}}, "signIn slot slot put complete", "", nil},
		{"slot: 429", map[string][]trick{"slot": {say(429, "", "Retry-After", "2")}}, "signIn slot slot put complete", "", nil},
		{"slot: 502", map[string][]trick{"slot": {say(502, "")}}, "signIn slot slot put complete", "", nil},
		{"slot: 401", map[string][]trick{"slot": {say(401, "")}}, "signIn slot signIn slot put complete", "", nil},
		{"slot: 401 again", map[string][]trick{"slot": {say(401, ""), say(401, "")}}, "signIn slot signIn slot", "401", core.ErrNotAuthenticated},
		{"slot: 400", map[string][]trick{"slot": {say(400, fields)}}, "signIn slot", "UploadRequest is invalid; contentLength: contentLength is too large; name: name is bad", nil},
		{"slot: 412", map[string][]trick{"slot": {say(412, `{"sessionToken":"`+tokenWord+`"}`)}}, "signIn slot", "has not consented. Record the consent at the site", core.ErrNotConsented},
		{"slot: secrets", map[string][]trick{"slot": {say(400, echo)}}, "signIn slot", "400: no: … … …", nil},
		{"PUT: secrets", map[string][]trick{"put": {say(410, echo)}}, "signIn slot put", "410: no: …", nil},
		{"slot: no JSON", map[string][]trick{"slot": {say(200, "<html>")}}, "signIn slot", "no upload site", nil},
		{"slot: empty", map[string][]trick{"slot": {say(200, "{}")}}, "signIn slot", "no upload site", nil},
		{"complete: lost", map[string][]trick{"complete": {lose}}, "signIn slot put complete complete", "", nil},
		{"complete: 500", map[string][]trick{"complete": {say(500, "")}}, "signIn slot put complete complete", "", nil},
		{"complete: 401", map[string][]trick{"complete": {say(401, "")}}, "signIn slot put complete signIn complete", "", nil},
		{"complete: 403", map[string][]trick{"complete": {say(403, `{"message":"Not yours."}`)}}, "signIn slot put complete", "Not yours.", core.ErrForbidden},
		{"complete: 404", map[string][]trick{"complete": {say(404, "")}}, "signIn slot put complete", "404", core.ErrNotFound},
		{"sign-in: 503", map[string][]trick{"signIn": {say(503, "")}}, "signIn signIn slot put complete", "", nil},
		{"sign-in: 404", map[string][]trick{"signIn": {say(404, "")}}, "signIn", "check the app id, the login and the password", core.ErrNotFound},
		{"sign-in: 412", map[string][]trick{"signIn": {say(412, `{"sessionToken":"x"}`)}}, "signIn", "has not consented", core.ErrNotConsented},
		{"sign-in: 423", map[string][]trick{"signIn": {say(423, `{"message":"Disabled."}`)}}, "signIn", "Disabled.", core.ErrDisabled},
		{"sign-in: no site", map[string][]trick{"signIn": {say(200, "welcome")}}, "signIn", "no upload site", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newField(t)
			if test.tricks != nil {
				f.tricks = test.tricks
			}
			path, content := source(t, 100_000)
			result, err := f.send(device.File{Path: path})
			if got := f.calls(); got != test.asked {
				t.Errorf("asked %s, want %s", got, test.asked)
			}
			if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, content) {
				t.Errorf("the file is not what it was: %v", err)
			}
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || test.is != nil && !errors.Is(err, test.is) {
					t.Fatalf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := device.Result{
				ID: "upload-1", Status: "validation_in_progress", Messages: []string{},
				Attempts: strings.Count(test.asked, "put"), Bytes: 100_000,
			}
			if diff := cmp.Diff(want, result); diff != "" {
				t.Error(diff)
			}
			if done := f.completed(); len(done) != 1 || !bytes.Equal(done[0].body, content) {
				t.Errorf("%d uploads are complete", len(done))
			}
			if left := names(t, filepath.Dir(path)); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestASlotSaysWhatIsSent(t *testing.T) {
	f := newField(t)
	file := device.File{
		Name: "walk.json", ContentType: "application/json", Metadata: map[string]any{"instanceGuid": "G", "declined": false}, Zipped: true,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("{}\n")), nil },
	}
	if _, err := f.send(file); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"name": "walk.json", "contentType": "application/json", "contentLength": 3.0,
		"encrypted": false, "zipped": true, "metadata": map[string]any{"instanceGuid": "G", "declined": false}, "type": "UploadRequest",
	}
	got := f.first().request
	want["contentMd5"] = got["contentMd5"] // the site checked it
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestASiteSaysHowLongToWait(t *testing.T) {
	later := time.Date(2026, 11, 20, 9, 0, 40, 0, time.UTC).Format(http.TimeFormat)
	tests := []struct {
		header      string
		least, most time.Duration
	}{
		{"4", 4 * time.Second, 5 * time.Second},
		{later, 40 * time.Second, 50 * time.Second},
		{"86400", 2 * time.Minute, 150 * time.Second},
		{"-3", 500 * time.Millisecond, time.Second},
		{"soon", 500 * time.Millisecond, time.Second},
	}
	for _, test := range tests {
		f := newField(t)
		f.tricks["put"] = []trick{say(503, `{"message":"This site is receiving as much as it can."}`, "Retry-After", test.header)}
		path, _ := source(t, 1000)
		if _, err := f.send(device.File{Path: path}); err != nil {
			t.Fatal(err)
		}
		if len(f.clock.slept) != 1 || f.clock.slept[0] < test.least || f.clock.slept[0] > test.most {
			t.Errorf("Retry-After %s: slept %v", test.header, f.clock.slept)
		}
		if len(f.said) != 1 || !strings.Contains(f.said[0], "receiving as much as it can.; trying again in ") {
			t.Errorf("said %q", f.said)
		}
	}
}

func TestPatienceEnds(t *testing.T) {
	f := newField(t)
	for range 1000 {
		f.tricks["put"] = append(f.tricks["put"], say(503, `{"message":"Full."}`))
	}
	path, _ := source(t, 1000)
	_, err := f.send(device.File{Path: path})
	if !errors.Is(err, device.ErrGaveUp) || !strings.Contains(err.Error(), "Full.") {
		t.Fatal(err)
	}
	var total time.Duration
	for _, d := range f.clock.slept {
		total += d
	}
	if total > 10*time.Minute || total < 9*time.Minute || len(f.clock.slept) > 60 {
		t.Errorf("waited %d times, %v", len(f.clock.slept), total)
	}
	f.tricks["put"] = nil
	if result, err := f.send(device.File{Path: path}); err != nil || result.ID != "upload-1" {
		t.Errorf("the next sending: %+v, %v", result, err)
	}
}

func TestASlotThatEndsSoonIsNotUsedAgain(t *testing.T) {
	f := newField(t)
	f.life = 20 * time.Minute
	f.tricks["put"] = []trick{say(503, "")}
	path, _ := source(t, 1000)
	if _, err := f.send(device.File{Path: path}); err != nil {
		t.Fatal(err)
	}
	if got := f.calls(); got != "signIn slot put slot put complete" {
		t.Error(got)
	}
}

func TestASilentSiteIsLeft(t *testing.T) {
	f := newField(t)
	f.config.Silence = 400 * time.Millisecond
	hold := func(_ http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
		io.CopyN(io.Discard, r.Body, 1000)
		select {
		case <-r.Context().Done():
		case <-time.After(2 * time.Second): // a body that is not read hides that the client left
		}
		panic(http.ErrAbortHandler)
	}
	f.tricks["put"], f.tricks["complete"] = []trick{hold}, []trick{hold}
	path, _ := source(t, 3_000_000)
	if _, err := f.send(device.File{Path: path}); err != nil {
		t.Fatal(err)
	}
	if got := f.calls(); got != "signIn slot put put complete complete" {
		t.Error(got)
	}
	if len(f.said) != 2 || !strings.Contains(f.said[0], "nothing moved for 1 s") {
		t.Errorf("said %q", f.said)
	}
}

func TestWaitingForTheOutcome(t *testing.T) {
	f := newField(t)
	f.config.Wait, f.checks = true, 4
	f.tricks["status"] = []trick{pass, say(503, ""), lose}
	var stages []device.Stage
	f.config.Progress = func(stage device.Stage, done, total int64) {
		if done == total {
			stages = append(stages, stage)
		}
	}
	path, _ := source(t, 1_000_000)
	result, err := f.send(device.File{Path: path})
	if err != nil || result.Status != "succeeded" || !result.Settled() || string(result.Record) != `{"id":"upload-1"}` || len(result.Messages) != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	if diff := cmp.Diff([]device.Stage{device.Hashing, device.Sending, device.Processing}, stages); diff != "" {
		t.Error(diff)
	}
	f.checks = 1 << 30
	result, err = f.send(device.File{Path: path})
	if err != nil || result.Status != "validation_in_progress" || result.Settled() {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestASendingEndsWithItsContext(t *testing.T) {
	f := newField(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.tricks["put"] = []trick{func(http.ResponseWriter, *http.Request, http.HandlerFunc) { cancel(); panic(http.ErrAbortHandler) }}
	path, _ := source(t, 1000)
	_, err := device.New(f.config).Send(ctx, device.File{Path: path})
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), signature) {
		t.Error(err)
	}
}

func TestAFileThatChangesWhileItIsSent(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"other bytes": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("x"), 5_000_000), 0o600) },
		"shorter":     func(path string) error { return os.Truncate(path, 10) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newField(t)
			path, _ := source(t, 5_000_000)
			f.tricks["put"] = []trick{func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
				if err := change(path); err != nil {
					t.Error(err)
				}
				next(w, r)
			}}
			if _, err := f.send(device.File{Path: path}); !errors.Is(err, device.ErrChanged) {
				t.Errorf("error %v", err)
			}
			if result, err := f.send(device.File{Path: path}); err != nil || result.ID != "upload-2" {
				t.Errorf("the next sending: %+v, %v", result, err)
			}
		})
	}
}

func TestWhatCannotBeSent(t *testing.T) {
	f := newField(t)
	for name, file := range map[string]device.File{
		"nothing":  {},
		"a folder": {Path: t.TempDir()},
		"no file":  {Path: filepath.Join(t.TempDir(), "absent.zip")},
		"no words": {Path: os.Args[0], Metadata: map[string]any{"f": func() {}}},
	} {
		if _, err := f.send(file); err == nil || f.calls() != "signIn" {
			t.Errorf("%s: error %v after %v", name, err, f.calls())
		}
	}
	for name, change := range map[string]func(*device.Config){
		"no address":         func(c *device.Config) { c.BaseURL = "site:8443" },
		"a password in it":   func(c *device.Config) { c.BaseURL = "http://me:" + password + "@site" },
		"no app":             func(c *device.Config) { c.AppID = "" },
		"nobody":             func(c *device.Config) { c.ExternalID = "" },
		"no password":        func(c *device.Config) { c.Password = "" },
		"a pin without TLS":  func(c *device.Config) { c.Fingerprint = strings.Repeat("00", 32) },
		"a pin that is none": func(c *device.Config) { c.BaseURL, c.Fingerprint = "https://site", "abc" },
	} {
		config := f.config
		change(&config)
		client := device.New(config)
		if _, err := client.Send(t.Context(), device.File{Path: "x"}); err == nil || strings.Contains(err.Error(), password) {
			t.Errorf("%s: error %v", name, err)
		}
		if client.SignIn(t.Context()) == nil {
			t.Errorf("%s: signed in", name)
		}
	}
}
