package login

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"golang.org/x/sys/windows/registry"
)

// runKey names what Windows starts as its user signs in.
const runKey = `Software\Microsoft\Windows\CurrentVersion\Run`

// on reads the value.
func (s Start) on() (bool, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read what starts at login: %w", err)
	}
	defer key.Close()
	value, _, err := key.GetStringValue(Name)
	if err != nil && !errors.Is(err, registry.ErrNotExist) {
		return false, fmt.Errorf("read what starts at login: %w", err)
	}
	return value == s.command(), nil
}

// write sets the value.
func (s Start) write() error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("have it started at login: %w", err)
	}
	defer key.Close()
	if err := key.SetStringValue(Name, s.command()); err != nil {
		return fmt.Errorf("have it started at login: %w", err)
	}
	return nil
}

// remove deletes the value.
func (s Start) remove() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("have nothing started at login: %w", err)
	}
	defer key.Close()
	if err := key.DeleteValue(Name); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return fmt.Errorf("have nothing started at login: %w", err)
	}
	return nil
}

// command is the command line as Windows reads it.
func (s Start) command() string {
	words := []string{syscall.EscapeArg(s.Program)}
	for _, arg := range s.Args {
		words = append(words, syscall.EscapeArg(arg))
	}
	return strings.Join(words, " ")
}
