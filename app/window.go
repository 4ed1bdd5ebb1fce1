package main

import "context"

// windowCommand opens the window. Where no appliance runs on the home it serves too;
// where one does, the window shows that one.
type windowCommand struct {
	serveCommand
	Tray bool `help:"Begin in the tray instead of on the screen, as at login."`
}

// Run shows the window until it is closed; where none can open, it serves.
func (c *windowCommand) Run(ctx context.Context, s *session) error { return c.open(ctx, s) }
