package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// While sending is paused, or it is not the hour, nothing is sent; what waits says
// so, also after a restart. Then it is sent.
func TestSendingIsHeldUp(t *testing.T) {
	hour := time.Now().UTC().Add(2 * time.Hour).Format("15:04") // "time_zone" is UTC below
	later := time.Now().UTC().Add(3 * time.Hour).Format("15:04")
	for name, test := range map[string]struct {
		hold, free []string
		says       string
		state      string
	}{
		"by a person":     {[]string{"sync", "pause"}, []string{"sync", "resume"}, "Sending is paused: 1 record held back.", "paused"},
		"by the settings": {[]string{"config", "set", "sync.hours", hour + "-" + later}, []string{"config", "set", "sync.hours", ""}, "the settings say that records are sent at another time of day", "outside_hours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.command(nil, "config", "set", "time_zone", "UTC")
			s.start()
			token := s.enrol("p1")
			eventually(t, func() bool { return !strings.Contains(s.command(nil, "status"), "processed") })
			s.command(nil, test.hold...)
			time.Sleep(300 * time.Millisecond) // settings are taken up within a second
			s.kill()
			s.start()
			p := &parcel{name: "walk.bin", body: []byte("steps")}
			if _, err := s.send(token, p); err != nil {
				t.Fatal(err)
			}
			eventually(t, func() bool { return strings.Contains(s.command(nil, "status"), test.says) })
			if shown := s.command(nil, "upload", "show", p.ID, "--json"); !strings.Contains(shown, `"exportReason": "`+test.state+`"`) {
				t.Errorf("it is shown as %s", shown)
			}
			if there, _ := os.ReadDir(filepath.Join(s.home, "repository", testStudy, "raw-data")); len(there) > 0 {
				t.Fatal("it was sent")
			}
			s.command(nil, test.free...)
			if files := s.exported(p.ID); len(files) != 1 {
				t.Errorf("there are %v", files)
			}
		})
	}
}
