package main_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A machine that cannot be kept awake is told of once, while the first upload arrives,
// and nothing fails for it.
func TestAMachineThatCannotBeKeptAwake(t *testing.T) {
	nowhere := "unix:path=" + t.TempDir() + "/nobody"
	s := newSite(t, "DBUS_SYSTEM_BUS_ADDRESS="+nowhere, "DBUS_SESSION_BUS_ADDRESS="+nowhere)
	s.start()
	token := s.enrol("p1")
	if strings.Contains(s.out.String(), "kept awake") {
		t.Errorf("it is asked while all is still: %s", s.out)
	}
	p := &parcel{name: "walk.bin", body: bytes.Repeat([]byte("walk"), 1<<10)}
	if err := s.slot(token, p); err != nil {
		t.Fatal(err)
	}
	body, device := io.Pipe()
	r, err := http.NewRequest("PUT", p.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	r.ContentLength = int64(len(p.body))
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("Content-MD5", p.md5())
	answered := make(chan error, 1)
	go func() {
		answer, err := (&http.Client{Transport: s.http.Transport}).Do(r) // however long it takes
		if err == nil {
			answer.Body.Close()
		}
		answered <- err
	}()
	if _, err := device.Write(p.body[:100]); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.Contains(s.out.String(), "this machine cannot be kept awake") })
	if _, err := device.Write(p.body[100:]); err != nil {
		t.Fatal(err)
	}
	device.Close()
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	if _, err := s.complete(token, p.ID, ""); err != nil {
		t.Fatal(err)
	}
	s.exported(p.ID)
	if n := strings.Count(s.out.String(), "this machine cannot be kept awake"); n != 1 {
		t.Errorf("it is told %d times", n)
	}
}
