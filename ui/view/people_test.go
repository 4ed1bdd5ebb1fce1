package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

const day = 24 * time.Hour

// people are members of a study in every presence.
var people = []core.Member{
	member("silent", 12*day, 12*day, core.AttendanceExpected),
	member("never", 0, 9*day, core.AttendanceExpected),
	member("just", 7*day+time.Hour, 7*day+time.Hour, core.AttendanceExpected),
	member("back", 30*day, 2*day, core.AttendanceExpected),
	member("busy", time.Hour, time.Hour, core.AttendanceExpected),
	member("fresh", 0, time.Hour, core.AttendanceExpected),
	member("alone", 50*day, 50*day, core.AttendanceExcused),
	member("barred", 0, 50*day, core.AttendanceExcused),
	member("", 400*day, 400*day, core.AttendanceEnded),
}

// member is one whose last upload came so long ago (0: none did), and who is silent for
// so long.
func member(externalID string, last, silent time.Duration, attendance core.Attendance) core.Member {
	scope, status := core.SponsorsAndPartners, core.StatusEnabled
	switch externalID {
	case "alone":
		scope = core.NoSharing
	case "barred":
		status = core.StatusDisabled
	}
	m := core.Member{
		Account: core.Account{ID: "u-1", FirstName: "Ada", SharingScope: scope, Status: status, Enrollments: map[core.StudyID]core.Enrollment{"sleep": {ExternalID: externalID}}},
		Since:   reader.Now.Add(-silent), Attendance: attendance, Place: "1/" + externalID,
	}
	if last > 0 {
		m.Last, m.LastOn = "upload", reader.Now.Add(-last)
	}
	return m
}

// What is said of participants in a list, in every language; who is late is so by what the query says.
func TestParticipantsInAList(t *testing.T) {
	var got strings.Builder
	for _, l := range tongue.Languages() {
		r := reader
		r.Tongue = tongue.In(l.Code)
		fmt.Fprintf(&got, "== %s\n", l.Code)
		q := view.ParticipantQuery{}
		for _, m := range people {
			line := r.Participant(view.NewParticipantRow(m, "sleep", q.LateSince(reader.Now)))
			fmt.Fprintf(&got, "%s | %s | %s | %s | %s\n", line.Who, line.State, line.Sharing, line.Last, line.Sentence)
		}
		for _, late := range []int{0, 1, 2} {
			fmt.Fprintln(&got, r.LateWords(late, 7))
		}
		fmt.Fprintln(&got, r.ParticipantsEnd(q, 0, false, false), r.ParticipantsEnd(view.ParticipantQuery{Text: "x"}, 0, false, false),
			r.ParticipantsEnd(q, 1, false, false), r.ParticipantsEnd(q, 100, true, false), r.ParticipantsEnd(q, 10_000, true, true))
	}
	golden(t, "participants.txt", got.String())
}

// Every presence and every scope has words of its own in every language.
func TestPresencesHaveWords(t *testing.T) {
	for _, l := range tongue.Languages() {
		said := map[string]bool{}
		say := func(name string) {
			words := tongue.In(l.Code).Say(name)
			if words == name || said[words] {
				t.Errorf("%s is said as %q in %s", name, words, l.Name)
			}
			said[words] = true
		}
		for _, p := range view.Presences() {
			say("presence." + string(p))
		}
		for _, scope := range view.SharingScopes() {
			say("sharing." + string(scope))
			say("consent." + string(scope))
		}
	}
}

func demographic(value, units string) view.Demographic {
	d := view.Demographic{Units: units}
	d.Values = append(d.Values, struct {
		Value string `json:"value"`
	}{value})
	return d
}

// ada is a participant of whom much is known.
func ada() view.Participant {
	joined, signed, left := noon.AddDate(0, -3, 0), noon.AddDate(0, -2, 0), noon.AddDate(0, 0, -1)
	first := view.ParticipantVersion{
		Version: 1, ModifiedOn: joined, SharingScope: core.SponsorsAndPartners, Languages: []string{"sw"},
		Memberships: map[core.StudyID]string{"sleep": "P-17", "gait": "<none>"}, Demographics: map[string]view.Demographic{"weight": demographic("60", "kg")},
	}
	second := first
	second.Version, second.ModifiedOn, second.SharingScope, second.DataGroups = 2, signed, core.AllQualifiedResearchers, []string{"pilot"}
	third := second
	third.Version, third.ModifiedOn, third.TimeZone, third.Memberships = 3, left, "Africa/Nairobi", map[core.StudyID]string{"sleep": "P-17"}
	third.Demographics = map[string]view.Demographic{"weight": demographic("61", "kg")}
	third.StudyDemographics = map[core.StudyID]map[string]view.Demographic{"sleep": {"age": demographic("33", "")}}
	return view.Participant{
		ID: "u-1", FirstName: "Ada", LastName: "L", Email: "ada@example.org", Phone: &core.Phone{Number: "0700", RegionCode: "KE"},
		SharingScope: core.AllQualifiedResearchers, Consented: true, DataGroups: []string{"pilot"}, Languages: []string{"sw"}, TimeZone: "Africa/Nairobi",
		Note: "prefers mornings", Status: core.StatusDisabled, CreatedOn: joined, Attributes: map[string]string{"shoe": "41"},
		Enrollments: map[core.StudyID]view.Enrollment{
			"sleep": {ExternalID: "P-17", EnrolledOn: joined}, "gait": {EnrolledOn: joined, WithdrawnOn: &left, Note: "no time"},
		},
		Signatures: map[string][]view.Signature{"app": {{Name: "Ada L", SignedOn: joined, WithdrewOn: &signed}, {Name: "Ada L", SignedOn: signed}}},
		Versions:   []view.ParticipantVersion{first, second, third},
	}
}

// What is said of one participant, and how versions stand beside each other.
func TestAParticipant(t *testing.T) {
	var got strings.Builder
	bare := view.Participant{ID: "u-2", SharingScope: core.NoSharing, CreatedOn: noon}
	for _, p := range []view.Participant{ada(), bare} {
		for _, f := range reader.ParticipantFacts(p) {
			fmt.Fprintf(&got, "%s: %s\n", f.Name, f.Text)
		}
		for _, e := range reader.Enrollments(p) {
			fmt.Fprintf(&got, "- %s\n", e)
		}
		c := reader.Compare(p.Versions, 0)
		cells := func(field string, all []view.Cell) {
			fmt.Fprintf(&got, "%s", field)
			for _, cell := range all {
				mark := ""
				if cell.Changed {
					mark = "● "
				}
				fmt.Fprintf(&got, " | %s%s", mark, cell.Text)
			}
			fmt.Fprintln(&got)
		}
		cells("", c.Heads)
		for _, row := range c.Rows {
			cells(row.Field, row.Cells)
		}
		fmt.Fprintln(&got)
	}
	golden(t, "participant.txt", got.String())
}

// Of many versions some stand beside each other; the last of them still tells what
// changed.
func TestManyVersions(t *testing.T) {
	var all []view.ParticipantVersion
	for i := range 8 {
		all = append(all, view.ParticipantVersion{Version: i + 1, DataGroups: []string{fmt.Sprint("g", i/2)}})
	}
	for newer, want := range map[int]string{0: "8 7● 6, 0 newer, 5 older", 2: "6 5● 4, 2 newer, 3 older", 6: "2 1, 6 newer, 0 older"} {
		c := reader.Compare(all, newer)
		var heads []string
		for _, head := range c.Heads {
			version, _, _ := strings.Cut(strings.TrimPrefix(head.Text, "Version "), ",")
			if head.Changed {
				version += "●"
			}
			heads = append(heads, version)
		}
		if got := fmt.Sprintf("%s, %d newer, %d older", strings.Join(heads, " "), c.Newer, c.Older); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// Languages may stand beside each other; what else is listed has commas between.
func TestWhatIsListed(t *testing.T) {
	if diff := cmp.Diff([]string{"sw", "en", "fil"}, view.Words(" sw, en;fil ,")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"pilot", "pi lot;x"}, view.Listed(" pilot ,, pi lot;x ,")); diff != "" {
		t.Error(diff)
	}
}
