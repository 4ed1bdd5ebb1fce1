package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Data groups that are too long for the repository's table are told to a person, and
// are no task of a repair; once they are shorter, all is well.
func TestAVersionThatTheTableNeverTakes(t *testing.T) {
	s, server := onSynapse(t)
	s.start()
	s.command(nil, "study", "create-project", testStudy)
	s.enrol("p1")
	groups := func(n int) {
		t.Helper()
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("a-group-of-many-%03d", i))
		}
		change := map[string]any{"dataGroups": all, "externalIds": map[string]string{testStudy: "p1"}}
		if err := s.call("POST", "/v5/studies/"+testStudy+"/participants/externalid:p1", s.admin(), change, nil); err != nil {
			t.Fatal(err)
		}
	}
	status := func() string { return s.command(nil, "status", "--json") }
	groups(20)
	within(t, time.Minute, func() bool {
		said := status()
		return strings.Contains(said, "does not take version 2 of participant ") && strings.Contains(said, "column dataGroups: it takes 250 characters") && strings.Contains(said, `"needs_person"`)
	}, status)
	if said := status(); strings.Contains(said, "a-group-of") || strings.Contains(s.logs(), "a-group-of") {
		t.Errorf("the value itself is told: %s", said)
	}
	for _, args := range [][]string{{"sync", "reconcile"}, {"sync", "reconcile", "--repair"}} {
		if said := s.refused(args...); !strings.Contains(said, "/2\n") || !strings.Contains(said, "no repair mends") || strings.Contains(said, "--repair mends it") {
			t.Errorf("%v says %s", args, said)
		}
	}
	groups(2)
	within(t, time.Minute, func() bool { return strings.HasPrefix(s.command(nil, "status"), "All is well") }, status)
	s.command(nil, "sync", "reconcile")
	if rows := server.Rows(inProject(t, server)["Participant Versions"]); len(rows) != 2 {
		t.Errorf("the table has %v", rows)
	}
}
