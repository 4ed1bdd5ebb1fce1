package schema

import (
	"regexp"
	"strconv"
	"strings"
)

// period is an ISO 8601 period: years to days, and behind a T hours to seconds.
var period = regexp.MustCompile(`(?i)^P(?:([-+]?\d+)Y)?(?:([-+]?\d+)M)?(?:([-+]?\d+)W)?(?:([-+]?\d+)D)?` +
	`(T)?(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?)(\d+)(?:[.,](\d*))?S)?$`)

// duration writes a period anew: parts that are zero are left out, and seconds
// have milliseconds where they have a fraction. Parts stay as they are: an hour
// and sixty minutes are not the same to who planned them.
func duration(text string) (string, bool) {
	m := period.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	clock := m[6] + m[7] + m[9]
	if dates := m[1] + m[2] + m[3] + m[4]; (m[5] == "") != (clock == "") || dates+clock == "" {
		return "", false
	}
	var date, of strings.Builder
	for i, unit := range []string{"Y", "M", "W", "D", "", "H", "M"} {
		if m[i+1] == "" || unit == "" {
			continue
		}
		n, err := strconv.ParseInt(m[i+1], 10, 32)
		if err != nil {
			return "", false
		}
		into := &date
		if i > 4 {
			into = &of
		}
		if n != 0 {
			into.WriteString(strconv.FormatInt(n, 10) + unit)
		}
	}
	seconds, ok := secondsOf(m[8], m[9], m[10])
	if !ok {
		return "", false
	}
	of.WriteString(seconds)
	switch {
	case of.Len() > 0:
		return "P" + date.String() + "T" + of.String(), true
	case date.Len() > 0:
		return "P" + date.String(), true
	}
	return "PT0S", true
}

// secondsOf writes seconds, or nothing where they are none.
func secondsOf(sign, units, fraction string) (string, bool) {
	if units == "" {
		return "", true
	}
	n, err := strconv.ParseInt(units, 10, 32)
	if err != nil {
		return "", false
	}
	text := strconv.FormatInt(n, 10)
	ms := (fraction + "000")[:3]
	if ms != "000" {
		text += "." + ms
	} else if n == 0 {
		return "", true
	}
	if sign == "-" {
		text = "-" + text
	}
	return text + "S", true
}
