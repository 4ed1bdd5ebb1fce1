package people_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/people"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// roll is a study's participants, and notes what it is asked for.
type roll struct {
	uploads.Source
	uploads.Mender
	rows   []view.ParticipantRow // in their order
	person view.Participant
	made   string
	wrong  error
	asked  []string
}

func (r *roll) Participants(_ context.Context, q view.ParticipantQuery) (view.ParticipantPage, error) {
	r.asked = append(r.asked, fmt.Sprintf("%s/%s/%d/%s from %s", q.Study, q.Presence, q.Days, q.Text, q.From))
	page := view.ParticipantPage{Late: 2}
	for _, row := range r.rows {
		switch {
		case row.Place < q.From || !q.Shows(row):
		case len(page.Rows) == q.Size:
			page.Next = row.Place
			return page, nil
		default:
			page.Rows = append(page.Rows, row)
		}
	}
	return page, nil
}

func (r *roll) Participant(_ context.Context, _ core.StudyID, id core.UserID, _ int) (view.Participant, error) {
	person := r.person
	person.ID = id
	person.Row = r.rows[slices.IndexFunc(r.rows, func(row view.ParticipantRow) bool { return row.ID == id })]
	return person, nil
}

func (r *roll) Uploads(_ context.Context, q view.UploadQuery) (view.UploadPage, error) {
	return view.UploadPage{}, r.note("uploads with ", q.Text)
}

// note notes what is asked for; where it is wrong, it says so.
func (r *roll) note(what ...any) error {
	r.asked = append(r.asked, fmt.Sprint(what...))
	return r.wrong
}

func (r *roll) CreateParticipant(_ context.Context, s core.StudyID, f view.ParticipantForm) (core.UserID, string, error) {
	return "u-2", r.made, r.note("create ", s, f)
}
func (r *roll) ChangeParticipant(_ context.Context, s core.StudyID, id core.UserID, f view.ParticipantForm) error {
	return r.note("change ", s, id, f)
}
func (r *roll) RecordConsent(_ context.Context, s core.StudyID, id core.UserID, scope core.SharingScope) error {
	return r.note("consent ", s, id, scope)
}
func (r *roll) EnrolParticipant(_ context.Context, s core.StudyID, id core.UserID, as string) error {
	return r.note("enrol ", s, id, as)
}
func (r *roll) WithdrawParticipant(_ context.Context, s core.StudyID, id core.UserID, note string, stop bool) error {
	return r.note("withdraw ", s, id, note, stop)
}

// few is a roll of three, of whom the first is late.
func few() *roll {
	at, joined := pagetest.Noon.AddDate(0, 0, -9), pagetest.Noon.AddDate(0, 0, -60)
	return &roll{
		rows: []view.ParticipantRow{
			{ID: "u-1", ExternalID: "P-17", SharingScope: core.SponsorsAndPartners, Presence: view.PresenceLate, LastUploadOn: &at, SilentSince: at, Place: "1/a"},
			{ID: "u-2", ExternalID: "P-18", SharingScope: core.AllQualifiedResearchers, Presence: view.PresenceInTime, SilentSince: pagetest.Noon, Place: "1/b"},
			{ID: "u-3", Email: "ada@example.org", SharingScope: core.NoSharing, Presence: view.PresenceExcused, SilentSince: at, Place: "2/a"},
		},
		person: view.Participant{
			FirstName: "Ada", SharingScope: core.SponsorsAndPartners, Consented: true, DataGroups: []string{"pilot"}, Languages: []string{"sw", "en"},
			TimeZone: "Africa/Nairobi", CreatedOn: joined, Enrollments: map[core.StudyID]view.Enrollment{"sleep": {ExternalID: "P-17", EnrolledOn: joined}},
			Versions: []view.ParticipantVersion{
				{Version: 1, ModifiedOn: joined, SharingScope: core.SponsorsAndPartners, Languages: []string{"sw"}},
				{Version: 2, ModifiedOn: at, SharingScope: core.SponsorsAndPartners, Languages: []string{"sw", "en"}},
			},
		},
	}
}

// open looks at the page; who is a participant of the list who is chosen, -1: nobody.
func open(t *testing.T, r *roll, who int) *pagetest.Seen {
	t.Helper()
	s := pagetest.Open(t, view.Site{Studies: []core.StudyID{"gait", "sleep"}}, func(f *page.Frame) page.Page {
		f.App.Preferences().SetString("people.study", "sleep")
		return people.New(f, r, r, uploads.New(f, r, r))
	})
	if who >= 0 {
		pagetest.Find(s, func(*page.List) bool { return true })[0].Select(who)
		s.Settle()
	}
	r.asked = nil
	return s
}

// wants fails where something was not asked.
func (r *roll) wants(t *testing.T, what string) {
	t.Helper()
	if !slices.Contains(r.asked, what) {
		t.Errorf("%q was not asked, but %q", what, r.asked)
	}
}

// field gives what is typed into beside a name.
func field(t *testing.T, s *pagetest.Seen, name string) *page.Entry {
	t.Helper()
	for _, entry := range pagetest.Find(s, func(e *page.Entry) bool { return e.Label == name }) {
		return entry
	}
	t.Fatalf("there is no field %s", name)
	return nil
}

// choose chooses from the select that offers it.
func choose(t *testing.T, s *pagetest.Seen, name string) {
	t.Helper()
	all := pagetest.Find(s, func(c *page.Select) bool { return slices.Contains(c.Options, name) })
	if len(all) == 0 {
		t.Fatalf("nobody offers %s", name)
	}
	all[len(all)-1].SetSelected(name)
	s.Settle()
}

// Who is late comes first; what is known of them stands beside, and what changed.
func TestTheLateOneIsLookedAt(t *testing.T) {
	s := open(t, few(), 0)
	s.Expect("2 participants are late. Late means: enrolled and sharing, but no upload for more than 7 days. The study’s timeline is not looked at. Those who have sent nothing for longest come first; then those of whom nothing is expected, and last those who left the study.")
	s.Expect("▸ P-17", "Nothing came for 9 days.", "Late. Nothing came for 9 days.", "sleep, as P-17. Enrolled: 21 September 12:00.")
	s.Expect("Version 2, 11 November 12:00", "● sw, en", "● is before what is not as in the version before.")
	s.Golden("late")
}

// Versions for which there is no room are turned to.
func TestTurningToOlderVersions(t *testing.T) {
	r := few()
	r.person.Versions = nil
	for i := range 4 {
		r.person.Versions = append(r.person.Versions, view.ParticipantVersion{Version: i + 1, ModifiedOn: pagetest.Noon, TimeZone: fmt.Sprint("zone ", i/3), SharingScope: core.NoSharing})
	}
	s := open(t, r, 0)
	s.Expect("Version 4, 12:00:00", "Version 2, 12:00:00", "● zone 1")
	if s.Says("Version 1, 12:00:00") {
		t.Error("there is room for four")
	}
	s.Tap("Older versions")
	s.Expect("Version 2, 12:00:00", "Version 1, 12:00:00")
	s.Tap("Newer versions")
	s.Expect("Version 4, 12:00:00")
}

// The fields above the list say whom it shows.
func TestWhoIsListed(t *testing.T) {
	r := few()
	s := open(t, r, -1)
	choose(t, s, "Late")
	choose(t, s, "14 days")
	r.wants(t, "sleep/late/14/ from ")
	s.Expect("1 participant.")
	choose(t, s, "Everyone")
	search := pagetest.Find(s, func(*page.Entry) bool { return true })[0]
	search.SetText("ada@")
	s.Settle()
	r.wants(t, "sleep//14/ada@ from ")
	s.Expect("ada@example.org", "Shares with nobody, so nothing is expected.")
	choose(t, s, "gait")
	r.wants(t, "gait//14/ada@ from ")
	search.SetText("nobody at all")
	s.Settle()
	s.Expect("No participant is like that.", "Choose a participant to see more.")
}

// Of a long list only what is looked at is asked for, and who moves is there once.
func TestALongListIsReadAsFarAsSomeoneLooks(t *testing.T) {
	r := &roll{}
	for i := range 5000 {
		place := fmt.Sprintf("1/%06d", i)
		r.rows = append(r.rows, view.ParticipantRow{ID: core.UserID(place), ExternalID: place, SharingScope: core.NoSharing, Presence: view.PresenceInTime, Place: place})
	}
	s := open(t, r, -1)
	s.Expect("100 participants so far; others follow.")
	list := pagetest.Find(s, func(*page.List) bool { return true })[0]
	list.ScrollToBottom()
	s.Settle()
	s.Expect("200 participants so far; others follow.")
	moved := r.rows[4000]
	moved.Place = "1/000000a"
	r.rows = slices.SortedFunc(slices.Values(append(slices.Delete(r.rows, 4000, 4001), moved)), func(a, b view.ParticipantRow) int {
		return cmp.Compare(a.Place, b.Place)
	})
	choose(t, s, "30 days")
	list.ScrollToTop()
	s.Expect("1/004000", "100 participants so far; others follow.")
}

// A participant is created; what is missing or wrong is said in the dialog, and the
// password that was made is shown.
func TestCreating(t *testing.T) {
	r := few()
	s := open(t, r, -1)
	s.Tap("New participant…")
	s.Golden("create")
	s.Tap("Create")
	s.Expect("Give an external id: devices sign in with it.")
	field(t, s, "External id").SetText(" P-20 ")
	s.Tap("Create")
	s.Expect("Choose with whom the participant agreed to share.")
	choose(t, s, "Study and partners")
	s.Expect("What they send goes to the repository, for the researchers of their studies and the partners of these.")
	field(t, s, "Data groups").SetText("pilot, night shift")
	field(t, s, "Languages").SetText("sw en")
	r.made, r.wrong = "Made-for-1-device", errors.New("This external id belongs to another account.")
	s.Tap("Create")
	s.Expect("This external id belongs to another account.")
	r.wrong = nil
	s.Tap("Create")
	form := view.ParticipantForm{ExternalID: "P-20", DataGroups: []string{"pilot", "night shift"}, Languages: []string{"sw", "en"}, SharingScope: core.SponsorsAndPartners}
	r.wants(t, fmt.Sprint("create ", core.StudyID("sleep"), form))
	s.Expect("Set up the device of P-20 now", "Made-for-1-device")
	s.Tap("Copy password")
	if got := fyne.CurrentApp().Clipboard().Content(); got != "Made-for-1-device" {
		t.Errorf("on the clipboard is %q", got)
	}
	s.Tap("Done")
	s.Expect("▸ P-18") // who was made is shown
	if s.Says("Made-for-1-device") {
		t.Error("the password stays on the screen")
	}
}

// What the appliance does not take is said at the fields that it is about, and the cursor is
// in the first of them.
func TestWhatIsWrongStandsAtItsField(t *testing.T) {
	r := few()
	s := open(t, r, -1)
	s.Tap("New participant…")
	field(t, s, "External id").SetText("P-20")
	choose(t, s, "Nobody")
	refuse := func(english string) {
		r.wrong = view.Reader{}.Refused(english, nil)
		s.Tap("Create")
	}
	refuse("StudyParticipant is invalid: email does not appear to be an email address; languages must be at most 100; password must have at least 8 characters; password must contain a digit")
	s.Expect("Password must have at least 8 characters.\nPassword must contain a digit.", "E-mail does not appear to be an email address.", "Languages must be at most 100.", "Not all is right yet: look at what is marked above.")
	cursor := func() fyne.Focusable {
		return fyne.CurrentApp().Driver().CanvasForObject(field(t, s, "Note")).Focused()
	}
	if cursor() != field(t, s, "Password") {
		t.Errorf("the cursor is in %v", cursor())
	}
	field(t, s, "Languages").SetText("sw") // what is said of the others stays
	if s.Says("Languages must be at most 100.") {
		t.Error("the languages are complained of after they were changed")
	}
	s.Expect("E-mail does not appear to be an email address.", "Not all is right yet: look at what is marked above.")
	refuse("StudyParticipant is invalid: email does not appear to be an email address; roles must be a list")
	s.Expect("E-mail does not appear to be an email address.", "StudyParticipant is invalid: email does not appear to be an email address; roles must be a list")
	if cursor() != field(t, s, "E-mail") || s.Says("Languages must be at most 100.") {
		t.Errorf("the cursor is in %v, and languages are complained of, or not: %v", cursor(), s.Says("Languages must be at most 100."))
	}
}

// A complaint goes once what it is about is changed, and that not all is right once nothing
// is marked.
func TestComplaintsGo(t *testing.T) {
	const id, scope, all = "Give an external id: devices sign in with it.", "Choose with whom the participant agreed to share.", "Not all is right yet: look at what is marked above."
	r := few()
	s := open(t, r, -1)
	s.Tap("New participant…")
	s.Tap("Create")
	says := func(want ...string) {
		t.Helper()
		for _, text := range []string{id, scope, all, "The site is away."} {
			if is := slices.Contains(want, text); s.Says(text) != is {
				t.Errorf("that it says %q is %v", text, !is)
			}
		}
	}
	says(id, scope, all)
	choose(t, s, "Study and partners")
	s.Expect("What they send goes to the repository, for the researchers of their studies and the partners of these.")
	says(id, all)
	field(t, s, "External id").SetText("P-20")
	says()
	r.wrong = errors.New("The site is away.")
	s.Tap("Create")
	says("The site is away.")
	field(t, s, "Note").SetText("tried again")
	says()
	s = open(t, r, 0)
	s.Tap("Change…")
	r.wrong = view.Reader{}.Refused("StudyParticipant is invalid: status must be enabled or disabled", nil)
	s.Tap("Save")
	s.Expect(all)
	pagetest.Find(s, func(c *page.Check) bool { return c.Text == "May sign in" })[0].SetChecked(false)
	says()
}

// What is known is changed; what is left alone goes back as it was.
func TestChanging(t *testing.T) {
	r := few()
	s := open(t, r, 0)
	s.Tap("Change…")
	field(t, s, "Note").SetText("moved")
	pagetest.Find(s, func(c *page.Check) bool { return c.Text == "May sign in" })[0].SetChecked(false)
	s.Tap("Save")
	form := r.person.Form("sleep")
	form.Note, form.Disabled = "moved", true
	r.wants(t, fmt.Sprint("change ", core.StudyID("sleep"), core.UserID("u-1"), form))
}

// Consent is chosen among what it means; the one that holds is chosen.
func TestConsent(t *testing.T) {
	r := few()
	s := open(t, r, 0)
	s.Tap("Record consent…")
	s.Golden("consent")
	var chosen string
	options := pagetest.Find(s, func(*page.Option) bool { return true })
	for _, option := range options {
		if option.Chosen() {
			chosen += option.Text
		}
	}
	if chosen != "Study and partners" {
		t.Errorf("chosen is %q", chosen)
	}
	if at := fyne.CurrentApp().Driver().CanvasForObject(options[1]).Focused(); at != fyne.Focusable(options[1]) {
		t.Errorf("the cursor is on %v", at)
	}
	s.Tap("Nobody")
	if options[1].Chosen() {
		t.Error("two are chosen")
	}
	s.Tap("Save")
	r.wants(t, "consent sleepu-1no_sharing")
}

// They are enrolled where they are not yet.
func TestEnrolling(t *testing.T) {
	r := few()
	s := open(t, r, 0)
	s.Tap("Enrol in a study…")
	s.Tap("Enrol")
	s.Expect("Choose a study.")
	choose(t, s, "gait")
	field(t, s, "External id").SetText("G-1")
	s.Tap("Enrol")
	r.wants(t, "enrol gaitu-1G-1")
}

// Withdrawing says what becomes of what was sent, and asks.
func TestWithdrawing(t *testing.T) {
	r := few()
	s := open(t, r, 0)
	s.Tap("Withdraw…")
	s.Golden("withdraw")
	s.Tap("Cancel")
	if len(r.asked) > 0 {
		t.Fatalf("without being told to it asked %q", r.asked)
	}
	s.Tap("Withdraw…")
	pagetest.Find(s, func(*page.Check) bool { return true })[0].SetChecked(true)
	field(t, s, "Why, if they said so").SetText("moved away")
	s.Tap("Withdraw")
	r.wants(t, "withdraw sleepu-1moved awaytrue")
	left := pagetest.Noon.Add(time.Minute)
	r.person.Enrollments["sleep"] = view.Enrollment{ExternalID: "P-17", EnrolledOn: left, WithdrawnOn: &left, Note: "moved away"}
	s = open(t, r, 0)
	s.Expect("sleep, as P-17. Enrolled: 12:01:00. Withdrew: 12:01:00. Why: moved away")
	if all := pagetest.Find(s, func(b *page.Button) bool { return b.Text == "Withdraw…" }); !all[0].Disabled() {
		t.Error("they can withdraw again")
	}
}

// A button leads to what someone sent, which is found by the external id.
func TestFromAParticipantToTheirUploads(t *testing.T) {
	r := few()
	s := open(t, r, 2)
	if all := pagetest.Find(s, func(b *page.Button) bool { return b.Text == "Their uploads" }); !all[0].Disabled() {
		t.Error("it leads nowhere, for there is no external id")
	}
	s = open(t, r, 0)
	test.Tap(pagetest.Find(s, func(b *page.Button) bool { return b.Text == "Their uploads" })[0])
	s.Settle()
	r.wants(t, "uploads with P-17")
}

// A new participant is made by Return, and left alone by Escape; who was made is seen in
// the list, whatever it showed.
func TestCreatingByKeyboard(t *testing.T) {
	r := few()
	s := open(t, r, -1)
	choose(t, s, "Late")
	s.Tap("New participant…")
	s.Press(fyne.KeyEscape)
	if s.Says("New participant in sleep") {
		t.Error("Escape leaves the dialog open")
	}
	s.Tap("New participant…")
	s.Write("P-18")
	s.Press(fyne.KeyReturn)
	s.Expect("Choose with whom the participant agreed to share.")
	choose(t, s, "Study and partners")
	id := pagetest.Find(s, func(e *page.Entry) bool { return e.Text == "P-18" })[0]
	fyne.CurrentApp().Driver().CanvasForObject(id).Focus(id)
	s.Press(fyne.KeyReturn)
	s.Expect("▸ P-18", "3 participants.", "In time. Enrolled within a day; nothing came since.")
}

// Where there are too many to look through, who was made is listed alone.
func TestWhoWasMadeIsFoundAmongMany(t *testing.T) {
	r := few()
	made := r.rows[1]
	r.rows = nil
	for i := range 300 {
		place := fmt.Sprintf("1/%06d", i)
		r.rows = append(r.rows, view.ParticipantRow{ID: core.UserID(place), ExternalID: place, SharingScope: core.NoSharing, Presence: view.PresenceInTime, Place: place})
	}
	made.Place = "2"
	r.rows = append(r.rows, made)
	s := open(t, r, -1)
	s.Tap("New participant…")
	s.Write("P-18")
	choose(t, s, "Study and partners")
	s.Tap("Create")
	s.Expect("▸ P-18", "1 participant.")
}

// Nobody can be withdrawn who is not seen: another person is shown from the beginning, and
// one who is no longer listed not at all.
func TestNobodyIsShownWhoIsNotListed(t *testing.T) {
	r := few()
	for i := range 40 {
		r.person.DataGroups = append(r.person.DataGroups, fmt.Sprint("a rather long name of a group ", i))
	}
	s := open(t, r, 0)
	withdraw := pagetest.Find(s, func(b *page.Button) bool { return b.Text == "Withdraw…" })[0]
	top := func() float32 {
		at := pagetest.Find(s, func(l *widget.Label) bool { return l.SizeName == theme.SizeNameSubHeadingText })[0]
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(at).Y
	}
	before := top()
	scroll := pagetest.Find(s, func(*page.Scroll) bool { return true })[0]
	scroll.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if top() == before {
		t.Fatal("there is nothing to scroll")
	}
	list := pagetest.Find(s, func(*page.List) bool { return true })[0]
	list.Select(1)
	if !withdraw.Disabled() {
		t.Error("the one before can be withdrawn")
	}
	s.Settle()
	if top() != before || withdraw.Disabled() {
		t.Error("the next one is not shown from the beginning, with what can be done")
	}
	pagetest.Find(s, func(*page.Entry) bool { return true })[0].SetText("nobody at all")
	s.Settle()
	s.Expect("No participant is like that.", "Choose a participant to see more.")
	if !withdraw.Disabled() {
		t.Error("someone who is not listed can be withdrawn")
	}
}
