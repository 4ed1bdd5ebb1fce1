package schema

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	numberMax = 1_000 // characters of a number that is sent as text
	digitsMax = 400   // of a whole number; the largest number of most languages has 309
)

// numeric is a number as people and programs write it.
var numeric = regexp.MustCompile(`^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]{1,7}))?$`)

// decimal is a number digit by digit, so that none is lost.
type decimal struct {
	minus          bool
	units, decimal string // digits before and behind the point
	exponent       int
}

// parseDecimal reads a number.
func parseDecimal(text string) (decimal, bool) {
	if len(text) > numberMax {
		return decimal{}, false
	}
	m := numeric.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" {
		return decimal{}, false
	}
	exponent, _ := strconv.Atoi(m[4]) // has at most seven digits
	return decimal{m[1] == "-", strings.TrimLeft(m[2], "0"), m[3], exponent}, true
}

func (d decimal) zero() bool { return strings.Trim(d.units+d.decimal, "0") == "" }

// String writes the number as JSON has it.
func (d decimal) String() string {
	text := d.units
	if text == "" {
		text = "0"
	}
	if d.decimal != "" {
		text += "." + d.decimal
	}
	if d.exponent != 0 {
		text += "e" + strconv.Itoa(d.exponent)
	}
	if d.minus {
		text = "-" + text
	}
	return text
}

// whole cuts off what is behind the point. It is false for what has more digits
// than anyone counts.
func (d decimal) whole() (string, bool) {
	if d.zero() {
		return "0", true
	}
	point := len(d.units) + d.exponent
	digits := d.units + d.decimal
	leading := len(digits) - len(strings.TrimLeft(digits, "0"))
	if point-leading > digitsMax {
		return "", false
	}
	if point <= leading {
		return "0", true
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	text := digits[leading:point]
	if d.minus {
		text = "-" + text
	}
	return text, true
}
