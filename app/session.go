package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// session is where a command works.
type session struct {
	home   string
	out    io.Writer
	errors io.Writer
}

// printJSON prints a result for programs.
func (s *session) printJSON(v any) error {
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}

// printer writes what a command prints and remembers that it could not.
type printer struct {
	to     io.Writer
	failed error
}

func (p *printer) Write(b []byte) (int, error) {
	n, err := p.to.Write(b)
	if err != nil && p.failed == nil {
		p.failed = fmt.Errorf("print the result: %w", err)
	}
	return n, err
}

// homeFolder is the home that was asked for, or the platform's place for
// application data.
func homeFolder(asked string) (string, error) {
	if asked != "" {
		return filepath.Abs(asked)
	}
	if state := os.Getenv("XDG_STATE_HOME"); state != "" {
		return filepath.Join(state, "footbridge"), nil
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("there is no place for a home folder; name one with --home DIR")
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		config, err := os.UserConfigDir()
		return filepath.Join(config, "Footbridge"), err
	}
	return filepath.Join(user, ".local", "state", "footbridge"), nil
}
