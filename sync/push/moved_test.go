package push_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/core"
)

// A record that is half sent when the repository becomes another one is sent there
// from the beginning, with its attachments, whatever it was that was done last.
func TestTheRepositoryBecomesAnotherOne(t *testing.T) {
	legacy := &core.Legacy{Attachments: []core.Attachment{{ID: "film", Field: "film", Digest: core.Digest{MD5: digest([]byte("film"))}}}}
	var calls []string
	s := newSite(t)
	s.fail = func(call string) error { calls = append(calls, call); return nil }
	s.waitingWith("some bytes", legacy)
	s.settle()
	for n := range calls {
		for _, fails := range []bool{false, true} {
			name, _, _ := strings.Cut(calls[n], "/")
			t.Run(fmt.Sprintf("%d, %s, fails %v", n, name, fails), func(t *testing.T) {
				s, made := newSite(t), 0
				s.place = "the one"
				s.fail = func(string) error {
					if made++; made != n+1 {
						return nil
					}
					s.place, s.remote.files, s.remote.puts = "the other", map[string]string{}, map[string]int{}
					if fails {
						return fmt.Errorf("no route to host")
					}
					return nil
				}
				u := s.waitingWith("some bytes", legacy)
				s.settle()
				if strings.HasSuffix(calls[n], "settle") {
					s.restart()
					s.settle()
				}
				e := s.export(u.ID)
				if e.State != core.ExportExported {
					t.Fatalf("%+v", e)
				}
				if e.Place == "the one" {
					return // it was all there before
				}
				s.isExported(u, "some bytes")
				if got := s.remote.files["memory/attachments/2026-11-20/film"]; got != "film" {
					t.Errorf("the attachment is %q", got)
				}
			})
		}
	}
}
