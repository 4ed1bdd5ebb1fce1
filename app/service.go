package main

import (
	"fmt"
	"os"

	"footbridge/app/appliance"
	"footbridge/app/login"
)

// serviceCommand looks after when Footbridge runs by itself.
type serviceCommand struct {
	Login serviceLogin `cmd:"" help:"Start when you sign in to this computer, in the tray; without a flag, say whether it does."`
}

// serviceLogin switches the start at login.
type serviceLogin struct {
	On   bool `help:"Start this home's from the next time on." xor:"login"`
	Off  bool `help:"Start none." xor:"login"`
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run switches it, and prints how it is then.
func (c *serviceLogin) Run(s *session) error {
	start, err := atLogin(s.home)
	if err != nil {
		return err
	}
	if c.On {
		if err := appliance.IsMade(s.home); err != nil {
			return err // it would end at every login, where nobody sees why
		}
	}
	if c.On || c.Off {
		if err := start.Set(c.On); err != nil {
			return err
		}
	}
	on, err := start.On()
	if err != nil {
		return err
	}
	if c.JSON {
		return s.printJSON(map[string]bool{"login": on})
	}
	sentence := "Footbridge does not start when you sign in to this computer."
	if on {
		sentence = "Footbridge starts when you sign in to this computer, with the home " + s.home + "."
	}
	fmt.Fprintln(s.out, sentence)
	return nil
}

// atLogin is how the window of a home starts at login.
func atLogin(home string) (login.Start, error) {
	program, err := os.Executable()
	if err != nil {
		return login.Start{}, fmt.Errorf("find this program: %w", err)
	}
	return login.Start{Program: program, Args: []string{"--home", home, "window", "--tray"}}, nil
}
