package push_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
)

// attached is a legacy record with two attachments, each of which holds its name.
func attached() *core.Legacy {
	var all []core.Attachment
	for _, field := range []string{"tremor", "voice"} {
		all = append(all, core.Attachment{ID: "r-" + field, Field: field, Extension: ".bin", Digest: core.Digest{Size: int64(len(field)), MD5: digest([]byte(field))}})
	}
	return &core.Legacy{Attachments: all}
}

var besides = []string{"memory/attachments/2026-11-20/r-tremor", "memory/attachments/2026-11-20/r-voice"}

// hasAll checks that a legacy record and all it refers to are there, once.
func (s *site) hasAll(u core.Upload) {
	s.t.Helper()
	s.isExported(u, "a bundle")
	for i, at := range besides {
		if s.remote.files[at] != []string{"tremor", "voice"}[i] || s.remote.puts[at] != 1 {
			s.t.Errorf("%s is %q, put %d times", at, s.remote.files[at], s.remote.puts[at])
		}
	}
	data := "memory/data/2026-11-20/" + string(u.ID) + ".json"
	if !strings.Contains(s.remote.files[data], `"path": "attachments/2026-11-20/r-voice"`) || s.remote.puts[data] != 1 {
		s.t.Errorf("the data is %q, put %d times", s.remote.files[data], s.remote.puts[data])
	}
}

// What a legacy record refers to is there before the record is.
func TestALegacyRecordFollowsItsAttachments(t *testing.T) {
	s := newSite(t)
	var order []string
	s.fail = func(call string) error {
		if strings.HasPrefix(call, "put ") || strings.HasPrefix(call, "verify ") {
			order = append(order, strings.Split(call, "/")[1]+" "+strings.Fields(call)[0])
		}
		return nil
	}
	u := s.waitingWith("a bundle", attached())
	s.settle()
	s.hasAll(u)
	order = slices.DeleteFunc(order, func(call string) bool {
		return strings.HasPrefix(call, "participant") || strings.HasPrefix(call, "file-view")
	})
	want := []string{"attachments put", "attachments verify", "attachments put", "attachments verify", "raw-data put", "raw-data verify", "data put", "data verify", "annotations put"}
	if !slices.Equal(order, want) {
		t.Errorf("put in the order %q", order)
	}
}

// Whichever call fails, with or without a restart behind it: in the end all is
// there once, and what was confirmed is not put again.
func TestALegacyRecordIsResumed(t *testing.T) {
	down := errors.New("connection refused")
	var calls []string
	s := newSite(t)
	s.fail = func(call string) error { calls = append(calls, call); return nil }
	s.waitingWith("a bundle", attached())
	s.settle()
	for n := range calls {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newSite(t)
			made := 0
			s.fail = func(string) error {
				if made++; made == n+1 {
					return down
				}
				return nil
			}
			u := s.waitingWith("a bundle", attached())
			for made <= n {
				s.steps()
				s.clock.pass(time.Minute)
			}
			if n%2 == 0 || strings.HasSuffix(calls[n], "settle") { // a settle that is not heard of needs one
				s.restart()
			}
			s.settle()
			s.hasAll(u)
		})
	}
}
