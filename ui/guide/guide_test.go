package guide_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"footbridge/core"
	"footbridge/ui/guide"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// land is where sites are founded.
type land struct {
	trial  plan.Trial
	fails  error // of whatever is asked next
	asked  []string
	stages []view.Stage
}

func (l *land) fail() error {
	err := l.fails
	l.fails = nil
	return err
}

func (l *land) Try(_ context.Context, d plan.Draft) (plan.Trial, error) {
	l.asked = append(l.asked, "try "+d.Spec())
	return l.trial, l.fail()
}

func (l *land) Found(_ context.Context, d plan.Draft) (plan.Founded, error) {
	l.asked = append(l.asked, "found "+d.Text(plan.App)+" "+d.Text(plan.Study)+" "+d.Spec()+" "+d.Text(plan.Email)+" "+d.Text(plan.Password))
	return plan.Founded{Addresses: []string{"https://10.0.0.7:8443", "https://[fd00::7]:8443"}, Fingerprint: "AB:CD"}, l.fail()
}

func (l *land) Send(context.Context) (core.UploadID, error) { return "u-1", l.fail() }

func (l *land) Upload(context.Context, core.UploadID) (view.UploadDetail, error) {
	d := view.UploadDetail{Stages: l.stages}
	if d.Over() {
		d.Standing = view.StandingSent
	}
	return d, l.fail()
}

// Content is where the pairing code stands.
func (l *land) Content() fyne.CanvasObject { return widget.NewLabel("the pairing code") }
func (l *land) Update()                    {}
func (l *land) Coded() bool                { return true }

// begin opens a guide.
func begin(t *testing.T, l *land, config guide.Config) (*guide.Guide, *pagetest.Seen) {
	t.Helper()
	config.Config, config.Home = pagetest.Config(), "/home/ana/clinic"
	g := guide.New(pagetest.App(t), l, l, config)
	return g, pagetest.Look(t, g.Shown(), g.Step)
}

// enter presses the key in the field that has the cursor.
func enter(t *testing.T, g *guide.Guide) {
	t.Helper()
	at := g.Shown().Canvas().Focused()
	if at == nil {
		t.Fatal("there is no cursor")
	}
	pagetest.Press(at, fyne.KeyReturn)
}

// next goes to the next field.
func next(g *guide.Guide) { g.Shown().Canvas().FocusNext() }

// toRecords answers, by keyboard alone, what comes before the records.
func toRecords(t *testing.T, g *guide.Guide, w *pagetest.Seen) {
	t.Helper()
	w.Write("Mbabane clinic")
	enter(t, g)
	w.Expect("Step 2 of 5", "Which study comes first?")
	enter(t, g)
	w.Expect("Step 3 of 5", "Where do records go?")
}

// toSummary answers all, by keyboard alone.
func toSummary(t *testing.T, g *guide.Guide, w *pagetest.Seen) {
	t.Helper()
	toRecords(t, g, w)
	enter(t, g)
	w.Write("ana@clinic.org")
	next(g)
	w.Write("Right-as-rain-1")
	next(g)
	w.Write("Right-as-rain-1")
	enter(t, g)
	w.Expect("Step 5 of 5", "Mbabane clinic is made, for the app mbabane-clinic.", "Records go here: /home/ana/clinic/repository.")
}

// From no home to an upload that arrived.
func TestAFirstRun(t *testing.T) {
	l := &land{}
	finished := false
	g, w := begin(t, l, guide.Config{Pairing: func(*page.Frame, core.StudyID) guide.Pairing { return l }, Finished: func() { finished = true }})
	w.Golden("site")
	toSummary(t, g, w)
	w.Golden("make")
	w.Tap("Make the site")
	if want := []string{"found mbabane-clinic study-1 folder:repository ana@clinic.org Right-as-rain-1"}; !slices.Equal(l.asked, want) {
		t.Errorf("asked was %q", l.asked)
	}
	w.Expect("Mbabane clinic is ready", "https://10.0.0.7:8443", "AB:CD", "the pairing code", "The study has its project: records are sent there by themselves.")
	w.Golden("ready")
	w.Tap("Copy addresses and fingerprint")
	if got := fyne.CurrentApp().Clipboard().Content(); got != "https://10.0.0.7:8443\nhttps://[fd00::7]:8443\nAB:CD" {
		t.Errorf("on the clipboard is %q", got)
	}
	l.stages = []view.Stage{{State: "done", Sentence: "It came."}, {State: "now", Sentence: "It is being sent."}}
	w.Tap("Send a test upload")
	w.Expect("Now: It is being sent.")
	if w.Says("It arrived. The site works.") {
		t.Error("it says that what is on its way arrived")
	}
	l.stages = []view.Stage{l.stages[0], {State: "done", Sentence: "It was sent."}}
	g.Look()
	w.Settle()
	w.Expect("Done: It was sent.", "It arrived. The site works.")
	w.Tap("Open Footbridge")
	if !finished {
		t.Error("the window does not open")
	}
}

// The code of a pairing stays in sight, whatever a person does then.
func TestTheCodeStaysInSight(t *testing.T) {
	l := &land{}
	code := canvas.NewRectangle(nil)
	code.SetMinSize(fyne.NewSize(300, 400))
	g, w := begin(t, l, guide.Config{Pairing: func(*page.Frame, core.StudyID) guide.Pairing { return &coded{l, code} }})
	toSummary(t, g, w)
	w.Tap("Make the site")
	for i := range 4 { // lines of a text are known once it was laid
		g.Shown().Resize(fyne.NewSize(860, 697+float32(i)))
	}
	inSight := func(after string) {
		t.Helper()
		driver := fyne.CurrentApp().Driver()
		scroll := pagetest.Find(w, func(*container.Scroll) bool { return true })[0]
		above := driver.AbsolutePositionForObject(scroll).Y
		if at := driver.AbsolutePositionForObject(code).Y - above; at < 0 || at+code.Size().Height > scroll.Size().Height {
			t.Errorf("after %s the code is at %v of %v", after, at, scroll.Size().Height)
		}
	}
	l.stages = []view.Stage{{State: "done", Sentence: "It came."}, {State: "done", Sentence: "It was sent."}}
	w.Tap("Send a test upload")
	w.Expect("It arrived. The site works.")
	inSight("the test upload")
	w.Tap("Copy addresses and fingerprint")
	w.Tap("Send a test upload")
	inSight("another one")
}

// coded is a pairing with a code on the screen.
type coded struct {
	*land
	code fyne.CanvasObject
}

func (c *coded) Content() fyne.CanvasObject { return c.code }

// A guide closes at once while nothing is made, and asks once devices could send.
func TestClosing(t *testing.T) {
	closed := false
	g, _ := begin(t, &land{}, guide.Config{})
	g.Shown().SetOnClosed(func() { closed = true })
	if g.AskToClose(); !closed {
		t.Error("it stays open though nothing is lost")
	}
	closed = false
	g, w := begin(t, &land{}, guide.Config{})
	g.Shown().SetOnClosed(func() { closed = true })
	w.Write("Mbabane clinic")
	g.AskToClose()
	g.AskToClose() // again asks once
	w.Expect("Nothing is made yet, and what you answered is not kept.")
	if w.Tap("Cancel"); closed || g.Shown().Canvas().Overlays().Top() != nil {
		t.Error("it closed against a person's will, or asks twice")
	}
	g, w = begin(t, &land{}, guide.Config{})
	g.Shown().SetOnClosed(func() { closed = true })
	toSummary(t, g, w)
	g.AskToClose()
	w.Expect("Nothing is made yet, and what you answered is not kept.")
	if w.Tap("Cancel"); closed {
		t.Error("it closed against a person's will, and their answers are gone")
	}
	w.Tap("Make the site")
	g.AskToClose()
	w.Expect("Devices cannot send while it is closed: they keep their data, and send it when Footbridge runs again. What waits here stays here, and is sent on then.")
	if w.Tap("Cancel"); closed {
		t.Error("it closed against a person's will")
	}
	g.AskToClose()
	if w.Tap("Close"); !closed {
		t.Error("it stays open")
	}
}

// What is wrong is said as it is typed, and nobody gets past it.
func TestWrongAnswers(t *testing.T) {
	l := &land{}
	g, w := begin(t, l, guide.Config{})
	if w.Says("This is missing.") {
		t.Error("it complains before anybody typed")
	}
	w.Tap("Next")
	w.Expect("Step 1 of 5", "This is missing.")
	w.Write("Clinic")
	next(g)
	w.Write("!")
	w.Expect("clinic would be right: 2 to 60 signs of a to z (no capitals), 0 to 9 and -.")
	for range "clinic!" {
		g.Shown().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
	w.Write("!")
	w.Expect("Use 2 to 60 signs of a to z (no capitals), 0 to 9 and -, the first one a letter or a digit.")
	if w.Says("This is missing.") {
		t.Error("it still complains of the name")
	}
	enter(t, g)
	w.Expect("Step 1 of 5")
}

// A field stays where it is while what is wrong with the one above it is put right.
func TestFieldsStayWhereTheyAre(t *testing.T) {
	g, w := begin(t, &land{}, guide.Config{})
	toRecords(t, g, w)
	enter(t, g)
	w.Tap("Next") // nothing was typed
	password := pagetest.Find(w, func(e *page.Entry) bool { return e.Password })[0]
	at := func() float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(password).Y
	}
	before := at()
	w.Write("ana@clinic.org")
	complaints := pagetest.Find(w, func(l *widget.Label) bool { return l.Importance == widget.DangerImportance && l.Text != "" })
	if len(complaints) != 2 { // of the password, and of the one again
		t.Fatalf("%d things are wrong", len(complaints))
	}
	if at() != before {
		t.Errorf("the password moved from %v to %v", before, at())
	}
}

// A tap on where records go takes the cursor: Return then does not go back to what had it.
func TestATapTakesTheCursor(t *testing.T) {
	g, w := begin(t, &land{}, guide.Config{})
	toRecords(t, g, w)
	options := pagetest.Find(w, func(*page.Option) bool { return true })
	g.Shown().Canvas().Focus(options[0])
	w.Tap("Synapse")
	w.Press(fyne.KeyReturn)
	if last := options[len(options)-1]; g.Shown().Canvas().Focused() != last || !last.Chosen() || options[0].Chosen() {
		t.Errorf("the cursor is at %v, and chosen is Synapse: %v", g.Shown().Canvas().Focused(), last.Chosen())
	}
}

// What was typed stays for whoever goes back.
func TestGoingBack(t *testing.T) {
	l := &land{}
	g, w := begin(t, l, guide.Config{})
	toSummary(t, g, w)
	for range 4 {
		w.Tap("Back")
	}
	w.Expect("Step 1 of 5")
	for _, text := range []string{"Mbabane clinic", "mbabane-clinic"} {
		if len(pagetest.Find(w, func(e *widget.RichText) bool { return e.String() == text })) == 0 {
			t.Errorf("%q is gone", text)
		}
	}
}

// An answer that another one makes wrong is asked again before anything is made.
func TestAStudyThatIsCalledLikeTheApp(t *testing.T) {
	l := &land{}
	g, w := begin(t, l, guide.Config{})
	toSummary(t, g, w)
	for range 4 {
		w.Tap("Back")
	}
	next(g)
	for range "mbabane-clinic" {
		g.Shown().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
	w.Write("study-1")
	for range 3 {
		enter(t, g)
	}
	w.Expect("Step 2 of 5", "The app is called that; the study needs another id.")
	if len(l.asked) > 0 {
		t.Errorf("asked was %q", l.asked)
	}
}

// Where records go is tried on the spot; one may go on though it is away.
func TestTheTrial(t *testing.T) {
	l := &land{trial: plan.Trial{OK: true}}
	g, w := begin(t, l, guide.Config{})
	toRecords(t, g, w)
	w.Tap("Try it")
	w.Expect("All is well: records can be sent there.")
	w.Tap("Synapse")
	w.Expect("Address of Synapse", "Personal access token (may come later)")
	if w.Says("All is well: records can be sent there.") {
		t.Error("it says of another place that all is well")
	}
	l.trial = plan.Trial{Wrong: []string{"It does not answer.", "Check the line."}}
	w.Tap("Try it")
	w.Expect("Records cannot be sent there now. Mend it, or go on: they wait here meanwhile.", "It does not answer.", "Check the line.")
	w.Golden("away")
	l.fails = errors.New("nothing is like that")
	w.Tap("Try it")
	w.Expect("Nothing is like that.")
	if want := []string{"try folder:repository", "try synapse:https://repo-prod.prod.sagebase.org", "try synapse:https://repo-prod.prod.sagebase.org"}; !slices.Equal(l.asked, want) {
		t.Errorf("asked was %q", l.asked)
	}
	w.Tap("A server by SFTP")
	w.Tap("Try it") // answers are missing
	w.Expect("This is missing.")
	if len(l.asked) != 3 {
		t.Errorf("without answers it was tried: %q", l.asked)
	}
	w.Tap("Synapse")
	w.Tap("Next")
	w.Expect("Step 4 of 5")
}

// What was tried is forgotten once the answer is another one, and what is typed stands in
// the place of what was proposed.
func TestTheTrialIsForgotten(t *testing.T) {
	l := &land{trial: plan.Trial{Wrong: []string{"It does not answer.", "Check the line.", "And the cable."}}}
	g, w := begin(t, l, guide.Config{})
	toRecords(t, g, w)
	w.Tap("Try it")
	w.Expect("It does not answer.")
	driver := fyne.CurrentApp().Driver()
	scroll := pagetest.Find(w, func(*container.Scroll) bool { return true })[0]
	try := pagetest.Find(w, func(b *page.Button) bool { return b.Text == "Try it" })[0]
	if at := driver.AbsolutePositionForObject(try).Y - driver.AbsolutePositionForObject(scroll).Y; at < 0 || at+try.Size().Height > scroll.Size().Height {
		t.Errorf("the button is at %v of %v", at, scroll.Size().Height)
	}
	w.Tap("Back")
	w.Tap("Next")
	w.Write("/srv/records")
	w.Tap("Try it")
	w.Expect("It does not answer.")
	w.Tap("Back")
	w.Tap("Next")
	w.Tap("Try it")
	g.Shown().Canvas().Focus(pagetest.Find(w, func(e *page.Entry) bool { return e.Text == "/srv/records" })[0])
	w.Write("/mnt/disk")
	if w.Says("It does not answer.") {
		t.Error("it says of another folder that it does not answer")
	}
	w.Tap("Try it")
	if want := []string{"try folder:repository", "try folder:/srv/records", "try folder:/srv/records", "try folder:/mnt/disk"}; !slices.Equal(l.asked, want) {
		t.Errorf("asked was %q", l.asked)
	}
}

// A step is seen from its beginning, be its first field ever so far below.
func TestAStepIsSeenFromItsBeginning(t *testing.T) {
	g, w := begin(t, &land{}, guide.Config{})
	g.Shown().Resize(fyne.NewSize(860, 400))
	toRecords(t, g, w)
	scroll := pagetest.Find(w, func(*container.Scroll) bool { return true })[0]
	if field := g.Shown().Canvas().Focused().(*page.Entry); fyne.CurrentApp().Driver().AbsolutePositionForObject(field).Y < 400 {
		t.Fatal("the field is in sight by itself")
	}
	if scroll.Offset.Y != 0 {
		t.Errorf("it is seen from %v", scroll.Offset.Y)
	}
}

// Whoever chooses another place sees its form from the beginning.
func TestAnotherPlaceIsSeenFromItsBeginning(t *testing.T) {
	g, w := begin(t, &land{}, guide.Config{})
	toRecords(t, g, w)
	g.Shown().Resize(fyne.NewSize(860, 400))
	w.Tap("A server by SFTP")
	scroll := pagetest.Find(w, func(*container.Scroll) bool { return true })[0]
	scroll.ScrollToBottom()
	w.Tap("Synapse")
	driver := fyne.CurrentApp().Driver()
	option := pagetest.Find(w, func(o *page.Option) bool { return o.Text == "Synapse" })[0]
	if at := driver.AbsolutePositionForObject(option).Y - driver.AbsolutePositionForObject(scroll).Y; at < 0 || at > scroll.Size().Height {
		t.Errorf("the choice is at %v of %v", at, scroll.Size().Height)
	}
}

// What fails is said, and can be tried again.
func TestFailures(t *testing.T) {
	l := &land{fails: errors.New("the disk is full")}
	g, w := begin(t, l, guide.Config{})
	toSummary(t, g, w)
	w.Tap("Make the site")
	w.Expect("Step 5 of 5", "The disk is full.")
	w.Tap("Make the site")
	w.Expect("Mbabane clinic is ready")
	l.fails = errors.New("the site does not answer")
	w.Tap("Send a test upload")
	w.Expect("The site does not answer.")
	w.Tap("Send a test upload")
	if w.Says("The site does not answer.") {
		t.Error("it still says so")
	}
}

// F1 helps before there is a site, too, and leaves what was typed as it is.
func TestHelpByKey(t *testing.T) {
	g, w := begin(t, &land{}, guide.Config{})
	canvas := g.Shown().Canvas()
	typed := canvas.Focused().(*page.Entry)
	typed.SetText("Mbabane clinic")
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	w.Expect("Search in the help")
	top := canvas.Overlays().Top()
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if canvas.Overlays().Top() != top || len(canvas.Overlays().List()) != 1 {
		t.Error("it helps twice at once")
	}
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if canvas.Overlays().Top() != nil || typed.Text != "Mbabane clinic" {
		t.Errorf("Escape does not leave, or %q was typed", typed.Text)
	}
}
