package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

func TestDeedLines(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 7_000_000, time.UTC)
	for want, deed := range map[string]core.Deed{
		"2026-11-20T09:00:00Z  the operator took records out of the repository: participant P-17, records 2": {
			At: at, Did: core.DeedRecordsWithdrawn, With: map[string]string{"participant": "code-17", "records": "2"}},
		"2026-11-20T09:00:00Z  the operator decided that a participant’s records stay in the repository: participant code-18": {
			At: at, Did: core.DeedRecordsWithdrawn, With: map[string]string{"participant": "code-18", "records": "kept"}},
		"2026-11-20T09:00:00Z  the operator changed an account: user u-17": {At: at, Did: core.DeedParticipantChanged, With: map[string]string{"user": "u-17"}},
		"2026-11-20T09:00:00Z  the operator paused sending":                {At: at, Did: core.DeedSyncPaused},
		"2026-11-20T09:00:00Z  u-1 at 10.0.0.7 gave access to a study’s project: account jo, study sleep": {
			At: at, Who: "u-1", Address: "10.0.0.7", Did: core.DeedAccessGranted, With: map[string]string{"study": "sleep", "account": "jo"}},
		"2026-11-20T09:00:00Z  the operator did what this version has no words for (flown)": {At: at, Did: "flown"},
	} {
		people := map[string]view.Person{"code-17": {Name: "P-17"}, "u-17": {Name: "P-17"}}
		if got := (view.Reader{}).DeedLine(view.DeedRow{Deed: deed, People: people}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What a deed was done with is named in the reader's language, too.
func TestWhatADeedWasDoneWith(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	deed := core.Deed{At: at, Did: core.DeedPairingMade, With: map[string]string{"pairing": "p-1", "device": "d-1"}}
	want := "2026-11-20T09:00:00Z  l’opérateur a créé un code qui associe un appareil : appareil d-1, association p-1"
	if got := (view.Reader{Tongue: tongue.In("fr")}).DeedLine(view.DeedRow{Deed: deed}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// At the window, people are called as staff know them, and what only programs know
// something by is left out.
func TestWhoDidIt(t *testing.T) {
	const nurse, patient, gone = "3f2b6a10-0000-4000-8000-000000000001", "3f2b6a10-0000-4000-8000-000000000002", "77aa0000-0000-4000-8000-000000000003"
	people := map[string]view.Person{nurse: {Name: "nurse@clinic.org", Staff: true}, patient: {Name: "P-17"}, "externalid:P-18": {Name: "P-18"}}
	for want, deed := range map[string]core.Deed{
		"Someone at this computer paused sending.":                                                                {Did: core.DeedSyncPaused},
		"nurse@clinic.org at 10.0.0.7 created an account: study sleep, participant P-17.":                         {Who: nurse, Address: "10.0.0.7", Did: core.DeedParticipantCreated, With: map[string]string{"user": patient, "study": "sleep"}},
		"Participant P-17 at 10.0.0.9 paired a device: study sleep.":                                              {Who: patient, Address: "10.0.0.9", Did: core.DeedDevicePaired, With: map[string]string{"pairing": "p-1", "device": "d-1", "study": "sleep"}},
		"Account 77aa0000… changed an account: account nurse@clinic.org.":                                         {Who: gone, Did: core.DeedParticipantChanged, With: map[string]string{"user": nurse}},
		"Someone at this computer changed an account: participant P-18.":                                          {Did: core.DeedParticipantChanged, With: map[string]string{"user": "externalid:P-18"}},
		"Someone at this computer changed an account: account 77aa0000….":                                         {Did: core.DeedParticipantChanged, With: map[string]string{"user": gone}},
		"Someone at this computer changed settings: “Hours of sending”, “Oldest app versions”.":                   {Did: core.DeedSettingsChanged, With: map[string]string{"settings": "sync.hours, oldest_app_versions"}},
		"Someone at this computer made a key for devices to encrypt to: key 0123abcd….":                           {Did: core.DeedKeyCreated, With: map[string]string{"key": "0123abcd4567"}},
		"Someone at this computer changed adherence records: participant P-17.":                                   {Did: core.DeedAdherenceChanged, With: map[string]string{"participant": patient, "instanceGuid": "x", "startedOn": "y"}},
		"Someone at this computer took records out of the repository: participant P-17, records 3.":               {Did: core.DeedRecordsWithdrawn, With: map[string]string{"participant": patient, "records": "3"}},
		"Someone at this computer decided that a participant’s records stay in the repository: participant P-17.": {Did: core.DeedRecordsWithdrawn, With: map[string]string{"participant": patient, "records": "kept"}},
	} {
		if _, got := reader.Deed(view.DeedRow{Deed: deed, People: people}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Participants are called by external ids alone; staff by what is known of them.
func TestPerson(t *testing.T) {
	in := func(ids ...string) map[core.StudyID]core.Enrollment {
		all := map[core.StudyID]core.Enrollment{}
		for i, id := range ids {
			all[core.StudyID([]string{"gait", "sleep"}[i])] = core.Enrollment{ExternalID: id}
		}
		return all
	}
	known := core.Account{ID: "3f2b6a10-0000-4000-8000-000000000002", Email: "jo@example.org", FirstName: "Jo", LastName: "Doe", Phone: &core.Phone{Number: "1"}}
	staff := known
	staff.Roles = []core.Role{core.RoleStudyCoordinator}
	for _, c := range []struct {
		account core.Account
		in      map[core.StudyID]core.Enrollment
		email   string
		want    view.Person
	}{
		{known, in("G-1", "S-1"), "jo@example.org", view.Person{Name: "S-1"}},
		{known, in("G-1", ""), "jo@example.org", view.Person{Name: "G-1"}},
		{known, nil, "jo@example.org", view.Person{Name: "3f2b6a10…"}},
		{staff, in("G-1"), "jo@example.org", view.Person{Name: "jo@example.org", Staff: true}},
		{staff, in("G-1"), "", view.Person{Name: "G-1", Staff: true}},
		{staff, nil, "", view.Person{Name: "Jo Doe", Staff: true}},
	} {
		c.account.Enrollments, c.account.Email = c.in, c.email
		if got := view.NewPerson(c.account, "sleep"); got != c.want {
			t.Errorf("called is %+v, not %+v", got, c.want)
		}
	}
}

// No deed that the core names is without words.
func TestEveryDeedHasWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../core/deed.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	ast.Inspect(file, func(n ast.Node) bool {
		value, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		named++
		did, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
		if err != nil || strings.Contains((view.Reader{}).Did(core.Deed{Did: core.DeedKind(did)}), "no words") {
			t.Errorf("%s has no words (%v)", value.Names[0].Name, err)
		}
		return true
	})
	if named < 20 {
		t.Errorf("only %d deeds were found", named)
	}
}
