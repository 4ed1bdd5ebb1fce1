package main

import (
	"fmt"
	"runtime"
)

// version is the same as in FyneApp.toml; a test compares them.
const version = "0.1.0"

// versionCommand prints the version.
type versionCommand struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run prints the version.
func (c *versionCommand) Run(s *session) error {
	if c.JSON {
		return s.printJSON(map[string]string{"version": version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
	}
	fmt.Fprintf(s.out, "footbridge %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
