package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands run in scripts as the real program, in a process of their own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"footbridge": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }})
}

func TestCommands(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("FOOTBRIDGE_HOME", env.WorkDir+"/home")
			return nil
		},
	})
}
