package view

import (
	"maps"
	"slices"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
)

// DeedLine says on one line when who did what, accounts by their ids, participants as they
// are called.
func (r Reader) DeedLine(d DeedRow) string {
	return d.At.UTC().Format(time.RFC3339) + "  " + r.deed(d)
}

// Deed says what someone did: when, and who and what as a sentence.
func (r Reader) Deed(d DeedRow) (when, what string) { return r.When(d.At), r.deed(d) + "." }

// deed says who did what, and with what.
func (r Reader) deed(d DeedRow) string {
	line := r.doer(d) + " " + r.Did(d.Deed)
	var with []string
	for _, name := range slices.Sorted(maps.Keys(d.With)) {
		if words := r.with(d, name); words != "" {
			with = append(with, words)
		}
	}
	if len(with) > 0 {
		line = r.Say("deed.with", "deed", line, "with", strings.Join(with, ", "))
	}
	return line
}

// doer says who did something.
func (r Reader) doer(d DeedRow) string {
	who := string(d.Who)
	person, known := d.People[who]
	switch {
	case who == "":
		return r.Say("deed.operator")
	case !r.Window:
	case !known:
		who = r.Say("deed.stranger", "who", short(who))
	case person.Staff:
		who = person.Name
	default:
		who = r.Say("deed.participant", "who", person.Name)
	}
	if d.Address != "" {
		who = r.Say("deed.account_at", "who", who, "address", d.Address)
	}
	return who
}

// with says one thing that a deed was done with; at the window nothing of what only
// programs know it by.
func (r Reader) with(d DeedRow, name string) string {
	value, has := d.With[name], tongue.Has("with."+name)
	if name == "records" && (value == kept || value == givenUp) { // the sentence says it
		return ""
	}
	if r.Window {
		switch name {
		case "user", "participant":
			name, value = whom(d, value)
		case "settings":
			if value = r.settingNames(value); d.Did == core.DeedSettingsChanged { // which says what they are
				return value
			}
		case "key":
			value = short(value)
		case "pairing", "device", "subscription":
			return ""
		}
		if !has {
			return ""
		}
	} else if person, known := d.People[value]; known && name == "participant" { // it may be a health code
		value = person.Name
	}
	if has {
		name = r.Say("with." + name)
	}
	return name + " " + value
}

// whom gives what an account is, by its name among what a deed was done with, and what it
// is called.
func whom(d DeedRow, who string) (what, called string) {
	switch person, known := d.People[who]; {
	case !known:
		return "account", short(who)
	case person.Staff:
		return "account", person.Name
	default:
		return "participant", person.Name
	}
}

// settingNames says settings, which stand there with commas between, by their names.
func (r Reader) settingNames(keys string) string {
	var names []string
	for _, key := range strings.Split(keys, ", ") {
		names = append(names, r.Say("deed.quoted", "text", r.SettingName(Setting{Key: key})))
	}
	return strings.Join(names, ", ")
}

// kept is said of the records of a participant that stay where they are.
const kept = "kept"

// givenUp is said where there were no records, but uploads that could not be opened.
const givenUp = "given_up"

// Did says in words what was done; it follows who did it.
func (r Reader) Did(d core.Deed) string {
	did := string(d.Did)
	switch {
	case d.Did == core.DeedRecordsWithdrawn && d.With["records"] == kept:
		did = "records_kept"
	case d.Did == core.DeedRecordsWithdrawn && d.With["records"] == givenUp:
		did = "uploads_given_up"
	}
	if tongue.Has("did." + did) {
		return r.Say("did." + did)
	}
	return r.Say("deed.unknown", "deed", did)
}

// DeedRow is a deed, and what people call the accounts that it names.
type DeedRow struct {
	core.Deed
	People map[string]Person `json:"people,omitempty"` // by what the deed names them by
}

// DeedPage is a part of the audit, the newest deed first.
type DeedPage struct {
	Deeds []DeedRow `json:"deeds"`
	Next  string    `json:"next,omitempty"` // where the next page begins; empty: there is none
}

// Trace tells one deed from another.
func Trace(d core.Deed) string {
	return d.At.UTC().Format(time.RFC3339Nano) + " " + (Reader{}).DeedLine(DeedRow{Deed: d})
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
