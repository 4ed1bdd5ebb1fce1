package view

import (
	"math/big"
	"regexp"
	"strings"
)

// typedSize is a number, with a point or a comma in it, and its unit.
var typedSize = regexp.MustCompile(`^([0-9]+)(?:[.,]([0-9]+))?[ \x{a0}\x{202f}]*(\pL+)(?:/s)?$`)

// sizeUnits are the units that sizes are typed in, in lower case, and their bytes. French
// counts octets.
var sizeUnits = map[string]int64{
	"b": 1, "byte": 1, "bytes": 1, "o": 1, "octet": 1, "octets": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "ko": 1e3, "mo": 1e6, "go": 1e9, "to": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "kio": 1 << 10, "mio": 1 << 20, "gio": 1 << 30, "tio": 1 << 40,
}

// sized reports whether a setting is so many bytes, or so many of them a second.
func (s Setting) sized() bool { return s.Unit == "bytes" || s.Unit == "bytes a second" }

// Typed is what someone typed as the setting takes it: a size such as “1.5 GB” or “1,5 Go”
// in bytes, of which a fraction is left out. Whatever else it is stays as it was typed, for
// the appliance to judge: a bare number is so many bytes.
func (s Setting) Typed(text string) string {
	text = strings.TrimSpace(text)
	parts := typedSize.FindStringSubmatch(text)
	if !s.sized() || parts == nil {
		return text
	}
	whole, fraction, unit := parts[1], parts[2], parts[3]
	bytes, known := sizeUnits[strings.ToLower(unit)]
	switch {
	case !known, strings.HasSuffix(text, "/s") && s.Unit == "bytes":
		return text
	case len(fraction) == 3 && strings.Trim(whole, "0") != "":
		return text // 1.500 is a thousand and a half to some, and one and a half to others
	case s.Unit == "bytes a second" && len(unit) == 2 && unit[1] == 'b':
		return text // lines are sold in bits
	}
	size, _ := new(big.Rat).SetString(whole + "." + fraction + "0")
	size.Mul(size, new(big.Rat).SetInt64(bytes))
	if bytes == 1 && !size.IsInt() {
		return text
	}
	return new(big.Int).Quo(size.Num(), size.Denom()).String()
}
