package awake

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
)

// hold runs the system's own program for it, which ends with this one.
func hold(ctx context.Context) (Release, error) {
	caffeinate := exec.CommandContext(ctx, "/usr/bin/caffeinate", "-i", "-w", strconv.Itoa(os.Getpid()))
	if err := caffeinate.Start(); err != nil {
		return nil, fmt.Errorf("run caffeinate: %w", err)
	}
	return func() {
		caffeinate.Process.Kill()
		caffeinate.Wait()
	}, nil
}
