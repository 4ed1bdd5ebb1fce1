//go:build !window

package main

import "context"

// open serves: this build has no window.
func (c *windowCommand) open(ctx context.Context, s *session) error {
	return c.serveCommand.Run(ctx, s)
}
