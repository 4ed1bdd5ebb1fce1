package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"footbridge/sync/remote/remotetest"
)

// Commands run in scripts as the real program, in a process of their own.
func TestMain(m *testing.M) {
	testscript.Main(settled{m}, map[string]func(){"footbridge": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }})
}

// briskExit spares each program that is built with the race detector the second that
// it would wait at its end.
const briskExit = "atexit_sleep_ms=0"

// settled runs the tests with programs that speak English, whatever the machine speaks,
// and that end at once.
type settled struct{ *testing.M }

// Run runs them (testscript.TestingM).
func (s settled) Run() int {
	os.Setenv("LC_ALL", "C")
	os.Setenv("GORACE", briskExit)
	dir, err := os.MkdirTemp("", "footbridge-program")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("PROGRAM_FOLDER", dir) // where the real program is built, for those who ask for it
	return s.M.Run()
}

func TestCommands(t *testing.T) {
	store, files := remotetest.Start(t, "s3"), remotetest.Start(t, "sftp")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", briskExit)
			env.Setenv("FOOTBRIDGE_HOME", env.WorkDir+"/home")
			env.Setenv("S3", store.Spec())
			env.Setenv("S3_ELSEWHERE", remotetest.Spec("s3", store.Addr, remotetest.Key, "elsewhere"))
			env.Setenv("SFTP", files.Spec())
			env.Setenv("SFTP_WRONG", remotetest.Spec("sftp", files.Addr, "another-key", remotetest.Place))
			return nil
		},
	})
}
