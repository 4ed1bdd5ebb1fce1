package study_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/study"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// site has studies, and notes what it is asked.
type site struct {
	details map[core.StudyID]view.StudyDetail
	asked   []string
	fails   error
}

func (s *site) note(what string) error {
	s.asked = append(s.asked, what)
	return s.fails
}

func (s *site) Study(_ context.Context, id core.StudyID) (view.StudyDetail, error) {
	return s.details[id], nil
}
func (s *site) CreateStudy(_ context.Context, id core.StudyID, name string) error {
	s.details[id] = view.StudyDetail{ID: id, Name: name, App: "walk"}
	return s.note("create " + string(id) + " " + name)
}
func (s *site) AskProject(_ context.Context, id core.StudyID) error {
	return s.note("project " + string(id))
}
func (s *site) PublicKey(context.Context) (string, error) { return "PEM\n", s.note("key") }
func (s *site) RequestAccess(_ context.Context, id core.StudyID, account string) error {
	return s.note("request " + string(id) + " " + account)
}
func (s *site) GrantAccess(_ context.Context, id core.StudyID, account string) (string, error) {
	return account + " may read it.", s.note("grant " + string(id) + " " + account)
}
func (s *site) ImportSchema(_ context.Context, document []byte) (view.SchemaLine, error) {
	return view.SchemaLine{ID: "walk", Revision: 2}, s.note("schema " + string(document))
}
func (s *site) ImportKey(_ context.Context, pem []byte) (string, error) {
	return "6b", s.note("key " + string(pem))
}
func (s *site) ImportTimeline(_ context.Context, id core.StudyID, document []byte) (view.TimelineLine, error) {
	return view.TimelineLine{Sessions: make([]struct{}, 3)}, s.note("timeline " + string(id) + " " + string(document))
}

// look opens the page of a site with a study that is configured and one that is not.
func look(t *testing.T) (*site, *study.Page, *pagetest.Seen) {
	t.Helper()
	s := &site{details: map[core.StudyID]view.StudyDetail{
		"sleep": {
			ID: "sleep", App: "walk", Export: true, Project: view.ProjectLine{State: "made"},
			Configuration: core.RepositoryConfig{Project: "syn1", RawDataFolder: "syn2", ParticipantVersionTable: "syn3", DataAccessTeam: 4, StorageLocation: 5},
			Access:        []view.AccessLine{{Account: "ana", RequestedOn: pagetest.Noon}, {Account: "jo", GrantedOn: pagetest.Noon}},
		},
		"gait": {ID: "gait", App: "walk", Project: view.ProjectLine{State: "none"}},
	}}
	var p *study.Page
	w := pagetest.Open(t, view.Site{Studies: []core.StudyID{"sleep", "gait"}}, func(f *page.Frame) page.Page {
		p = study.New(f, s, s, s)
		return p
	})
	return s, p, w
}

func choose(w *pagetest.Seen, id string) {
	pagetest.Find(w, func(*page.Select) bool { return true })[0].SetSelected(id)
	w.Settle()
}

func (s *site) expect(t *testing.T, want ...string) {
	t.Helper()
	for _, what := range want {
		if !slices.Contains(s.asked, what) {
			t.Errorf("%q was not asked, but %q", what, s.asked)
		}
	}
}

// What a study is configured to can be read and copied.
func TestAStudyThatIsConfigured(t *testing.T) {
	s, _, w := look(t)
	w.Golden("configured")
	w.Expect("This study is configured for v3 export: its records are sent as they come.", "syn1", "ana: asked 12:00:00, not granted yet.", "jo: granted 12:00:00.")
	w.Tap("Copy")
	if got := fyne.CurrentApp().Clipboard().Content(); got != "syn1" {
		t.Errorf("on the clipboard is %q", got)
	}
	w.Tap("Copy the key")
	if got := fyne.CurrentApp().Clipboard().Content(); got != "PEM\n" {
		t.Errorf("on the clipboard is %q", got)
	}
	s.expect(t, "key")
}

// A project is asked for, and its steps are seen.
func TestAProjectIsMade(t *testing.T) {
	s, p, w := look(t)
	choose(w, "gait")
	w.Expect("This study is not configured for v3 export: its records stay here. “Create project” makes what is missing.")
	s.details["gait"] = view.StudyDetail{ID: "gait", App: "walk", Export: true, Project: view.ProjectLine{
		State: "waiting", Cause: core.ReasonRepositoryAway, Steps: []view.ProjectStep{{Name: "team", State: "done"}, {Name: "project", State: "stopped"}, {Name: "raw", State: "ahead"}}}}
	w.Tap("Create project")
	p.Update()
	w.Settle()
	w.Expect("Done: the team that may see it", "Stopped: the project", "Not yet: the folder of the files", "It is not made yet: the repository cannot be reached.")
	w.Golden("waiting")
	s.expect(t, "project gait")
}

// Who is typed is asked for, and given access; what came of that is said.
func TestAccess(t *testing.T) {
	s, _, w := look(t)
	button := func(name string) *page.Button {
		return pagetest.Find(w, func(b *page.Button) bool { return b.Text == name })[0]
	}
	if !button("Copy the text").Disabled() {
		t.Error("a request for nobody can be copied")
	}
	entry := pagetest.Find(w, func(*page.Entry) bool { return true })[0]
	entry.SetText(" jo.researcher ")
	w.Expect("Please give the account jo.researcher access to the project of the study sleep (app walk, project syn1). It will manage the project.")
	w.Tap("Copy the text")
	if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasPrefix(got, "Please give the account jo.researcher") {
		t.Errorf("on the clipboard is %q", got)
	}
	w.Tap("Record that it was asked")
	w.Tap("Grant") // of the first who asked
	w.Expect("ana may read it.")
	s.fails = errors.New("The repository knows no such account.")
	w.Tap("Grant")
	w.Expect("The repository knows no such account.")
	s.expect(t, "request sleep jo.researcher", "grant sleep ana")
}

// Where the repository has no accounts nothing is granted, but noted.
func TestAccessWhereThereAreNoAccounts(t *testing.T) {
	s, p, w := look(t)
	folder := s.details["sleep"]
	folder.Configuration.Project = "sleep"
	folder.Access = []view.AccessLine{{Account: "ana", RequestedOn: pagetest.Noon}, {Account: "jo", GrantedOn: pagetest.Noon}}
	s.details["sleep"] = folder
	p.Update()
	w.Settle()
	if len(pagetest.Find(w, func(b *page.Button) bool { return b.Text == "Grant" })) > 0 {
		t.Error("it offers to grant what it cannot")
	}
	w.Expect("jo: noted 12:00:00, opened by the repository’s own means.")
	w.Tap("Note that it is open to them")
	s.expect(t, "grant sleep ana")
}

// What came of a document is said in sight, below the button that it was taken by, and with
// an icon where it was refused.
func TestWhatCameOfADocumentIsSeen(t *testing.T) {
	s, p, w := look(t)
	s.fails = errors.New("It is no key.")
	p.ImportKey(io.NopCloser(strings.NewReader("PEM")))
	w.Settle()
	said := pagetest.Find(w, func(l *widget.Label) bool { return strings.HasSuffix(l.Text, "It is no key.") })[0]
	driver := fyne.CurrentApp().Driver()
	place := func(o fyne.CanvasObject) float32 { return driver.AbsolutePositionForObject(o).Y }
	window := driver.CanvasForObject(said)
	for _, high := range []float32{700, 400} {
		driver.AllWindows()[0].Resize(fyne.NewSize(1000, high))
		p.ImportKey(io.NopCloser(strings.NewReader("PEM")))
		w.Settle()
		if at := place(said); at < 0 || at+said.Size().Height > window.Size().Height {
			t.Errorf("in a window of %v it stands at %v", window.Size(), at)
		}
	}
	button := pagetest.Find(w, func(b *page.Button) bool { return b.Text == "Import a schema…" })[0]
	if place(said) > place(button) {
		t.Error("it stands below other buttons")
	}
	warning := pagetest.Find(w, func(i *widget.Icon) bool { return i.Resource.Name() == theme.WarningIcon().Name() })
	if len(warning) != 1 {
		t.Errorf("%d icons warn", len(warning))
	}
}

// Documents are taken, or what is wrong in them is said.
func TestDocuments(t *testing.T) {
	s, p, w := look(t)
	file := func(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }
	p.ImportSchema(file("{}"))
	w.Settle()
	w.Expect("Schema walk, revision 2, is there, with 0 fields.")
	p.ImportTimeline(file("[]"))
	w.Settle()
	w.Expect("The timeline of study sleep is in place: 3 sessions at 0 times. Devices get it when they next ask.")
	p.ImportKey(file("PEM"))
	w.Settle()
	w.Expect("The key with the serial number 6b is kept. What was encrypted to it can be opened now: “Process again” on the page “Uploads”.")
	s.fails = errors.New("sessions cannot be empty")
	p.ImportTimeline(file("[]"))
	w.Settle()
	w.Expect("It was not taken, and nothing changed. sessions cannot be empty")
	s.expect(t, "schema {}", "timeline sleep []", "key PEM")
}

// A study is made and opened; an id that cannot be is told.
func TestANewStudy(t *testing.T) {
	s, _, w := look(t)
	w.Tap("New study…")
	entries := pagetest.Find(w, func(*page.Entry) bool { return true })
	name, id := entries[1], entries[2]
	const wrong = "Use 2 to 60 signs of a to z (no capitals), 0 to 9 and -, the first one a letter or a digit."
	if w.Write("S"); id.Text != "" || w.Says(wrong) {
		t.Errorf("after one letter the id is %q", id.Text)
	}
	w.Write("leep")
	w.Expect("There is a study of this id; choose another.")
	w.Tap("Create")
	w.Expect("New study", "There is a study of this id; choose another.") // it stays
	id.SetText("Balance")
	w.Expect(wrong)
	id.SetText("balance")
	s.fails = errors.New("The disk is full.")
	w.Tap("Create")
	w.Expect("The disk is full.")
	s.fails, s.asked = nil, nil
	fyne.CurrentApp().Driver().CanvasForObject(name).Focus(name)
	name.SetText("")
	w.Write("Balance of elders")
	w.Press(fyne.KeyReturn)
	s.expect(t, "create balance Balance of elders")
	w.Expect("This study is not configured for v3 export: its records stay here. “Create project” makes what is missing.")
}

// Another study is seen from its beginning, wherever the one before was left.
func TestAnotherStudyIsSeenFromItsBeginning(t *testing.T) {
	_, _, w := look(t)
	for _, window := range fyne.CurrentApp().Driver().AllWindows() {
		window.Resize(fyne.NewSize(1100, 300))
	}
	columns := pagetest.Find(w, func(*page.Scroll) bool { return true })
	canvas := fyne.CurrentApp().Driver().CanvasForObject(columns[0])
	offset := func() float32 {
		return pagetest.Find(w, func(s *container.Scroll) bool { return s.Size() == columns[0].Size() })[0].Offset.Y
	}
	canvas.Focus(columns[0])
	if w.Press(fyne.KeyEnd); offset() == 0 {
		t.Fatal("there is nothing to scroll")
	}
	studies := pagetest.Find(w, func(s *page.Select) bool { return len(s.Options) > 1 && s.Selected == s.Options[0] })[0]
	studies.SetSelected(studies.Options[1])
	if w.Settle(); offset() != 0 {
		t.Errorf("it is seen from %v", offset())
	}
}

// The id is proposed after the name, until someone types one; where they take that back, it
// is proposed again.
func TestTheIDIsProposed(t *testing.T) {
	_, _, w := look(t)
	w.Tap("New study…")
	entries := pagetest.Find(w, func(*page.Entry) bool { return true })
	name, id := entries[1], entries[2]
	for _, step := range []struct {
		field      *page.Entry
		text, want string
	}{
		{name, "Équilibre, No. 2", "equilibre-no-2"}, {id, "walks", "walks"}, {name, "Walks of elders", "walks"},
		{id, "", ""}, {name, "Walks", "walks"}, {name, "", ""},
	} {
		if step.field.SetText(step.text); id.Text != step.want {
			t.Errorf("after %q the id is %q, not %q", step.text, id.Text, step.want)
		}
	}
}
