package ui_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/people"
	pages "footbridge/ui/site"
	"footbridge/ui/study"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// site is an appliance that tells what it is told to, and notes what it is asked.
type site struct {
	people.Clerk // whose page has tests of its own, as have these
	study.Studies
	study.Access
	study.Documents
	pages.Withdrawer

	overview view.Overview
	rows     []view.UploadRow // the newest first
	deeds    []view.DeedRow
	traffic  view.Traffic
	compared view.Comparison
	away     error
	asked    []string
	rung     chan struct{}
}

func (s *site) Changes() <-chan struct{} { return s.rung }

func (s *site) Site(context.Context) (view.Site, error) {
	return view.Site{Overview: s.overview, Traffic: s.traffic, Studies: []core.StudyID{"sleep", "gait"}}, s.away
}

func (s *site) Uploads(_ context.Context, q view.UploadQuery) (view.UploadPage, error) {
	s.asked = append(s.asked, fmt.Sprintf("uploads %s/%s/%s before %.3s", q.Standing, q.Study, q.Text, q.Before))
	var page view.UploadPage
	for _, row := range s.rows {
		switch {
		case q.Before != "" && row.ID > q.Before || !q.Shows(row):
		case len(page.Rows) == q.Size:
			page.Next = row.ID
			return page, s.away
		default:
			page.Rows = append(page.Rows, row)
		}
	}
	return page, s.away
}

func (s *site) Upload(_ context.Context, id core.UploadID) (view.UploadDetail, error) {
	i := slices.IndexFunc(s.rows, func(r view.UploadRow) bool { return r.ID == id })
	d := view.UploadDetail{
		UploadRow: s.rows[i], Bytes: 1536, Studies: []core.StudyID{"sleep"}, Redrive: true, Retry: s.rows[i].Standing == view.StandingPerson,
		Stages: []view.Stage{{Name: "asked", State: "done", At: &pagetest.Noon, Sentence: "The device asked to send 1.5 KiB."}, {Name: "received", State: "now", Sentence: "The bytes have not come yet."}},
	}
	if d.Standing == view.StandingSent {
		d.Dossier = &view.Dossier{Journals: []view.Journal{{Destination: "sleep", Place: "/srv/records/sleep/raw-data/" + d.File}}}
	}
	return d, s.away
}

func (s *site) Deeds(context.Context, string, int) (view.DeedPage, error) {
	return view.DeedPage{Deeds: s.deeds}, s.away
}

func (s *site) Compared(context.Context) (view.Comparison, error) { return s.compared, s.away }
func (s *site) Compare(context.Context) error                     { return s.note("compare") }
func (s *site) Repair(context.Context) error                      { return s.note("repair") }
func (s *site) Remove(_ context.Context, plans []view.Plan) error {
	return s.note(fmt.Sprint("remove ", plans[0].Orphans))
}
func (s *site) Regrets(context.Context) ([]view.Regret, error) { return nil, s.away }
func (s *site) RetryAll(context.Context) error                 { return s.note("retry all") }

func (s *site) Study(context.Context, core.StudyID) (view.StudyDetail, error) {
	return view.StudyDetail{}, s.away
}

func (s *site) Participants(_ context.Context, q view.ParticipantQuery) (view.ParticipantPage, error) {
	return view.ParticipantPage{Late: 1, Rows: []view.ParticipantRow{
		{ID: "u-1", ExternalID: "P-17", SharingScope: core.SponsorsAndPartners, Presence: view.PresenceLate, SilentSince: pagetest.Noon.AddDate(0, 0, -9)},
	}}, s.away
}

func (s *site) Participant(context.Context, core.StudyID, core.UserID, int) (view.Participant, error) {
	return view.Participant{}, s.away
}

func (s *site) note(what string) error {
	s.asked = append(s.asked, what)
	return s.away
}

func (s *site) Retry(_ context.Context, id core.UploadID) error { return s.note("retry " + string(id)) }
func (s *site) Redrive(_ context.Context, id core.UploadID) error {
	return s.note("redrive " + string(id))
}
func (s *site) GiveUp(_ context.Context, id core.UploadID) error {
	return s.note("give up " + string(id))
}
func (s *site) RedriveRefused(context.Context) (int, error)        { return 3, s.note("redrive refused") }
func (s *site) Devices(context.Context) ([]view.DeviceLine, error) { return nil, s.away }
func (s *site) Forget(context.Context, core.DeviceID) error        { return s.away }
func (s *site) Pair(context.Context, view.PairingForm) (view.Pairing, error) {
	return view.Pairing{}, s.away
}
func (s *site) Pairing(context.Context, core.PairingID) (view.Pairing, error) {
	return view.Pairing{}, s.away
}
func (s *site) ParticipantIDs(context.Context, core.StudyID) ([]string, error) { return nil, s.away }
func (s *site) Now(context.Context) error                                      { return s.note("now") }
func (s *site) Pause(context.Context) error                                    { return s.note("pause") }
func (s *site) Resume(context.Context) error                                   { return s.note("resume") }

// busy is a site with something of everything.
func busy() *site {
	since, last := pagetest.Noon.Add(-2*time.Hour), pagetest.Noon.Add(-time.Minute)
	return &site{
		rung: make(chan struct{}, 1),
		overview: view.Overview{
			State: "needs_person", Sentence: "x", Needs: []view.Need{{Sentence: "1 record for sleep cannot be sent since 10:00:00 and waits for a decision; the page “Sending” says which, and why.", Place: view.PlaceSending}},
			Queues: view.Queues{Requested: 1, Processing: 2, Waiting: 3, Withheld: 4, Parked: 1, Refused: 5}, Disk: view.Disk{FreeBytes: 3 << 30, FloorBytes: 1 << 30},
			Destinations: []view.DestinationLine{{Destination: "sleep", State: "needs_person", Sentence: "1 record needs a person since 10:00:00: the repository does not take it as it is. Once that is mended, “Retry” (page “Uploads”) sends it.", Since: &since, Parked: 1, Waiting: 3, Exported: 40, LastSuccess: &last}},
		},
		rows: []view.UploadRow{
			{ID: "3", File: "walk-3.zip", Participant: "P-17", RequestedOn: pagetest.Noon, Standing: view.StandingExpected, Sentence: "The device has not sent the file yet."},
			{ID: "2", File: "walk-2.zip", Participant: "P-18", RequestedOn: since, Standing: view.StandingPerson, Sentence: "The repository does not take this record as it is; the log says why."},
			{ID: "1", File: "rest-1.zip", RequestedOn: since.AddDate(0, 0, -1), Standing: view.StandingSent},
		},
		traffic: lately(),
		deeds: []view.DeedRow{
			{Deed: core.Deed{At: pagetest.Noon, Did: core.DeedSyncPaused}},
			{
				Deed:   core.Deed{At: since, Who: "0199f3a2-1", Address: "10.0.0.7", Did: core.DeedParticipantCreated, With: map[string]string{"study": "sleep", "user": "0199f3a2-2"}},
				People: map[string]view.Person{"0199f3a2-1": {Name: "nurse@clinic.org", Staff: true}, "0199f3a2-2": {Name: "P-17"}},
			},
		},
	}
}

// lately is what came in thirty days, and one file on its way each way.
func lately() view.Traffic {
	t := view.Traffic{Today: "2026-11-20", Copies: 1, Sending: []view.DestinationRate{{Destination: "sleep", RecordsPerMinute: 1.5, BytesPerMinute: 1 << 20}},
		Arriving: []view.Transfer{{ID: "3", File: "film.mp4", Bytes: 1 << 28, Of: 1 << 30}}, Leaving: []view.Transfer{{ID: "2", File: "walk-2.zip", Bytes: 3, Of: 4}}}
	t.Days = view.ChartDays(pagetest.Noon, []core.Day{{Date: "2026-11-03", Uploads: 44, Bytes: 1 << 20}, {Date: "2026-11-19", Uploads: 7, Bytes: 1 << 28}, {Date: "2026-11-20", Uploads: 12, Bytes: 1 << 28}})
	return t
}

// seen is a window in a test, which looks through to a site.
type seen struct {
	*pagetest.Seen
	window *ui.Window
}

func look(t *testing.T, s *site, config ui.Config) *seen {
	t.Helper()
	config.Config = pagetest.Config()
	w := ui.New(pagetest.App(t), s, config)
	return &seen{pagetest.Look(t, w.Shown(), w.Step), w}
}

// press is a key with Ctrl.
func (w *seen) press(key fyne.KeyName) {
	w.window.TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault})
	w.Settle()
}

// Every page is drawn as it was, from the keyboard alone.
func TestPages(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	for _, page := range []struct {
		key  fyne.KeyName
		name string
	}{{fyne.Key1, "overview"}, {fyne.Key2, "uploads"}, {fyne.Key3, "sync"}, {fyne.Key4, "people"}, {fyne.Key6, "devices"}, {fyne.Key8, "activity"}} {
		w.press(page.key)
		w.Golden(page.name)
	}
}

// The overview says first what needs a person, and leads to it.
func TestFromTheOverviewToWhatNeedsAPerson(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	w.Expect("2 things need a person.", "1 record for sleep cannot be sent since 10:00:00 and waits for a decision; the page “Sending” says which, and why.", "2.0 GiB are free for uploads. At the rate of the last days that lasts for about 8 days.")
	shows := pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "Show" })
	if len(shows) != 10 {
		t.Fatalf("%d needs and figures lead to where they are put right, and to their uploads", len(shows))
	}
	for i, want := range []string{"Footbridge: Sending", "Footbridge: Uploads"} {
		test.Tap(shows[i])
		w.Settle()
		if title := w.window.Shown().Title(); title != want {
			t.Errorf("need %d leads to %s, not to %s", i+1, title, want)
		}
		w.press(fyne.Key1)
	}
	test.Tap(shows[2+4])
	w.Settle()
	w.Expect("walk-2.zip", "1 upload.")
	if w.Says("walk-3.zip") {
		t.Error("others are listed, too")
	}
}

// An upload is found, chosen, understood and put right.
func TestAnUploadIsPutRight(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.KeyF)
	w.Write("p-18")
	list := pagetest.Find(w.Seen, func(*page.List) bool { return true })[0]
	list.Select(0)
	w.Settle()
	w.Expect("▸ walk-2.zip", "Needs a person, P-18, 10:00:00", "1.5 KiB, of study sleep.")
	w.Expect("Done, 12:00:00", "The bytes have not come yet.")
	w.Tap("Retry")
	w.Expect("It is tried again.")
	w.Tap("Process again")
	w.Expect("It was processed again, and is opened.")
	w.Tap("Copy id")
	if got := fyne.CurrentApp().Clipboard().Content(); got != "2" {
		t.Errorf("on the clipboard is %q", got)
	}
	for _, want := range []string{"retry 2", "redrive 2", "uploads //p-18 before "} {
		if !slices.Contains(s.asked, want) {
			t.Errorf("%q was not asked, but %q", want, s.asked)
		}
	}
}

// Where a file lies can be copied, which the window's own words cannot be.
func TestThePathOfAFileIsCopied(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	w.press(fyne.Key2)
	pagetest.Find(w.Seen, func(*page.List) bool { return true })[0].Select(2)
	w.Settle()
	w.Tap("Copy path")
	w.Expect("The path of the file is on the clipboard.")
	if got := fyne.CurrentApp().Clipboard().Content(); got != "/srv/records/sleep/raw-data/rest-1.zip" {
		t.Errorf("on the clipboard is %q", got)
	}
}

// A record that can never be sent is given up, once a person knows that it is for good;
// none is that waits or was sent.
func TestARecordIsGivenUp(t *testing.T) {
	s := busy()
	s.rows[0].Standing = view.StandingRefused
	w := look(t, s, ui.Config{})
	w.press(fyne.Key2)
	list := pagetest.Find(w.Seen, func(*page.List) bool { return true })[0]
	for i, row := range s.rows {
		list.Select(i)
		w.Settle()
		buttons := pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "Give up…" })
		if can := len(buttons) > 0; can != slices.Contains([]view.Standing{view.StandingPerson, view.StandingRefused}, row.Standing) {
			t.Errorf("what is %s can be given up: %v", row.Standing, can)
		}
	}
	list.Select(1)
	w.Settle()
	w.Tap("Give up…")
	w.Expect("Its record is never sent again, whatever is mended later, and is taken out of the repository wherever it was sent already. Here it stays as it is. That cannot be taken back.")
	w.Press(fyne.KeyReturn) // the cursor is where nothing is done
	if slices.Contains(s.asked, "give up 2") {
		t.Fatal("it is given up by a slip")
	}
	w.Tap("Give up…")
	w.Tap("Give up")
	w.Expect("It is given up, and stays here.")
	list.Select(0) // it could not be opened
	w.Settle()
	w.Tap("Give up…")
	w.Expect("Nobody is asked about it any more; it counts among those that stay here. Its file stays, and “Process again” tries it again.")
	w.Tap("Give up")
	for _, want := range []string{"give up 2", "give up " + string(s.rows[0].ID)} {
		if !slices.Contains(s.asked, want) {
			t.Errorf("asked was %q", s.asked)
		}
	}
}

// Whoever has an upload processed again is told that it is, and then what came of it; and
// what could not be opened is processed again all at once.
func TestProcessingAgainTellsWhatCameOfIt(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.Key2)
	pagetest.Find(w.Seen, func(*page.List) bool { return true })[0].Select(1)
	w.Settle()
	s.rows[1].Standing = view.StandingProcessing
	w.Tap("Process again")
	w.Expect("It is processed again.")
	s.rows[1].Standing, s.rows[1].Sentence = view.StandingRefused, "There is no key for it."
	w.press(fyne.Key2)
	w.Expect("It was processed again, and still could not be opened: “How it went” says why.")
	w.Tap("Process all “Not opened” again")
	w.Expect("5 uploads could not be opened. It helps once what kept them is mended, such as once their key is imported.")
	w.Tap("Process all “Not opened” again")
	w.Expect("3 uploads are processed again. Those that cannot be opened stay under “Not opened”.")
	if !slices.Contains(s.asked, "redrive refused") {
		t.Errorf("asked was %q", s.asked)
	}
	all := func() int {
		return len(pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "Process all “Not opened” again" }))
	}
	s.overview.Queues.Refused = 0
	w.press(fyne.Key2)
	if all() > 0 {
		t.Error("it is offered where all are opened")
	}
	s.overview.Queues.Refused = 5
	w.press(fyne.Key2)
	pagetest.Find(w.Seen, func(*page.List) bool { return true })[0].Select(2)
	w.Settle()
	if all() > 0 {
		t.Error("it is offered beside one that was opened")
	}
	pagetest.Find(w.Seen, func(c *page.Select) bool { return c.Selected == "Any state" })[0].SetSelected("Not opened")
	if all() != 1 {
		t.Error("it is not offered where those are listed")
	}
}

// What is arriving is called so, in the list and beside it, as far as it is.
func TestAnUploadThatIsArriving(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.Key2)
	pagetest.Find(w.Seen, func(*page.List) bool { return true })[0].Select(0)
	w.Settle()
	w.Expect("Arriving now", "It is arriving: 25 % is here, 256.0 MiB of 1.0 GiB.", "Arriving now, P-17, 12:00:00")
	if w.Says("The device has not sent the file yet.") || w.Says("The bytes have not come yet.") {
		t.Error("it is said not to have come")
	}
	s.traffic.Arriving[0].Bytes = 1 << 29
	w.press(fyne.Key2)
	w.Expect("It is arriving: 50 % is here, 512.0 MiB of 1.0 GiB.")
	s.traffic.Arriving = nil
	w.press(fyne.Key2)
	w.Expect("The device has not sent the file yet.", "The bytes have not come yet.")
}

// What was typed is searched for once, however fast it was typed.
func TestOnlyTheLastSearchIsAsked(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.KeyF)
	s.asked = nil
	w.Write("walk")
	w.Settle()
	if want := []string{"uploads //walk before "}; !slices.Equal(s.asked, want) {
		t.Errorf("asked was %q", s.asked)
	}
}

// Of a long list only what is looked at is asked for.
func TestALongListIsReadAsFarAsSomeoneLooks(t *testing.T) {
	s := busy()
	s.rows = nil
	for i := range 5000 {
		s.rows = append(s.rows, view.UploadRow{ID: core.UploadID(fmt.Sprintf("%06d", 9999-i)), File: "walk.zip", Standing: view.StandingSent})
	}
	w := look(t, s, ui.Config{})
	w.press(fyne.Key2)
	w.Expect("100 uploads so far; older ones follow.")
	list := pagetest.Find(w.Seen, func(*page.List) bool { return true })[0]
	list.ScrollToBottom()
	w.Settle()
	w.Expect("200 uploads so far; older ones follow.")
	s.rows = append([]view.UploadRow{{ID: "010000", File: "new.zip"}}, s.rows...)
	w.press(fyne.Key2)
	list.ScrollToTop()
	w.Expect("new.zip")
}

// End leads to the end where that is near, and of a list that is longer as far as is asked
// for at once, which it says; whoever goes elsewhere meanwhile is left there.
func TestEndLeadsToTheEnd(t *testing.T) {
	for _, step := range []struct {
		rows int
		want string
	}{{450, "450 uploads."}, {5000, "1200 uploads so far; older ones follow."}} {
		s := busy()
		s.rows = nil
		for i := range step.rows {
			s.rows = append(s.rows, view.UploadRow{ID: core.UploadID(fmt.Sprintf("%06d", 9999-i)), File: fmt.Sprintf("walk-%d.zip", i), Standing: view.StandingSent})
		}
		w := look(t, s, ui.Config{})
		w.press(fyne.Key2)
		list := pagetest.Find(w.Seen, func(*page.List) bool { return true })[0]
		w.Press(fyne.KeyEnd)
		w.Expect(step.want)
		w.Press(fyne.KeySpace)
		if last := fmt.Sprintf("▸ walk-%d.zip", min(step.rows, 1100)-1); !w.Says(last) {
			t.Errorf("of %d the cursor is not at %s", step.rows, last)
		}
		list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		w.Press(fyne.KeyHome)
		w.Press(fyne.KeySpace)
		w.Expect("▸ walk-0.zip")
	}
}

// However many came while another page was open, none is left out, and a list that is not
// read to its end does not say that it is.
func TestMoreCameThanAreReadAgain(t *testing.T) {
	for _, before := range []int{8, 90, 2700} {
		s := busy()
		s.rows = nil
		come := func(n int) {
			for range n {
				id := fmt.Sprintf("%06d", len(s.rows))
				s.rows = append([]view.UploadRow{{ID: core.UploadID(id), File: id, Standing: view.StandingSent}}, s.rows...)
			}
		}
		come(before)
		w := look(t, s, ui.Config{})
		w.press(fyne.Key2)
		list := pagetest.Find(w.Seen, func(*page.List) bool { return true })[0]
		end := func() {
			for shown := -1; shown != list.Length(); {
				shown = list.Length()
				list.ScrollToBottom()
				w.Settle()
			}
		}
		end()
		w.press(fyne.Key1)
		come(3000)
		w.press(fyne.Key2)
		w.Settle()
		if n := list.Length(); w.Says(fmt.Sprintf("%d uploads.", n)) {
			t.Errorf("from %d: %d of %d are called all", before, n, len(s.rows))
		}
		end()
		w.Expect(fmt.Sprintf("%d uploads.", before+3000))
	}
}

// Sending is paused, resumed and hurried, and what needs a person opens.
func TestSending(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.Key3)
	w.Expect("sleep: Needs a person", "40 records sent, the last 11:59:00, 3 records in the queue, 1 record needs a person. In the last minutes: 2 records and 1.0 MiB a minute. The queue is sent in about 2 minutes.", "1 record needs a person since 10:00:00: the repository does not take it as it is. Once that is mended, “Retry” (page “Uploads”) sends it.")
	w.Tap("Send now")
	w.Tap("Pause")
	w.Expect("Sending is paused.")
	s.overview.Paused = true // the destination says what else needs a person
	w.press(fyne.Key3)
	if now := pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "Send now" })[0]; !now.Disabled() {
		t.Error("it is sent now while sending is paused")
	}
	w.Tap("Resume")
	for _, want := range []string{"now", "pause", "resume"} {
		if !slices.Contains(s.asked, want) {
			t.Errorf("%q was not asked, but %q", want, s.asked)
		}
	}
	pagetest.Find(w.Seen, func(*page.List) bool { return true })[0].Select(0)
	w.Settle()
	w.Expect("Needs a person, P-18, 10:00:00")
}

// What keeps a destination from being sent to stands on the page of the sending, and leads
// to where it is put right; nobody is told there that nothing needs a person.
func TestSendingLeadsToWhatHelps(t *testing.T) {
	s := busy()
	s.overview.Queues.Parked = 0
	s.overview.Destinations = []view.DestinationLine{{Destination: "sleep", State: "needs_person", Reason: core.ReasonNeedsToken, Waiting: 3}}
	s.overview.Needs = []view.Need{{Sentence: "The token is wrong.", Place: view.PlaceSettings}, {Sentence: "A folder is gone."}, {Sentence: "Records wait for a decision.", Place: view.PlaceSending}}
	w := look(t, s, ui.Config{})
	w.press(fyne.Key3)
	w.Expect("sleep: Needs a person", "The token is wrong.", "A folder is gone.")
	for _, text := range []string{"No record needs a person.", "Records wait for a decision."} {
		if said := pagetest.Find(w.Seen, func(l *widget.Label) bool { return l.Text == text }); len(said) > 0 {
			t.Errorf("it says %q", text)
		}
	}
	w.Tap("Show")
	if title := w.window.Shown().Title(); title != "Footbridge: Settings" {
		t.Errorf("it leads to %s", title)
	}
	s.overview.Destinations[0] = view.DestinationLine{Destination: "sleep", State: "ok"}
	s.overview.Needs = nil
	w.press(fyne.Key3)
	if said := pagetest.Find(w.Seen, func(l *widget.Label) bool { return l.Text == "No record needs a person." }); len(said) == 0 {
		t.Error("it does not say that nothing needs a person")
	}
}

// Whatever the list showed before, it has the upload that is opened.
func TestAnUploadThatIsOpenedIsInTheList(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.KeyF)
	w.Write("rest")
	w.Expect("1 upload.")
	w.press(fyne.Key3)
	pagetest.Find(w.Seen, func(*page.List) bool { return true })[0].Select(0)
	w.Settle()
	w.Expect("▸ walk-2.zip", "3 uploads.", "Needs a person, P-18, 10:00:00")
}

// What is said of a page goes with it.
func TestTheWindowsWordsGoWithThePage(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	w.press(fyne.Key3)
	w.Tap("Send now")
	w.Expect("What waits is tried now.")
	w.press(fyne.Key1)
	if w.Says("What waits is tried now.") {
		t.Error("another page says so")
	}
}

// That something is being done is said no longer than it is.
func TestTheWindowsWordsGoWithWhatTheyTell(t *testing.T) {
	s := busy()
	w := look(t, s, ui.Config{})
	w.press(fyne.Key3)
	s.compared.State = "running"
	w.Tap("Compare")
	w.Expect("It is being compared.")
	s.compared.State, s.compared.Ended = "done", &pagetest.Noon
	w.press(fyne.Key3)
	if w.Says("It is being compared.") {
		t.Error("it is over, and still said to go on")
	}
}

// A window that serves asks before it closes.
func TestClosing(t *testing.T) {
	w := look(t, busy(), ui.Config{Serves: true})
	closed := false
	w.window.Shown().SetOnClosed(func() { closed = true })
	w.window.AskToClose()
	w.window.AskToClose() // again asks once
	w.Expect("Devices cannot send while it is closed: they keep their data, and send it when Footbridge runs again. What waits here stays here, and is sent on then.")
	w.Tap("Cancel")
	if w.window.Shown().Canvas().Overlays().Top() != nil {
		t.Error("it asks twice")
	}
	if closed {
		t.Error("it closed against a person's will")
	}
	w.window.AskToClose()
	w.Tap("Close")
	if !closed {
		t.Error("it stays open")
	}
}

// A key of a page leaves a dialog alone, which may show what is shown once, and closes a
// menu.
func TestKeysWhileADialogIsOpen(t *testing.T) {
	w := look(t, busy(), ui.Config{Serves: true})
	w.window.AskToClose()
	for _, key := range []fyne.KeyName{fyne.Key2, fyne.KeyF} {
		w.press(key)
		w.Expect("Close Footbridge?")
		if title := w.window.Shown().Title(); title != "Footbridge: Overview" {
			t.Errorf("%s led to %q", key, title)
		}
	}
	w.Tap("Cancel")
	canvas := w.window.Shown().Canvas()
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", fyne.NewMenuItem("Any state", nil)), canvas, fyne.NewPos(0, 0))
	w.press(fyne.Key2)
	if title := w.window.Shown().Title(); title != "Footbridge: Uploads" || canvas.Overlays().Top() != nil {
		t.Errorf("with a menu open it led to %q, and the menu is %v", title, canvas.Overlays().Top())
	}
}
