package participant_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var _ participant.Ledger = (*store.Store)(nil)

var (
	created = time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	now     = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
)

// member is a participant who is in one study, has left another and shares.
func member() core.Account {
	left := now
	return core.Account{
		HealthCode: "code", CreatedOn: created, SharingScope: core.SponsorsAndPartners,
		DataGroups: []string{"b", "a"}, Languages: []string{"fr", "en"}, ClientTimeZone: "America/Denver",
		Enrollments:  map[core.StudyID]core.Enrollment{"memory": {ExternalID: "ext-1"}, "sleep": {WithdrawnOn: &left}},
		Demographics: core.Demographics{"ethnicity": {ID: "1", Multiple: true, Values: values("b", "a")}},
		StudyDemographics: map[core.StudyID]core.Demographics{
			"memory": {"age": {ID: "2", Values: values("41"), Units: "years"}}, "sleep": {"age": {ID: "3", Values: values("42")}},
		},
	}
}

// values gives values that nothing is wrong with.
func values(texts ...string) (all []core.DemographicValue) {
	for _, text := range texts {
		all = append(all, core.DemographicValue{Value: text})
	}
	return all
}

func TestNext(t *testing.T) {
	first := core.ParticipantVersion{
		HealthCode: "code", Version: 1, CreatedOn: created, ModifiedOn: now, DataGroups: []string{"a", "b"}, Languages: []string{"fr", "en"},
		SharingScope: core.SponsorsAndPartners, StudyMemberships: map[core.StudyID]string{"memory": "ext-1"}, ClientTimeZone: "America/Denver",
		AppDemographics:   core.Demographics{"ethnicity": {Multiple: true, Values: values("a", "b")}},
		StudyDemographics: map[core.StudyID]core.Demographics{"memory": {"age": {Values: values("41"), Units: "years"}}},
	}
	age := func(a *core.Account, d core.Demographic) { a.StudyDemographics["memory"]["age"] = d }
	for name, test := range map[string]struct {
		change func(*core.App, *core.Account)
		first  bool // a version where there is none yet
		next   bool // another one after the first
	}{
		"nothing":                       {func(*core.App, *core.Account) {}, true, false},
		"data groups in another order":  {func(_ *core.App, a *core.Account) { a.DataGroups = []string{"a", "b"} }, true, false},
		"name, e-mail, status and note": {func(_ *core.App, a *core.Account) { a.FirstName, a.Email, a.Status, a.Note = "A", "e", "disabled", "n" }, true, false},
		"data groups":                   {func(_ *core.App, a *core.Account) { a.DataGroups = nil }, true, true},
		"languages":                     {func(_ *core.App, a *core.Account) { a.Languages = []string{"fr"} }, true, true},
		"languages in another order":    {func(_ *core.App, a *core.Account) { a.Languages = []string{"en", "fr"} }, true, true},
		"sharing scope":                 {func(_ *core.App, a *core.Account) { a.SharingScope = core.AllQualifiedResearchers }, true, true},
		"time zone":                     {func(_ *core.App, a *core.Account) { a.ClientTimeZone = "" }, true, true},
		"external id":                   {func(_ *core.App, a *core.Account) { a.Enrollments["memory"] = core.Enrollment{} }, true, true},
		"one study more":                {func(_ *core.App, a *core.Account) { a.Enrollments["sleep"] = core.Enrollment{} }, true, true},
		"another study":                 {func(_ *core.App, a *core.Account) { a.Enrollments = map[core.StudyID]core.Enrollment{"sleep": {}} }, true, true},
		"demographics with other ids": {func(_ *core.App, a *core.Account) {
			age(a, core.Demographic{ID: "9", Values: values("41"), Units: "years"})
		}, true, false},
		"values in another order": {func(_ *core.App, a *core.Account) {
			a.Demographics["ethnicity"] = core.Demographic{Multiple: true, Values: values("a", "b")}
		}, true, false},
		"demographics of a study left": {func(_ *core.App, a *core.Account) { delete(a.StudyDemographics, "sleep") }, true, false},
		"a value":                      {func(_ *core.App, a *core.Account) { age(a, core.Demographic{Values: values("42"), Units: "years"}) }, true, true},
		"units":                        {func(_ *core.App, a *core.Account) { age(a, core.Demographic{Values: values("41"), Units: "months"}) }, true, true},
		"more than one value": {func(_ *core.App, a *core.Account) {
			age(a, core.Demographic{Multiple: true, Values: values("41"), Units: "years"})
		}, true, true},
		"a value that is invalid": {func(_ *core.App, a *core.Account) {
			age(a, core.Demographic{Values: []core.DemographicValue{{Value: "41", Invalidity: "too young"}}, Units: "years"})
		}, true, true},
		"one category more":   {func(_ *core.App, a *core.Account) { a.Demographics["sex"] = core.Demographic{Values: values("f")} }, true, true},
		"no demographics":     {func(_ *core.App, a *core.Account) { a.Demographics = nil }, true, true},
		"none of the study":   {func(_ *core.App, a *core.Account) { a.StudyDemographics = nil }, true, true},
		"no study":            {func(_ *core.App, a *core.Account) { delete(a.Enrollments, "memory"); a.Languages = nil }, false, false},
		"shares with nobody":  {func(_ *core.App, a *core.Account) { a.SharingScope = core.NoSharing; a.Languages = nil }, false, false},
		"never said":          {func(_ *core.App, a *core.Account) { a.SharingScope = "" }, false, false},
		"is staff":            {func(_ *core.App, a *core.Account) { a.Roles = []core.Role{core.RoleWorker}; a.Languages = nil }, false, false},
		"app exports nothing": {func(app *core.App, a *core.Account) { app.Export = false; a.Languages = nil }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			app, a := core.App{Export: true}, member()
			got, ok := participant.Next(app, a, nil, now)
			if diff := cmp.Diff(first, got); diff != "" || !ok {
				t.Fatal(diff, ok)
			}
			test.change(&app, &a)
			if got, ok := participant.Next(app, a, nil, now); ok != test.first || ok && got.Version != 1 {
				t.Errorf("first: version %d, %v", got.Version, ok)
			}
			got, ok = participant.Next(app, a, &first, now.Add(time.Hour))
			if ok != test.next || ok && (got.Version != 2 || !got.CreatedOn.Equal(created) || !got.ModifiedOn.Equal(now.Add(time.Hour))) {
				t.Errorf("next: %+v, %v", got, ok)
			}
			if ok {
				if again, more := participant.Next(app, a, &got, now); more {
					t.Errorf("and again: %+v", again)
				}
			}
		})
	}
}

// Next never changes what it is given.
func TestNextIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := member()
		a.DataGroups = rapid.SliceOfN(rapid.StringMatching(`[a-c]`), 0, 4).Draw(t, "groups")
		before := append([]string{}, a.DataGroups...)
		v, _ := participant.Next(core.App{Export: true}, a, nil, now)
		if diff := cmp.Diff(before, append([]string{}, a.DataGroups...)); diff != "" {
			t.Fatal(diff)
		}
		if again, more := participant.Next(core.App{Export: true}, a, &v, now); more {
			t.Fatalf("%+v after %+v", again, v)
		}
	})
}

// newRoster gives the roster of a store with the app and one study.
func newRoster(t *testing.T) (*participant.Roster, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Config{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.SaveApp(t.Context(), "tapping", func(a *core.App) error { a.Export = true; return nil })
	must(t, err)
	_, err = s.CreateStudy(t.Context(), core.Study{ID: "memory", App: "tapping"})
	must(t, err)
	return participant.NewRoster(s, "tapping", participant.Config{Now: func() time.Time { return now }}), s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestForms(t *testing.T) {
	type errs = map[string][]string
	for name, test := range map[string]struct {
		form participant.Form
		want errs
	}{
		"empty": {participant.Form{}, nil},
		"full": {participant.Form{
			Email: "ada@example.org", Phone: &core.Phone{Number: "5551234", RegionCode: "US"}, FirstName: strings.Repeat("é", 255), Password: "Pa55-word",
			ExternalIDs: map[core.StudyID]string{"memory": "ext-1"}, SharingScope: core.NoSharing, DataGroups: []string{"test_user", "A-1"},
			Languages: []string{"en"}, ClientTimeZone: "America/Los_Angeles", Roles: core.Roles(), Status: core.StatusDisabled, Note: strings.Repeat("é", 65535),
		}, nil},
		"e-mail":               {participant.Form{Email: "ada"}, errs{"email": {"email does not appear to be an email address"}}},
		"e-mail with a name":   {participant.Form{Email: "Ada <ada@example.org>"}, errs{"email": {"email does not appear to be an email address"}}},
		"phone without number": {participant.Form{Phone: &core.Phone{RegionCode: "US"}}, errs{"phone": {"phone needs a number and a regionCode"}}},
		"phone without region": {participant.Form{Phone: &core.Phone{Number: "1"}}, errs{"phone": {"phone needs a number and a regionCode"}}},
		"password":             {participant.Form{Password: "password"}, errs{"password": {"password must contain a digit"}}},
		"study":                {participant.Form{ExternalIDs: map[core.StudyID]string{"none": "x"}}, errs{"externalIds[none]": {"externalIds[none] is not a study"}}},
		"blank external id":    {participant.Form{ExternalIDs: map[core.StudyID]string{"memory": " "}}, errs{"externalIds[memory]": {"externalIds[memory] cannot be blank"}}},
		"data group":           {participant.Form{DataGroups: []string{"good", "not good", "nor good"}}, errs{"dataGroups": {"dataGroups must each have 1 to 64 characters of A-Z, a-z, 0-9, _ and -"}}},
		"long data group":      {participant.Form{DataGroups: []string{strings.Repeat("x", 65)}}, errs{"dataGroups": {"dataGroups must each have 1 to 64 characters of A-Z, a-z, 0-9, _ and -"}}},
		"role":                 {participant.Form{Roles: []core.Role{"king"}}, errs{"roles": {"roles has no role of that name; use admin, developer, researcher, study_coordinator or worker"}}},
		"time zone":            {participant.Form{ClientTimeZone: "Mars/Olympus"}, errs{"clientTimeZone": {"clientTimeZone is not a recognized IANA time zone name"}}},
		"the machine's zone":   {participant.Form{ClientTimeZone: "Local"}, errs{"clientTimeZone": {"clientTimeZone is not a recognized IANA time zone name"}}},
		"sharing scope":        {participant.Form{SharingScope: "everyone"}, errs{"sharingScope": {"sharingScope must be no_sharing, sponsors_and_partners or all_qualified_researchers"}}},
		"status":               {participant.Form{Status: "asleep"}, errs{"status": {"status must be enabled or disabled"}}},
		"long first name":      {participant.Form{FirstName: strings.Repeat("é", 256)}, errs{"firstName": {"firstName must be at most 255 characters"}}},
		"long last name":       {participant.Form{LastName: strings.Repeat("x", 256)}, errs{"lastName": {"lastName must be at most 255 characters"}}},
		"long note":            {participant.Form{Note: strings.Repeat("x", 65536)}, errs{"note": {"note must be at most 65535 characters"}}},
		"two things at a time": {participant.Form{Password: "x", Roles: []core.Role{"king"}}, errs{
			"password": {"password must have at least 8 characters"}, "roles": {"roles has no role of that name; use admin, developer, researcher, study_coordinator or worker"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := newRoster(t)
			_, err := r.Create(t.Context(), "memory", test.form)
			var invalid *core.Invalid
			if errors.As(err, &invalid) != (test.want != nil) || test.want == nil && err != nil {
				t.Fatalf("got %v", err)
			}
			if test.want != nil {
				if diff := cmp.Diff(test.want, invalid.Fields); diff != "" || invalid.Entity != "StudyParticipant" {
					t.Error(diff, invalid.Entity)
				}
			}
		})
	}
}

func TestAnUpdateReplacesAllButWhatStays(t *testing.T) {
	r, _ := newRoster(t)
	a, err := r.Create(t.Context(), "memory", participant.Form{
		Email: "ada@example.org", FirstName: "Ada", Password: "Pa55-word", ExternalIDs: map[core.StudyID]string{"memory": "ext-1"},
		SharingScope: core.SponsorsAndPartners, DataGroups: []string{"a", "a", "b"}, Status: core.StatusDisabled})
	must(t, err)
	if a.PasswordHash == "" || !a.Consented || len(a.DataGroups) != 2 || a.Enrollments["memory"].ExternalID != "ext-1" {
		t.Errorf("created %+v", a)
	}
	got, err := r.Update(t.Context(), a.ID, participant.Form{LastName: "L"})
	must(t, err)
	want := a
	want.Email, want.FirstName, want.LastName, want.DataGroups, want.Version = "", "", "L", nil, 2
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, err = r.Update(t.Context(), a.ID, participant.Form{SharingScope: core.NoSharing, Password: "0ther-Word"})
	must(t, err)
	if got.SharingScope != core.NoSharing || !got.Consented || got.PasswordHash == a.PasswordHash {
		t.Errorf("%+v", got)
	}
	_, err = r.Update(t.Context(), "none", participant.Form{})
	if !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
}

func TestEnrolAndWithdraw(t *testing.T) {
	r, s := newRoster(t)
	a, err := r.Create(t.Context(), "", participant.Form{SharingScope: core.SponsorsAndPartners})
	must(t, err)
	if len(a.Enrollments) > 0 {
		t.Error(a.Enrollments)
	}
	for _, external := range []string{"ext-1", ""} { // the second time changes nothing
		a, err = r.Enrol(t.Context(), "memory", a.ID, participant.Membership{ExternalID: external})
		must(t, err)
		if e := a.Enrollments["memory"]; !e.Active() || e.ExternalID != "ext-1" {
			t.Errorf("%+v", e)
		}
	}
	a, err = r.Withdraw(t.Context(), "memory", a.ID, "", "")
	must(t, err)
	if a.Enrollments["memory"].Active() {
		t.Error("still a member")
	}
	for name, call := range map[string]func() error{
		"withdraw twice":              func() error { _, err := r.Withdraw(t.Context(), "memory", a.ID, "", ""); return err },
		"withdraw from where one was": func() error { _, err := r.Withdraw(t.Context(), "none", a.ID, "", ""); return err },
		"enrol in no study":           func() error { _, err := r.Enrol(t.Context(), "none", a.ID, participant.Membership{}); return err },
		"enrol nobody":                func() error { _, err := r.Enrol(t.Context(), "memory", "none", participant.Membership{}); return err },
		"create in no study":          func() error { _, err := r.Create(t.Context(), "none", participant.Form{}); return err },
	} {
		if err := call(); !errors.Is(err, core.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, err = r.Enrol(t.Context(), "memory", a.ID, participant.Membership{})
	must(t, err)
	if e := a.Enrollments["memory"]; !e.Active() || e.ExternalID != "ext-1" {
		t.Errorf("%+v", e)
	}
	must(t, s.Close())
	_, err = r.Create(context.Background(), "", participant.Form{ExternalIDs: map[core.StudyID]string{"memory": "x"}})
	if !errors.Is(err, core.ErrClosed) {
		t.Errorf("a store that is closed says %v", err)
	}
}
