package archive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unfit says why a name must not be used as a path, on any system, or
// nothing. That the archive is never unpacked here is no reason to hand such
// names on: someone will unpack it.
func unfit(name string) string {
	switch {
	case name == "":
		return "has no name"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has control characters in its name"
	case strings.Contains(name, `\`):
		return "has a backslash in its name"
	case strings.HasPrefix(name, "/"):
		return "has an absolute path for a name"
	case len(name) > 1 && name[1] == ':' && unicode.IsLetter(rune(name[0])):
		return "has a drive letter in its name"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "has a path that leads out of the archive"
		}
		if device(part) {
			return "has the name of a device"
		}
	}
	return ""
}

// device knows the names that Windows keeps for devices, in every folder and
// with any extension.
func device(part string) bool {
	base, _, _ := strings.Cut(part, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	if slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, base) {
		return true
	}
	number, port := strings.CutPrefix(base, "COM")
	if !port {
		number, port = strings.CutPrefix(base, "LPT")
	}
	return port && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// shown makes a name fit to be shown: short, and without anything that a
// terminal or a window would act on.
func shown(name string) string {
	const most = 80
	var b strings.Builder
	n := 0
	for _, r := range name {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		if !unicode.IsPrint(r) {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}
