//go:build !windows && !darwin

package login

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// place is where desktops look (XDG Desktop Application Autostart Specification).
func place() (string, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find where desktops look for what starts at login: %w", err)
	}
	return filepath.Join(config, "autostart", Name+".desktop"), nil
}

// entry is the desktop entry. TryExec has desktops pass over a program that is gone.
func (s Start) entry() (string, error) {
	command, err := s.command()
	if err != nil {
		return "", err
	}
	return strings.Join([]string{
		"[Desktop Entry]", "Type=Application", "Version=1.4", "Name=Footbridge", "Icon=" + Name,
		"TryExec=" + escaped(s.Program), "Exec=" + command, "Terminal=false", "",
	}, "\n"), nil
}

// means reports whether an entry starts this. Desktops switch entries off by other keys.
func (s Start) means(entry string) bool {
	command, err := s.command()
	lines := strings.Split(entry, "\n")
	return err == nil && slices.Contains(lines, "Exec="+command) &&
		!slices.Contains(lines, "Hidden=true") && !slices.Contains(lines, "X-GNOME-Autostart-enabled=false")
}

// command writes the command line as desktops read it: every word in quotes, in which
// a backslash stands before what means something, and percent signs twice.
func (s Start) command() (string, error) {
	var words []string
	for _, word := range append([]string{s.Program}, s.Args...) {
		if strings.ContainsAny(word, "\x00\n\r") {
			return "", errors.New("a name with line breaks cannot be started at login")
		}
		word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`, `%`, `%%`).Replace(word)
		words = append(words, `"`+word+`"`)
	}
	if strings.Contains(s.Program, "=") {
		return "", errors.New("desktops start no program whose path has a = in it; put Footbridge somewhere else")
	}
	return escaped(strings.Join(words, " ")), nil
}

// escaped writes a text as the value of a key.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\t", `\t`).Replace(text)
}
