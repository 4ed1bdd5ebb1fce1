package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// ParticipantLine is one participant as a list in the window shows it.
type ParticipantLine struct {
	Who      string
	State    string // in words
	Sharing  string // in words
	Last     string // when the last upload came
	Sentence string // why they stand so
}

// Participant describes a participant in a list to the reader.
func (r Reader) Participant(p ParticipantRow) ParticipantLine {
	line := ParticipantLine{
		Who: r.Called(p), State: r.Say("presence." + string(p.Presence)), Sharing: r.Say("sharing." + string(p.SharingScope)),
		Last: r.Say("people.never"), Sentence: r.silence(p),
	}
	if p.LastUploadOn != nil {
		line.Last = r.When(*p.LastUploadOn)
	}
	return line
}

// Called is what staff call a participant: by the external id, else by what is known.
func (r Reader) Called(p ParticipantRow) string {
	return cmp.Or(p.ExternalID, p.Name, p.Email, string(p.ID))
}

// silence says why a participant stands as they do.
func (r Reader) silence(p ParticipantRow) string {
	days := int(r.Now.Sub(p.SilentSince) / (24 * time.Hour))
	came := p.LastUploadOn != nil && p.LastUploadOn.Equal(p.SilentSince)
	switch {
	case p.Presence == PresenceWithdrawn:
		return r.Say("people.left")
	case p.Presence == PresenceExcused && p.Status == core.StatusDisabled:
		return r.Say("people.barred")
	case p.Presence == PresenceExcused:
		return r.Say("people.excused")
	case days < 1 && came:
		return r.Say("people.today")
	case days < 1:
		return r.Say("people.enrolled_today")
	case came:
		return r.Count("people.silent", days)
	}
	return r.Count("people.silent_enrolled", days)
}

// LateWords says how many of a study are late, by what that is told, and how they are
// listed.
func (r Reader) LateWords(late, days int) string {
	who := r.Count("people.late", late)
	if late == 0 {
		who = r.Say("people.late_none")
	}
	return who + " " + r.Count("people.late_means", days) + " " + r.Say("people.order")
}

// ParticipantsEnd says what lies behind so many rows of a list; more are to be had, or
// the list is full.
func (r Reader) ParticipantsEnd(q ParticipantQuery, rows int, more, full bool) string {
	switch {
	case full:
		return r.Count("people.full", rows)
	case more:
		return r.Count("people.so_far", rows)
	case rows == 0 && q.Text == "" && q.Presence == "":
		return r.Say("people.empty")
	case rows == 0:
		return r.Say("people.none")
	}
	return r.Count("people.count", rows)
}

// Fact is something that is known, and what it is.
type Fact struct{ Name, Text string }

// ParticipantFacts says what is known of a participant; what is not is left out.
func (r Reader) ParticipantFacts(p Participant) []Fact {
	facts := []Fact{
		{r.Say("people.name_field"), strings.TrimSpace(p.FirstName + " " + p.LastName)},
		{r.Say("people.email"), p.Email},
		{r.Say("people.phone"), phoneText(p.Phone)},
		{r.Say("people.sharing"), r.Say("sharing." + string(p.SharingScope))},
		{r.Say("people.consent"), strings.Join(r.consents(p), "\n")},
		{r.Say("people.groups"), strings.Join(p.DataGroups, ", ")},
		{r.Say("people.languages"), strings.Join(p.Languages, ", ")},
		{r.Say("people.zone"), p.TimeZone},
		{r.Say("people.note"), p.Note},
	}
	for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
		facts = append(facts, Fact{name, p.Attributes[name]})
	}
	if p.Status == core.StatusDisabled {
		facts = append(facts, Fact{r.Say("people.sign_in"), r.Say("people.barred")})
	}
	facts = append(facts, Fact{r.Say("people.created"), r.When(p.CreatedOn)}, Fact{r.Say("people.id"), string(p.ID)})
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Text == "" })
}

func phoneText(p *core.Phone) string {
	if p == nil {
		return ""
	}
	return p.Number + " (" + p.RegionCode + ")"
}

// consents says how a participant consented: each signature, or that staff recorded it.
func (r Reader) consents(p Participant) []string {
	var all []string
	for _, group := range slices.Sorted(maps.Keys(p.Signatures)) {
		for _, s := range p.Signatures[group] {
			text := r.Say("people.signed", "name", s.Name, "when", r.When(s.SignedOn))
			if s.WithdrewOn != nil {
				text += " " + r.Say("people.signed_withdrawn", "when", r.When(*s.WithdrewOn))
			}
			all = append(all, text)
		}
	}
	switch {
	case len(all) > 0:
	case p.Consented:
		all = append(all, r.Say("people.consent_staff"))
	default:
		all = append(all, r.Say("people.consent_none"))
	}
	return all
}

// Enrollments says which studies a participant is, or was, in.
func (r Reader) Enrollments(p Participant) []string {
	var all []string
	for _, study := range slices.Sorted(maps.Keys(p.Enrollments)) {
		e := p.Enrollments[study]
		text := r.Say("people.enrolled", "study", study, "as", cmp.Or(e.ExternalID, r.Say("people.nameless")), "when", r.When(e.EnrolledOn))
		if e.WithdrawnOn != nil {
			text += " " + r.Say("people.withdrew", "when", r.When(*e.WithdrawnOn))
			if e.Note != "" {
				text += " " + r.Say("people.reason", "note", e.Note)
			}
		}
		all = append(all, text)
	}
	return all
}

// ActiveIn reports whether a participant is in a study.
func (p Participant) ActiveIn(study core.StudyID) bool {
	e, known := p.Enrollments[study]
	return known && e.WithdrawnOn == nil
}

// Form is what staff may change of a participant, as it is.
func (p Participant) Form(study core.StudyID) ParticipantForm {
	return ParticipantForm{
		ExternalID: p.Enrollments[study].ExternalID, FirstName: p.FirstName, LastName: p.LastName, Email: p.Email,
		DataGroups: p.DataGroups, Languages: p.Languages, TimeZone: p.TimeZone, Note: p.Note,
		SharingScope: p.SharingScope, Disabled: p.Status == core.StatusDisabled,
	}
}

// Words reads what someone typed as a list of what holds no spaces itself, such as
// languages: words between commas or spaces.
func Words(typed string) []string {
	return strings.FieldsFunc(typed, func(c rune) bool { return c == ',' || c == ';' || c == ' ' || c == '\t' })
}

// Listed reads what someone typed as a list, with commas between; nothing else parts it,
// so that a name with a space in it is refused rather than taken for two.
func Listed(typed string) (all []string) {
	for part := range strings.SplitSeq(typed, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// SharingScopes lists how far data may travel, the widest last.
func SharingScopes() []core.SharingScope {
	return []core.SharingScope{core.NoSharing, core.SponsorsAndPartners, core.AllQualifiedResearchers}
}
