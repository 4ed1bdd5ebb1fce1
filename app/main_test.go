package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"footbridge/sync/remote/remotetest"
)

// Commands run in scripts as the real program, in a process of their own.
func TestMain(m *testing.M) {
	testscript.Main(english{m}, map[string]func(){"footbridge": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }})
}

// english runs tests that expect it, whatever the machine speaks.
type english struct{ *testing.M }

// Run runs them (testscript.TestingM).
func (e english) Run() int {
	os.Setenv("LC_ALL", "C")
	return e.M.Run()
}

func TestCommands(t *testing.T) {
	store, files := remotetest.Start(t, "s3"), remotetest.Start(t, "sftp")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("FOOTBRIDGE_HOME", env.WorkDir+"/home")
			env.Setenv("S3", store.Spec())
			env.Setenv("S3_ELSEWHERE", remotetest.Spec("s3", store.Addr, remotetest.Key, "elsewhere"))
			env.Setenv("SFTP", files.Spec())
			env.Setenv("SFTP_WRONG", remotetest.Spec("sftp", files.Addr, "another-key", remotetest.Place))
			return nil
		},
	})
}
