package site_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/site"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// audit has so many deeds, each a minute before the one above it.
type audit struct {
	deeds int
	asked []string
}

func (a *audit) Deeds(_ context.Context, before string, most int) (view.DeedPage, error) {
	a.asked = append(a.asked, before)
	var page view.DeedPage
	from, _ := strconv.Atoi(before)
	for i := from; i < a.deeds; i++ {
		if len(page.Deeds) == most {
			page.Next = strconv.Itoa(i)
			break
		}
		page.Deeds = append(page.Deeds, view.DeedRow{Deed: core.Deed{At: pagetest.Noon.Add(-time.Duration(i) * time.Minute), Did: core.DeedStudyCreated, With: map[string]string{"study": fmt.Sprint("s", i)}}})
	}
	return page, nil
}

// The audit is read as far as someone looks, searched, and read on where a search finds
// little.
func TestActivity(t *testing.T) {
	a := &audit{deeds: 1000}
	w := pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page { return site.NewActivity(f, a) })
	w.Expect("12:00:00", "Someone at this computer created a study: study s0.", "100 entries so far; older ones follow.")
	if !slices.Equal(a.asked, []string{""}) {
		t.Fatalf("at first %q was asked", a.asked)
	}
	pagetest.Find(w, func(*page.List) bool { return true })[0].ScrollToBottom()
	w.Settle()
	w.Expect("200 entries so far; older ones follow.")
	test.Type(pagetest.Find(w, func(*page.Entry) bool { return true })[0], "STUDY S77")
	w.Settle()
	w.Expect("Someone at this computer created a study: study s77.", "Someone at this computer created a study: study s770.", "11 entries.")
	if len(a.asked) != 10 {
		t.Errorf("asked was %q", a.asked)
	}
	test.Type(pagetest.Find(w, func(*page.Entry) bool { return true })[0], "x")
	w.Settle()
	w.Expect("Nobody has done anything like that.")
}

// repository is one that is compared and sent to.
type repository struct {
	uploads.Source
	uploads.Mender
	parked  []view.UploadRow // are listed
	last    view.Comparison
	regrets []view.Regret
	asked   []string
}

func (r *repository) Uploads(context.Context, view.UploadQuery) (view.UploadPage, error) {
	return view.UploadPage{Rows: r.parked}, nil
}
func (r *repository) note(what string) error                            { r.asked = append(r.asked, what); return nil }
func (r *repository) Now(context.Context) error                         { return r.note("now") }
func (r *repository) Pause(context.Context) error                       { return r.note("pause") }
func (r *repository) Resume(context.Context) error                      { return r.note("resume") }
func (r *repository) RetryAll(context.Context) error                    { return r.note("retry all") }
func (r *repository) Compare(context.Context) error                     { return r.note("compare") }
func (r *repository) Repair(context.Context) error                      { return r.note("repair") }
func (r *repository) Compared(context.Context) (view.Comparison, error) { return r.last, nil }
func (r *repository) Regrets(context.Context) ([]view.Regret, error)    { return r.regrets, nil }
func (r *repository) Withdrawable(context.Context, core.HealthCode) (int, error) {
	return 2, r.note("withdrawable")
}
func (r *repository) Withdraw(_ context.Context, code core.HealthCode) error {
	r.regrets = nil
	return r.note("withdraw " + string(code))
}
func (r *repository) Keep(_ context.Context, code core.HealthCode) error {
	r.regrets = nil
	return r.note("keep " + string(code))
}
func (r *repository) Remove(_ context.Context, plans []view.Plan) error {
	return r.note(fmt.Sprint("remove ", plans[0].Orphans))
}

// sending opens the page of a site on which something needs a person.
func sending(t *testing.T, r *repository) *pagetest.Seen { return sendingWith(t, r, 2) }

// sendingWith opens the page of a site on which so many records need a person.
func sendingWith(t *testing.T, r *repository, parked int) *pagetest.Seen {
	state := map[bool]string{true: "needs_person", false: "sending"}[parked > 0]
	overview := view.Overview{State: state, Queues: view.Queues{Parked: parked}, Destinations: []view.DestinationLine{{Destination: "sleep", State: state, Parked: parked, Waiting: 30}}}
	traffic := view.Traffic{Sending: []view.DestinationRate{{Destination: "sleep", RecordsPerMinute: 2, BytesPerMinute: 1 << 20}}}
	return pagetest.Open(t, view.Site{Overview: overview, Traffic: traffic}, func(f *page.Frame) page.Page {
		return site.NewSending(f, r, r, r, r, uploads.New(f, r, r), nil)
	})
}

// A person compares, sees what is wrong, has it mended, and is asked before anything is
// removed.
func TestComparing(t *testing.T) {
	r := &repository{last: view.Comparison{State: "none"}}
	w := sending(t, r)
	w.Expect("0 records sent, none was sent yet, 30 records in the queue, 2 records need a person. In the last minutes: 2 records and 1.0 MiB a minute. The queue is sent in about 15 minutes.")
	button := func(name string) *page.Button {
		return pagetest.Find(w, func(b *page.Button) bool { return b.Text == name })[0]
	}
	for _, name := range []string{"Repair", "Remove what nobody knows"} {
		if !button(name).Disabled() {
			t.Errorf("%s can be tapped before anything was compared", name)
		}
	}
	r.last.State = "running"
	w.Tap("Compare")
	w.Expect("It is being compared, which may take long. You may look at other pages meanwhile.")
	if !button("Compare").Disabled() {
		t.Error("it can be compared twice at once")
	}
	r.last = view.Comparison{State: "done", Ended: &pagetest.Noon}
	r.last.Result.Destinations = []view.Plan{{Destination: "sleep", Missing: []core.UploadID{"1"}, Orphans: []string{"raw-data/x"}}}
	w.Tap("Retry all") // which looks again
	w.Expect("sleep: not all is as it should be.\n1 record is missing.\n    1\n1 file belongs to no record.\n    raw-data/x")
	w.Golden("compared")
	w.Tap("Repair")
	w.Tap("Remove what nobody knows")
	w.Expect("1 file belongs to no record of this site. What is removed cannot be brought back from here.\n    sleep/raw-data/x")
	if slices.ContainsFunc(r.asked, func(s string) bool { return strings.HasPrefix(s, "remove") }) {
		t.Error("it is removed before anyone said yes")
	}
	if b := button("Cancel"); b.Importance == widget.DangerImportance {
		t.Error("leaving it looks dangerous")
	}
	agrees := pagetest.Find(w, func(b *page.Button) bool {
		return b.Text == "Remove what nobody knows" && b.Importance == widget.DangerImportance
	})
	if len(agrees) != 1 || agrees[0].Icon.Name() != theme.WarningIcon().Name() {
		t.Errorf("what cannot be taken back does not look like it: %d", len(agrees))
	}
	since := pagetest.Noon
	r.last = view.Comparison{State: "done", Mends: true, Since: &since, Ended: &pagetest.Noon}
	r.last.Result.Repaired = 1
	w.Tap("Remove what nobody knows")
	w.Expect("Compared: 12:00:00. 1 was removed.")
	if want := []string{"compare", "retry all", "repair", "remove [raw-data/x]"}; !slices.Equal(r.asked, want) {
		t.Errorf("asked was %q, not %q", r.asked, want)
	}
	later := since.Add(time.Minute)
	r.last.Since = &later // of someone's repair elsewhere
	w.Tap("Retry all")
	w.Expect("Compared: 12:00:00. 1 was put right.")
}

// What is being done is said until it is over.
func TestWhatIsDoneIsSaidUntilItIsOver(t *testing.T) {
	wrong := view.Plan{Destination: "sleep", Missing: []core.UploadID{"1"}, Orphans: []string{"raw-data/x"}}
	for button, want := range map[string]string{"Compare": "It is being compared.", "Repair": "It is being put right.", "Remove what nobody knows": "The files are being removed."} {
		r := &repository{last: view.Comparison{State: "done", Ended: &pagetest.Noon}}
		r.last.Result.Destinations = []view.Plan{wrong}
		var f *page.Frame
		w := pagetest.Open(t, view.Site{}, func(frame *page.Frame) page.Page {
			f = frame
			return site.NewSending(f, r, r, r, r, uploads.New(f, r, r), nil)
		})
		r.last.State = "running"
		w.Tap(button)
		if button == "Remove what nobody knows" {
			w.Tap(button) // and once more, in the question
		}
		if f.Notice.Text != want {
			t.Errorf("%s says %q, not %q", button, f.Notice.Text, want)
		}
		over := func(how string) {
			if f.Notice.Text != "" {
				t.Errorf("%s says %q once it is over, %s", button, f.Notice.Text, how)
			}
		}
		r.last.State = "done"
		f.Refresh()
		w.Settle()
		over("after a while")
		w.Tap("Compare")
		over("at once")
	}
}

// Where nothing needs a person, what was compared has the room of the page; and it is
// brought into sight once it is there.
func TestWhatWasComparedIsInSight(t *testing.T) {
	for _, parked := range []int{0, 2} {
		r := &repository{last: view.Comparison{State: "running"}, parked: []view.UploadRow{{ID: "1", File: "walk.zip"}}}
		w := sendingWith(t, r, parked)
		panes := pagetest.Find(w, func(*container.Split) bool { return true })[0]
		if panes.Leading.Visible() != (parked > 0) {
			t.Errorf("a pane for those that need a person: %v, where %d do", panes.Leading.Visible(), parked)
		}
		if parked == 0 {
			w.Golden("nobody") // which is said
		}
		r.last = view.Comparison{State: "done", Ended: &pagetest.Noon}
		for _, study := range []core.DestinationID{"gait", "sleep", "walk"} {
			var orphans []string
			for i := range 9 {
				orphans = append(orphans, fmt.Sprint("raw-data/", i))
			}
			r.last.Result.Destinations = append(r.last.Result.Destinations, view.Plan{Destination: study, Orphans: orphans})
		}
		w.Tap("Pause") // which looks again
		heading := pagetest.Find(w, func(l *widget.Label) bool { return l.Text == "Is all there?" })[0]
		driver := fyne.CurrentApp().Driver()
		if at := driver.AbsolutePositionForObject(heading).Y - driver.AbsolutePositionForObject(panes.Trailing).Y; at < 0 || at > 50 {
			t.Errorf("with %d that need a person it stands %v below the top of its pane", parked, at)
		}
	}
}

// Of those who share no more a person decides what becomes of what was sent, and is
// asked before anything is done.
func TestRecordsAreDecidedOn(t *testing.T) {
	for answer, want := range map[string][]string{
		"Take them out":    {"withdrawable", "withdraw code-18"},
		"Leave them there": {"keep code-18"},
	} {
		r := &repository{regrets: []view.Regret{{Participant: "code-18", Name: "P-18"}}}
		w := sending(t, r)
		w.Expect("Records to decide on", "P-18 stopped sharing after records of theirs were sent. The study’s protocol says what becomes of those.")
		w.Tap(answer + "…")
		if slices.ContainsFunc(r.asked, func(s string) bool { return strings.HasSuffix(s, "code-18") }) {
			t.Errorf("%s is done before anyone said yes", answer)
		}
		w.Tap(answer)
		if !slices.Equal(r.asked, want) {
			t.Errorf("asked was %q, not %q", r.asked, want)
		}
		if seen := pagetest.Find(w, func(b *page.Button) bool { return b.Text == answer+"…" && b.Visible() }); len(seen) > 0 {
			t.Error("it is still to be decided")
		}
	}
}

// listed is a repository that remembers which uploads were asked for last.
type listed struct {
	repository
	query view.UploadQuery
}

func (l *listed) Uploads(_ context.Context, q view.UploadQuery) (view.UploadPage, error) {
	l.query = q
	return view.UploadPage{}, nil
}

// What could not be opened is one tap away from the overview.
func TestTheOverviewLeadsToWhatWasRefused(t *testing.T) {
	r := &listed{}
	w := pagetest.Open(t, view.Site{Overview: view.Overview{State: "ok", Queues: view.Queues{Refused: 2}}}, func(f *page.Frame) page.Page {
		return site.NewOverview(f, uploads.New(f, r, r), nil)
	})
	w.Expect("1 thing needs a person.", "2 uploads could not be opened; the page “Uploads” says why, and what helps.")
	w.Tap("Show")
	if r.query.Standing != view.StandingRefused {
		t.Errorf("shown is %+v", r.query)
	}
}

// A day of the chart is read by keyboard: its name and its number stand below.
func TestTheChartByKeyboard(t *testing.T) {
	traffic := view.Traffic{Today: "2026-11-20", Days: view.ChartDays(pagetest.Noon, []core.Day{{Date: "2026-11-19", Uploads: 7}, {Date: "2026-11-20", Uploads: 12}})}
	w := pagetest.Open(t, view.Site{Overview: view.Overview{State: "ok"}, Traffic: traffic}, func(f *page.Frame) page.Page {
		return site.NewOverview(f, uploads.New(f, &repository{}, nil), nil)
	})
	w.Expect("Today 12; in 30 days 19 uploads, at most 12 in a day (today).")
	bars := pagetest.Find(w, func(*page.Bars) bool { return true })[0]
	bars.FocusGained()
	w.Expect("today: 12 uploads")
	for _, step := range []struct {
		key  fyne.KeyName
		want string
	}{{fyne.KeyLeft, "19 Nov: 7 uploads"}, {fyne.KeyHome, "22 Oct: 0 uploads"}, {fyne.KeyLeft, "22 Oct: 0 uploads"}, {fyne.KeyEnd, "today: 12 uploads"}, {fyne.KeyRight, "today: 12 uploads"}} {
		bars.TypedKey(&fyne.KeyEvent{Name: step.key})
		w.Expect(step.want)
	}
	test.TapAt(bars, fyne.NewPos(1, 20))
	w.Expect("22 Oct: 0 uploads")
}
