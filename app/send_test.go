package main_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A device in front of an address where nobody is says so and ends, and tries no other
// file there.
func TestSendingToNobodyEnds(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	s := newSite(t)
	t.Setenv("FOOTBRIDGE_PASSWORD", testPassword)
	var files []string
	for _, name := range []string{"a.bin", "b.bin", "c.bin"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte("steps"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	said := s.refused(append([]string{"send", "--to", "http://" + closed.Addr().String(), "--app-id", testApp, "--external-id", "p1", "--patience", "3s"}, files...)...)
	for _, want := range []string{"nothing listens at " + closed.Addr().String(), "trying again in", "there is no site at this address", "Check the address", "Not tried: the last 2 files"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in: %s", want, said)
		}
	}
	if strings.Count(said, "there is no site") != 1 {
		t.Errorf("it went on: %s", said)
	}
}
