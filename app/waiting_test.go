package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/sync/remote/remotetest"
	"footbridge/sync/synapse/synapsetest"
)

// troubles are what keeps a repository from taking records, without anyone's fault
// here, how it says so, and how it ends.
var troubles = map[string]struct {
	harm   func(*site, *synapsetest.Server)
	heal   func(*site, *synapsetest.Server)
	says   string
	person bool
}{
	"needs_token": {
		func(_ *site, server *synapsetest.Server) { server.Renew(synapsetest.Token, "the-new-one") },
		func(s *site, _ *synapsetest.Server) { s.giveToken("the-new-one") },
		"there is no token or key that the repository takes", true,
	},
	"repository_maintenance": {
		func(_ *site, server *synapsetest.Server) { server.Maintain("READ_ONLY", "back at noon", 0) },
		func(_ *site, server *synapsetest.Server) { server.Maintain("READ_WRITE", "", 0) },
		"the repository is being maintained", false,
	},
	"repository_throttled": {
		func(_ *site, server *synapsetest.Server) { server.Inject(synapsetest.Throttled("31").Repeated(-1)) },
		func(_ *site, server *synapsetest.Server) { server.Calm() },
		"the repository asks for a pause", false,
	},
	"repository_unreachable": {
		func(_ *site, server *synapsetest.Server) { server.Inject(synapsetest.BadGateway().Repeated(-1)) },
		func(_ *site, server *synapsetest.Server) { server.Calm() },
		"the repository cannot be reached", false,
	},
	"repository_impostor": {
		func(_ *site, server *synapsetest.Server) { server.Inject(synapsetest.Portal().Repeated(-1)) },
		func(_ *site, server *synapsetest.Server) { server.Calm() },
		"something else answers in the repository’s place", false,
	},
}

// giveToken puts a token where a site reads it while it runs.
func (s *site) giveToken(token string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.home, "keys", "repository.token"), []byte(token+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// held is what is told of a record at its destination, and of the destination.
type held struct {
	ExportState, ExportReason, Sentence, Since, NextTry string
}

func (s *site) standing(id string) (h held, d map[string]any, status string) {
	s.t.Helper()
	var shown struct{ Destinations []held }
	if err := json.Unmarshal([]byte(s.command(nil, "upload", "show", id, "--json")), &shown); err != nil || len(shown.Destinations) != 1 {
		s.t.Fatalf("%+v, %v", shown, err)
	}
	var overview struct {
		State        string
		NeedsPerson  []string
		Destinations []map[string]any
	}
	if err := json.Unmarshal([]byte(s.command(nil, "status", "--json")), &overview); err != nil || len(overview.Destinations) != 1 {
		s.t.Fatalf("%+v, %v", overview, err)
	}
	return shown.Destinations[0], overview.Destinations[0], strings.Join(overview.NeedsPerson, " ")
}

// within waits for something that comes by itself, but may take its time.
func within(t *testing.T, most time.Duration, holds func() bool, said func() string) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > most {
			t.Fatal("it did not come to hold: ", said())
		}
	}
}

// Whatever keeps the repository from taking records is told in words, with since when
// and when it is tried next; it goes away by itself once it is over.
func TestWhatWaitsSaysWhy(t *testing.T) {
	for reason, trouble := range troubles {
		for _, made := range []bool{true, false} {
			t.Run(reason+map[bool]string{true: "", false: " keeps the project from being made"}[made], func(t *testing.T) {
				t.Parallel()
				server := synapsetest.Start(t, synapsetest.Config{Polls: -1})
				s := newSite(t)
				s.giveToken(synapsetest.Token)
				s.command(nil, "config", "set", "repository", "synapse:"+server.URL)
				s.start()
				if made {
					s.command(nil, "study", "create-project", testStudy)
				}
				token := s.enrol("p1")
				if made {
					before := &parcel{name: "before.bin", body: []byte("before")}
					if _, err := s.send(token, before); err != nil {
						t.Fatal(err)
					}
					eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", before.ID), "Sent to sleep.") })
				}
				trouble.harm(s, server)
				if !made {
					s.refused("study", "create-project", testStudy)
				}
				p := &parcel{name: "walk.bin", body: []byte("steps")}
				if _, err := s.send(token, p); err != nil {
					t.Fatal(err)
				}
				want := reason
				if !made {
					want = "project_pending"
				}
				told := func() bool {
					h, d, needs := s.standing(p.ID)
					return h.ExportState == "waiting" && h.ExportReason == want && strings.Contains(h.Sentence, trouble.says) && h.Since != "" && h.NextTry != "" &&
						d["reason"] == want && d["since"] != nil && d["nextTry"] != nil && strings.Contains(d["sentence"].(string), trouble.says) &&
						trouble.person == strings.Contains(needs, "keys/repository.token")
				}
				within(t, time.Minute, told, func() string {
					return s.command(nil, "upload", "show", p.ID, "--json") + s.command(nil, "status", "--json") + s.out.String()
				})
				for command, said := range map[string]string{"status": s.command(nil, "status"), "show": s.command(nil, "upload", "show", p.ID)} {
					if !strings.Contains(said, " since ") || !strings.Contains(said, "; it is tried again at ") || !strings.Contains(said, trouble.says) {
						t.Errorf("%s says %s", command, said)
					}
				}
				trouble.heal(s, server)
				within(t, 2*time.Minute, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep.") }, func() string {
					return s.command(nil, "upload", "show", p.ID) + s.out.String()
				})
				eventually(t, func() bool { return strings.HasPrefix(s.command(nil, "status"), "All is well") })
			})
		}
	}
}

// A key in rclone.conf that is not taken any more is asked for, and taken up once it is
// corrected.
func TestAKeyIsCorrectedInRcloneConf(t *testing.T) {
	t.Parallel()
	server := remotetest.Start(t, "s3")
	s := newSiteAt(t, "rclone:store:"+remotetest.Place, server.Folder())
	configure := func(key string) {
		t.Helper()
		text := "[store]\ntype = s3\nprovider = Rclone\naccess_key_id = " + remotetest.User + "\nsecret_access_key = " + key + "\nendpoint = http://" + server.Addr + "\n"
		if err := os.WriteFile(filepath.Join(s.home, "rclone.conf"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	configure(remotetest.Key)
	s.start()
	token := s.enrol("p1")
	before := &parcel{name: "before.bin", body: []byte("before")}
	if _, err := s.send(token, before); err != nil {
		t.Fatal(err)
	}
	s.exported(before.ID)
	configure("an-old-key")
	p := &parcel{name: "walk.bin", body: []byte("steps")}
	if _, err := s.send(token, p); err != nil {
		t.Fatal(err)
	}
	within(t, time.Minute, func() bool {
		h, d, needs := s.standing(p.ID)
		return h.ExportReason == "needs_token" && strings.Contains(h.Sentence, "rclone.conf") && d["state"] == "needs_person" && strings.Contains(needs, "rclone.conf")
	}, func() string { return s.command(nil, "upload", "show", p.ID) + s.out.String() })
	configure(remotetest.Key)
	s.exported(p.ID)
	if told := s.out.String(); strings.Contains(told, remotetest.Key) || strings.Contains(told, "an-old-key") {
		t.Errorf("the log tells a key: %s", told)
	}
}
