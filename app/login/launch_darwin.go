package login

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// place is where launchd looks for the agents of a user.
func place() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find where macOS looks for what starts at login: %w", err)
	}
	return filepath.Join(home, "Library", "LaunchAgents", Name+".plist"), nil
}

// entry is the agent's property list.
func (s Start) entry() (string, error) {
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + Name + `</string>
	<key>ProgramArguments</key>
	` + s.words() + `
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`, nil
}

// means reports whether a property list starts this.
func (s Start) means(entry string) bool { return strings.Contains(entry, s.words()) }

func (s Start) words() string {
	var b strings.Builder
	b.WriteString("<array>")
	for _, word := range append([]string{s.Program}, s.Args...) {
		b.WriteString("<string>")
		xml.EscapeText(&b, []byte(word)) // into memory
		b.WriteString("</string>")
	}
	return b.String() + "</array>"
}
