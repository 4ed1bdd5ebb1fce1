package view

import (
	"slices"
	"strconv"
	"strings"

	"footbridge/ui/tongue"
)

// Setting is one setting as it is, and what it takes. Values are written as people write
// them; a secret in one is masked.
type Setting struct {
	Key     string   `json:"key"`
	Kind    string   `json:"kind"` // text, number, switch, choice or list
	Value   string   `json:"value"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Least   *int64   `json:"least,omitempty"`
	Most    *int64   `json:"most,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	Asks    bool     `json:"asks,omitempty"` // what a change brings with it should be known before

	// InForce is the value that Footbridge was started with, in place of Value; empty
	// where none is.
	InForce string `json:"inForce,omitempty"`
}

// SettingTry is what came of trying a value, which changed nothing.
type SettingTry struct {
	OK  bool   `json:"ok"`
	Why string `json:"why,omitempty"` // goes on after the setting's name
}

// SettingGroups are what settings are shown under, in this order.
func SettingGroups() []string {
	return []string{"site", "repository", "sync", "uploads", "participants"}
}

// Group is the group that a setting is shown under.
func (s Setting) Group() string {
	table, _, _ := strings.Cut(s.Key, ".")
	switch table {
	case "repository", "sync":
		return table
	case "uploads", "validation":
		return "uploads"
	case "participants", "oldest_app_versions":
		return "participants"
	}
	return "site"
}

// appTable is a table that people fill as they like.
const appTable = "oldest_app_versions"

// name is what the catalogue knows a setting by, and the entry that it is of a table.
func (s Setting) name() (name, entry string) {
	if entry, ok := strings.CutPrefix(s.Key, appTable+"."); ok {
		return appTable, entry
	}
	return s.Key, ""
}

// SettingName is what the reader calls a setting.
func (r Reader) SettingName(s Setting) string {
	name, entry := s.name()
	if name == appTable && entry == "" {
		return r.Say("setting." + appTable + ".all")
	}
	return known(r.Say("setting."+name+".name", "entry", entry), s.Key)
}

// SettingDoes says what a setting does, and at the window that a size need not be typed in
// bytes (Setting.Typed); empty where the catalogue has no words for it.
func (r Reader) SettingDoes(s Setting) string {
	name, _ := s.name()
	does := known(r.Say("setting."+name+".does"), "")
	if does != "" && r.Window && s.sized() {
		does += " " + r.Say("settings.size_typed")
	}
	return does
}

// SettingAsks says what a change brings with it.
func (r Reader) SettingAsks(s Setting) string { return known(r.Say("setting."+s.Key+".asks"), "") }

// known is what the catalogue says of a setting, or something else where it has no words.
func known(said, otherwise string) string {
	if strings.HasPrefix(said, "setting.") {
		return otherwise
	}
	return said
}

// SettingValue writes a value for the reader.
func (r Reader) SettingValue(s Setting, value string) string {
	switch {
	case s.Kind == "switch" && value == "true":
		return r.Say("settings.yes")
	case s.Kind == "switch":
		return r.Say("settings.no")
	case s.Kind == "choice" && value == "":
		return r.Say("settings.as_computer")
	case s.Key == "language":
		return languageName(value)
	case s.Kind == "choice":
		return known(r.Say("setting."+s.Key+".choice."+value), value)
	case value == "":
		return r.Say("settings.empty")
	}
	if words := r.SettingMeans(s, value); words != "" {
		return words
	}
	return value
}

// languageName is what a language calls itself, so that whoever speaks it finds it.
func languageName(code string) string {
	for _, l := range tongue.Languages() {
		if l.Code == code {
			return l.Name
		}
	}
	return code
}

// SettingMeans says a number with its unit; empty where that says no more.
func (r Reader) SettingMeans(s Setting, value string) string {
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil || n < 0 {
		return ""
	}
	switch s.Unit {
	case "bytes":
		return r.Bytes(n)
	case "bytes a second":
		if n == 0 {
			return r.Say("settings.unlimited")
		}
		return r.Say("settings.each_second", "size", r.Bytes(n))
	}
	return ""
}

// SettingWarns says what a value that can be saved would bring about now, or one that holds
// does, where that is hardly meant; empty where it brings about nothing of the kind.
func (r Reader) SettingWarns(s Setting, value string, disk Disk) string {
	floor, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	known := disk.FreeBytes > 0 || disk.Paused
	if s.Key != "uploads.free_space_floor" || err != nil || !known || floor < disk.FreeBytes {
		return ""
	}
	if value == s.Value {
		return r.Say("setting.uploads.free_space_floor.stops", "free", r.Bytes(disk.FreeBytes))
	}
	return r.Say("setting.uploads.free_space_floor.warns", "free", r.Bytes(disk.FreeBytes))
}

// SettingUsual says which value a setting has where nobody chose one.
func (r Reader) SettingUsual(s Setting) string {
	return r.Say("settings.usual", "value", r.SettingValue(s, s.Default))
}

// SettingInForce says what holds in place of a setting; empty where the setting does.
func (r Reader) SettingInForce(s Setting) string {
	if s.InForce == "" {
		return ""
	}
	return r.Say("settings.in_force", "value", r.SettingValue(s, s.InForce))
}

// SettingMust says what would be right; why is what the appliance said.
func (r Reader) SettingMust(s Setting, why string) string {
	switch {
	case s.Kind == "number" && s.Least != nil && s.Most != nil:
		return r.Say("settings.must_be_between", "least", *s.Least, "most", *s.Most)
	case s.Kind == "number" && s.Least != nil && s.sized():
		return r.Say("settings.must_be_size", "least", *s.Least)
	case s.Kind == "number" && s.Least != nil:
		return r.Say("settings.must_be_least", "least", *s.Least)
	}
	return known(r.Say("setting."+s.Key+".must"), r.Say("settings.must", "why", why))
}

// Shows reports whether a setting is one of those that someone looks for, by any of the
// words that stand at it, those of its choices and buttons included.
func (r Reader) Shows(s Setting, text string) bool {
	words := []string{s.Key, r.SettingName(s), r.SettingDoes(s), r.Say("settings.group." + s.Group())}
	for _, choice := range s.Choices {
		words = append(words, r.SettingValue(s, choice))
	}
	if s.Key == "repository" {
		words = append(words, r.Say("settings.test"), r.Say("settings.secrets"))
		for _, name := range []string{"token", "key_id", "key_secret", "password"} { // that the button asks for
			words = append(words, r.Say("settings.secrets."+name))
		}
	}
	return Sought(text, words...)
}

// Sought reports whether any of some words are those that someone looks for.
func Sought(text string, words ...string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(w), text) })
}
