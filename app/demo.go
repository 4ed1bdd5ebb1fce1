package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"footbridge/app/demo"
)

// demoCommand shows the main job on loopback, in a scratch home.
type demoCommand struct {
	Keep bool `help:"Keep the scratch home and say where it is."`
}

// Run walks through every step and fails with the first that is wrong.
func (c *demoCommand) Run(ctx context.Context, s *session) error {
	begun := time.Now()
	scratch, err := os.MkdirTemp("", "footbridge-demo-")
	if err != nil {
		return fmt.Errorf("make a scratch home: %w", err)
	}
	if c.Keep {
		fmt.Fprintf(s.out, "The scratch home is %s\n\n", scratch)
	} else {
		defer os.RemoveAll(scratch)
	}
	fmt.Fprintln(s.out, "Footbridge, the whole main job: device → api → upload → store → process → push → repository")
	if err := demo.Run(ctx, s.out, scratch); err != nil {
		return fmt.Errorf("the demo went wrong: %w", err)
	}
	fmt.Fprintf(s.out, "\nEverything was as it should be, in %.1f seconds.\n", time.Since(begun).Seconds())
	return nil
}
