package view

import (
	"maps"
	"slices"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
)

// DeedLine says on one line when who did what.
func (r Reader) DeedLine(d core.Deed) string {
	return d.At.UTC().Format(time.RFC3339) + "  " + r.deed(d)
}

// Deed says what someone did: when, and who and what as a sentence.
func (r Reader) Deed(d core.Deed) (when, what string) { return r.When(d.At), r.deed(d) + "." }

// deed says who did what, and with what.
func (r Reader) deed(d core.Deed) string {
	who := r.Say("deed.operator")
	switch {
	case d.Who != "" && d.Address != "":
		who = r.Say("deed.account_at", "who", d.Who, "address", d.Address)
	case d.Who != "":
		who = r.Say("deed.account", "who", d.Who)
	}
	line := who + " " + r.Did(d.Did)
	var with []string
	for _, name := range slices.Sorted(maps.Keys(d.With)) {
		words := name
		if tongue.Has("with." + name) {
			words = r.Say("with." + name)
		}
		with = append(with, words+" "+d.With[name])
	}
	if len(with) > 0 {
		line = r.Say("deed.with", "deed", line, "with", strings.Join(with, ", "))
	}
	return line
}

// Did says in words what was done; it follows who did it.
func (r Reader) Did(did core.DeedKind) string {
	if tongue.Has("did." + string(did)) {
		return r.Say("did." + string(did))
	}
	return r.Say("deed.unknown", "deed", did)
}

// DeedPage is a part of the audit, the newest deed first.
type DeedPage struct {
	Deeds []core.Deed `json:"deeds"`
	Next  string      `json:"next,omitempty"` // where the next page begins; empty: there is none
}

// Trace tells one deed from another.
func Trace(d core.Deed) string {
	return d.At.UTC().Format(time.RFC3339Nano) + " " + (Reader{}).DeedLine(d)
}

// DeedsEnd says what lies behind so many deeds of a list, of all that were looked at.
func (r Reader) DeedsEnd(shown int, more bool, of int) string {
	switch {
	case more:
		return r.Count("deeds.more", shown)
	case of == 0:
		return r.Say("activity.none")
	case shown == 0:
		return r.Say("deeds.none")
	}
	return r.Count("deeds.all", shown)
}
