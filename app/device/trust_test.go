package device_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"

	"footbridge/app/device"
	"footbridge/testdata"
)

func TestWhomADeviceTrusts(t *testing.T) {
	f := newField(t)
	f.site = newSite(t, true)
	f.site.now = f.clock.now
	f.config.BaseURL = f.URL + "/"
	sum := sha256.Sum256(f.Certificate().Raw)
	right := hex.EncodeToString(sum[:])
	var colons []string
	for _, b := range sum {
		colons = append(colons, strings.ToUpper(hex.EncodeToString([]byte{b})))
	}
	path, _ := source(t, 1_000_000)
	tests := []struct {
		name, fingerprint string
		http              *http.Client
		is                error
		err               string
	}{
		{"its fingerprint", right, nil, nil, ""},
		{"its fingerprint with colons", strings.Join(colons, ":"), nil, nil, ""},
		{"its fingerprint and a client that trusts nobody", right, &http.Client{}, nil, ""},
		{"no fingerprint but the authority", "", f.Client(), nil, ""},
		{"another fingerprint", strings.Repeat("ab", 32), nil, device.ErrWrongSite, "its fingerprint is " + right},
		{"another fingerprint though the authority is right", strings.Repeat("ab", 32), f.Client(), device.ErrWrongSite, ""},
		{"no fingerprint", "", nil, nil, "give the fingerprint that it shows"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f.config.Fingerprint, f.config.HTTP = test.fingerprint, test.http
			result, err := f.send(device.File{Path: path})
			if test.is == nil && test.err == "" {
				if err != nil || result.ID == "" {
					t.Errorf("%+v, %v", result, err)
				}
				return
			}
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v", err)
			}
			if f.calls() != "" || len(f.clock.slept) > 0 {
				t.Errorf("asked %s, slept %v", f.calls(), f.clock.slept)
			}
		})
	}
}

func TestAMisreadAddressIsNoReasonToWait(t *testing.T) {
	f := newField(t)
	f.config.BaseURL = strings.Replace(f.URL, "http:", "https:", 1)
	if _, err := f.send(device.File{Path: "x"}); err == nil || !strings.Contains(err.Error(), "does not speak TLS") || len(f.clock.slept) > 0 {
		t.Errorf("error %v, slept %v", err, f.clock.slept)
	}
}

func TestAProtectedSiteGivesProtectedSlots(t *testing.T) {
	f := newField(t)
	f.site = newSite(t, true)
	f.config.BaseURL, f.config.HTTP = f.URL, f.Client()
	slot := func(url string) trick {
		return say(200, `{"id":"upload-1","url":"`+url+`","expires":"2100-01-01T00:00:00.000Z"}`)
	}
	for url, want := range map[string]string{
		"http://127.0.0.1:1/put/1?signature=" + signature:      "not protected by TLS",
		"/put/1?signature=" + signature:                        "cannot be used",
		"https://127.0.0.1:x/put/1?signature=" + signature:     "cannot be used",
		`https://127.0.0.1/\u0007put/1?signature=` + signature: "cannot be used",
	} {
		f.tricks["slot"] = []trick{slot(url)}
		path, _ := source(t, 10)
		if _, err := f.send(device.File{Path: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", url, err)
		}
	}
}

func TestASiteThatMovedIsKnownByItsCertificate(t *testing.T) {
	f := newField(t)
	f.site = newSite(t, true)
	f.site.now = f.clock.now
	sum := sha256.Sum256(f.Certificate().Raw)
	f.config.BaseURL, f.config.Fingerprint = f.URL, hex.EncodeToString(sum[:])
	path, _ := source(t, 1000)
	file := device.File{Path: path, Encrypt: testdata.Key(t, "test-only").Certificate}
	if err := f.crashIn("put", file); !errors.Is(err, device.ErrGaveUp) {
		t.Fatal(err)
	}
	f.config.BaseURL = strings.Replace(f.URL, "127.0.0.1", "localhost", 1) + "/"
	result, err := f.send(file)
	if err != nil || result.ID != "upload-1" || f.calls() != "signIn slot put complete" {
		t.Errorf("%+v, %v after %s", result, err, f.calls())
	}
}
