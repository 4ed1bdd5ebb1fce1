package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/sync/synapse/synapsetest"
)

// probing is a site on a stand-in of Synapse that has its token in a file.
func probing(t *testing.T) (*site, *synapsetest.Server) {
	t.Helper()
	server := synapsetest.Start(t, synapsetest.Config{Polls: -1})
	s := newSite(t)
	s.giveToken(synapsetest.Token)
	s.command(nil, "config", "set", "repository", "synapse:"+server.URL)
	return s, server
}

// A test makes a file, reads it back and leaves nothing: in a project of its own, or in
// that of a study, beside the folder of its records.
func TestTheTestOfSynapse(t *testing.T) {
	t.Parallel()
	s, server := probing(t)
	tested := func(where string, args ...string) {
		t.Helper()
		said := s.command(nil, append([]string{"repository", "test"}, args...)...)
		for _, want := range []string{"ok     reach", "ok     token", "ok     write", "ok     read", "ok     annotations", "ok     delete", "user exporter", where, "All is well"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in: %s", want, said)
			}
		}
		if server.Handles() != 0 {
			t.Errorf("%d handles are left", server.Handles())
		}
	}
	tested("in a project of its own")
	if left := server.Children(""); len(left) != 0 {
		t.Errorf("the projects %v are left", left)
	}
	s.command(nil, "study", "create-project", testStudy)
	before := inProject(t, server)
	tested("in the project syn")
	after := inProject(t, server)
	if len(after) != len(before) || len(server.Children(after["Bridge Raw Data"])) != 0 {
		t.Errorf("the project has %v", after)
	}
	tested("in a project of its own", "synapse:"+server.URL+"/") // another than that of the settings, for all we know
}

// What is wrong is said in words, and what to do about it; nothing is left.
func TestTheTestOfSynapseSaysWhatIsWrong(t *testing.T) {
	account := func(certified bool, scopes ...string) func(*site, *synapsetest.Server) {
		return func(_ *site, server *synapsetest.Server) {
			server.AddUser(synapsetest.User{Name: "exporter", Token: synapsetest.Token, Certified: certified, Scopes: scopes})
		}
	}
	for name, test := range map[string]struct {
		harm          func(*site, *synapsetest.Server)
		step          string
		trouble, says string
		advice        string
	}{
		"no token": {func(s *site, _ *synapsetest.Server) { os.Remove(filepath.Join(s.home, "keys", "repository.token")) },
			"token", "no_token", "there is no token for the repository", "keys/repository.token"},
		"a token that others may read": {func(s *site, _ *synapsetest.Server) {
			os.Chmod(filepath.Join(s.home, "keys", "repository.token"), 0o644)
		}, "token", "no_token", "chmod 600", "keys/repository.token"},
		"a token that is not taken": {func(_ *site, server *synapsetest.Server) { server.Revoke(synapsetest.Token) },
			"token", "wrong_key", "there is no token or key that the repository takes", "expired or revoked"},
		"maintenance": {func(_ *site, server *synapsetest.Server) { server.Maintain("READ_ONLY", "back at noon", 0) },
			"reach", "maintenance", "the repository is being maintained: back at noon", "by itself when it is over"},
		"another service": {func(_ *site, server *synapsetest.Server) { server.Inject(synapsetest.Portal().Repeated(-1)) },
			"reach", "portal", "something else than the repository answered", "Sign in to the network"},
		"a gateway": {func(_ *site, server *synapsetest.Server) { server.Inject(synapsetest.BadGateway().Repeated(-1)) },
			"reach", "portal", "something else than the repository answered", "check the endpoint"},
		"throttled": {func(_ *site, server *synapsetest.Server) {
			server.Inject(synapsetest.Throttled("3600").At("", "/repo/v1/userProfile").Repeated(-1))
		}, "token", "busy", "asks for a pause", "tried again later"},
		"not certified":    {account(false), "write", "not_certified", "Only certified users", "certification quiz"},
		"may not view":     {account(true, "modify", "download"), "token", "missing_scope", "view", "scopes view, download and modify"},
		"may not modify":   {account(true, "view", "download"), "write", "missing_scope", "modify", "scopes view, download and modify"},
		"may not download": {account(true, "view", "modify"), "read", "missing_scope", "download", "scopes view, download and modify"},
		"may not do a thing": {func(_ *site, server *synapsetest.Server) {
			server.Inject(synapsetest.Refused(403, "You may not.").At("POST", "/repo/v1/entity").Repeated(-1))
		}, "write", "not_allowed", "You may not", "Ask whoever owns the project"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, server := probing(t)
			test.harm(s, server)
			said := s.refused("repository", "test")
			for _, want := range []string{"WRONG  " + test.step, test.says, test.advice, "cannot be used as it is"} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not in: %s", want, said)
				}
			}
			if json := s.refused("repository", "test", "--json"); !strings.Contains(json, `"trouble": "`+test.trouble+`"`) || strings.Contains(said+json, synapsetest.Token) {
				t.Errorf("for programs: %s", json)
			}
			if left := server.Children(""); len(left) != 0 || server.Handles() != 0 {
				t.Errorf("%v and %d handles are left", left, server.Handles())
			}
		})
	}
}
