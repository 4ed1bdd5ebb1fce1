//go:build !windows && !darwin

package login_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footbridge/app/login"

	"pgregory.net/rapid"
)

// place is where the entry lies in a user's settings, of which each test has its own.
func place(t *testing.T) string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "config")
	t.Setenv("XDG_CONFIG_HOME", config)
	return filepath.Join(config, "autostart", "org.footbridge.appliance.desktop")
}

func isOn(t *testing.T, s login.Start) bool {
	t.Helper()
	on, err := s.On()
	if err != nil {
		t.Fatal(err)
	}
	return on
}

func set(t *testing.T, s login.Start, on bool) {
	t.Helper()
	if err := s.Set(on); err != nil {
		t.Fatal(err)
	}
}

var window = login.Start{Program: "/opt/foot bridge/footbridge", Args: []string{"--home", "/srv/100%", "window", "--tray"}}

// What is set is there, as often as it is set, and gone once it is taken back.
func TestStartingAtLogin(t *testing.T) {
	path := place(t)
	set(t, window, false) // nothing is there to take back
	if isOn(t, window) {
		t.Error("it starts before anybody asked for it")
	}
	for range 2 {
		set(t, window, true)
		if !isOn(t, window) {
			t.Error("it does not start")
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"TryExec=/opt/foot bridge/footbridge", `Exec="/opt/foot bridge/footbridge" "--home" "/srv/100%%" "window" "--tray"`} {
		if !slices.Contains(strings.Split(string(text), "\n"), line) {
			t.Errorf("no line is %s:\n%s", line, text)
		}
	}
	for range 2 {
		set(t, window, false)
		if _, err := os.Stat(path); isOn(t, window) || !os.IsNotExist(err) {
			t.Errorf("it still starts (%v)", err)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

// One is started for each user: the last that was asked for. Desktops may switch it off.
func TestWhatElseStarts(t *testing.T) {
	path := place(t)
	set(t, window, true)
	other := login.Start{Program: window.Program}
	if isOn(t, other) {
		t.Error("another home's start is taken for this one's")
	}
	set(t, other, true)
	if isOn(t, window) || !isOn(t, other) {
		t.Error("it does not take the place of the other")
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []string{"Hidden=true", "X-GNOME-Autostart-enabled=false"} {
		if err := os.WriteFile(path, append(good[:len(good):len(good)], off+"\n"...), 0o600); err != nil {
			t.Fatal(err)
		}
		if isOn(t, other) {
			t.Errorf("%s: it is told that it starts", off)
		}
	}
}

// Where the entry cannot be written or read, that is said, and nothing is half done.
func TestSettingsThatCannotBeWritten(t *testing.T) {
	path := place(t)
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(path)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	if err := window.Set(true); err == nil || !strings.Contains(err.Error(), "have it started at login") {
		t.Error(err)
	}
	if _, err := window.On(); err == nil {
		t.Error("it is told whether it starts, of which nothing is known")
	}
	for _, impossible := range []login.Start{{Program: "/a\nb"}, {Program: "/a=b"}, {Program: "/a", Args: []string{"\x00"}}} {
		if err := impossible.Set(true); err == nil {
			t.Errorf("%q was written", impossible)
		}
	}
}

// Desktops find it valid.
func TestTheEntryIsValid(t *testing.T) {
	validate, err := exec.LookPath("desktop-file-validate")
	if err != nil {
		t.Skip("desktop-file-validate (desktop-file-utils) is not installed")
	}
	path := place(t)
	set(t, login.Start{Program: "/opt/a \\ \"b\" $c `d`\té/footbridge", Args: window.Args}, true)
	if out, err := exec.Command(validate, path).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// Whatever a program and its home are called, a desktop that reads as the Desktop Entry
// Specification says starts just that.
func TestCommandsAreReadAsTheyWereMeant(t *testing.T) {
	path := place(t)
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("ab \t\\\"'`$%&;<>|*?#()=~é")), 0, 12, -1)
	rapid.Check(t, func(r *rapid.T) {
		want := append([]string{"/" + strings.ReplaceAll(letters.Draw(r, "program"), "=", "")}, rapid.SliceOfN(letters, 0, 3).Draw(r, "args")...)
		if err := (login.Start{Program: want[0], Args: want[1:]}).Set(true); err != nil {
			r.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			r.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\nExec=")
		line, _, _ := strings.Cut(rest, "\n")
		if got := desktopWords(line); !slices.Equal(got, want) {
			r.Fatalf("a desktop reads %q of %s, not %q", got, line, want)
		}
	})
}

// desktopWords reads an Exec key: first the escapes of any value, then the quotes, then
// the percent signs.
func desktopWords(value string) (words []string) {
	value = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\s`, " ").Replace(value)
	var word strings.Builder
	quoted := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
			word.WriteByte(value[i])
		case c == '"' && quoted:
			words, quoted = append(words, strings.ReplaceAll(word.String(), "%%", "%")), false
			word.Reset()
		case c == '"':
			quoted = true
		case quoted:
			word.WriteByte(c)
		case c != ' ':
			return append(words, "bare: "+value[i:])
		}
	}
	return words
}
