package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/control"
	"footbridge/app/local/setup"
)

// repositoryCommand looks after the repository.
type repositoryCommand struct {
	Test repositoryTest `cmd:"" help:"Write, read back, compare and delete a file in the repository, and say what is wrong."`
}

// repositoryTest tries a repository out.
type repositoryTest struct {
	Spec string `arg:"" optional:"" help:"The repository: folder:PATH, rclone:REMOTE or synapse:ENDPOINT; else that of the settings."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run tries it out; it fails where a step did.
func (c *repositoryTest) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var tested setup.RepositoryTested
		if err := client.Call(ctx, http.MethodPost, "/local/v1/repository/test", setup.RepositoryTest{Repository: c.Spec}, &tested); err != nil {
			return err
		}
		if err := c.print(s, tested); err != nil || tested.OK {
			return err
		}
		return errors.New("the repository cannot be used as it is; the advice above says what to do")
	})
}

func (c *repositoryTest) print(s *session, tested setup.RepositoryTested) error {
	if c.JSON {
		return s.printJSON(tested)
	}
	for _, check := range tested.Checks {
		sign := "ok   "
		if !check.OK {
			sign = "WRONG"
		}
		fmt.Fprintf(s.out, "%s  %-12s %s\n", sign, check.Step, check.Text)
		if check.Advice != "" {
			fmt.Fprintf(s.out, "%20s %s\n", "", check.Advice)
		}
	}
	if tested.OK {
		fmt.Fprintln(s.out, "All is well: records can be sent there.")
	}
	return nil
}
