package site

import (
	"reflect"

	"footbridge/ui/page"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Sending answers whether what is here gets to the repository, and if not, why.
type Sending struct {
	f            *page.Frame
	front        view.Front
	known        bool // how the site is
	pause        *page.Button
	resume       *page.Button
	now          *page.Button
	needs        *needs
	needy        bool // a destination needs a person
	destinations *fyne.Container
	nobody       fyne.CanvasObject // says that nothing needs a person
	parked       *uploads.List
	retry        *page.Button
	needed       *fyne.Container // the records that need a person; where none does, the rest has its room
	panes        *container.Split
	comparison   *comparison
	regrets      *regrets
	all          fyne.CanvasObject
}

// NewSending makes the page; the records that need a person are listed from a source, and
// open on the page of the uploads; what else needs one leads to the page where that is put
// right.
func NewSending(f *page.Frame, sender Sender, comparer Comparer, withdrawer Withdrawer, source uploads.Source, all *uploads.Page, places map[view.Place]page.Page) *Sending {
	s := &Sending{f: f, needs: newNeeds(f, all, places), destinations: container.NewVBox(), comparison: newComparison(f, comparer), regrets: newRegrets(f, withdrawer)}
	s.regrets.changed = s.showNobody
	s.pause = page.NewButton(f, f.Say("sending.pause"), theme.MediaPauseIcon(), func() { f.Do(sender.Pause, f.Say("sending.paused")) })
	s.resume = page.NewButton(f, f.Say("sending.resume"), theme.MediaPlayIcon(), func() { f.Do(sender.Resume, f.Say("sending.resumed")) })
	s.now = page.NewButton(f, f.Say("sending.now"), theme.UploadIcon(), func() { f.Do(sender.Now, f.Say("sending.tried")) })
	s.parked = uploads.NewList(f, source, "parked", f.Say("sending.none"), func(row view.UploadRow) { all.OpenUpload(row.ID) })
	s.parked.Query.Standing = view.StandingPerson
	s.retry = page.NewButton(f, f.Say("parked.retry_all"), theme.ViewRefreshIcon(), func() { f.Do(sender.RetryAll, f.Say("parked.retried_all")) })
	head := page.NewCells([]page.Column{{Least: 20, Grow: 1}, {Least: 9}}, page.Heading(f.Say("sending.parked")), s.retry)
	s.needed = container.NewBorder(head, nil, nil, nil, s.parked.Content())
	s.nobody = page.Marked(theme.ConfirmIcon(), page.Plain(f.Say("sending.none")))
	s.needed.Hide()
	s.nobody.Hide()
	rest := page.NewScroll(f, f.Say("sending.name"), container.NewVBox(s.needs.all, s.regrets.all, s.destinations, s.nobody, widget.NewSeparator(), s.comparison.all))
	s.panes = container.NewVSplit(s.needed, rest) // in sight where the text is so large that the page scrolls
	s.panes.Offset = 0.4
	s.all = container.NewBorder(page.Buttons(s.pause, s.resume, s.now), nil, nil, nil, s.panes)
	return s
}

// Name is what the page is called, and its icon (page.Page).
func (s *Sending) Name() (string, fyne.Resource) { return s.f.Say("sending.name"), theme.UploadIcon() }

// First is the list of what needs a person, where something does (page.Page).
func (s *Sending) First() fyne.Focusable {
	if s.needed.Hidden {
		return nil
	}
	return s.parked.First()
}

// Content is what is drawn (page.Page).
func (s *Sending) Content() fyne.CanvasObject { return s.all }

// Update reads what needs a person again, and how far the comparison is (page.Page).
func (s *Sending) Update() {
	s.parked.Update()
	s.comparison.update()
	s.regrets.update()
}

// Show draws the destinations where something changed.
func (s *Sending) Show(site view.Site) {
	if site.Overview.State == "" {
		return
	}
	first := !s.known
	s.known = true
	page.Enable(s.pause, !site.Overview.Paused)
	page.Enable(s.resume, site.Overview.Paused)
	page.Enable(s.now, !site.Overview.Paused)
	var needs []view.Need
	needs, s.needy = site.Overview.SendingNeeds()
	s.needs.show(needs)
	s.showParked(site.Overview.Queues.Parked > 0)
	front := s.f.Reader().Front(site)
	if !first && reflect.DeepEqual(front, s.front) {
		return
	}
	s.front = front
	s.destinations.Objects = nil
	for _, card := range front.Destinations {
		s.destinations.Add(drawCard(card))
	}
	if len(front.Destinations) == 0 {
		s.destinations.Add(page.Plain(s.f.Say("sending.nowhere")))
	}
	s.destinations.Refresh()
}

// showParked gives what needs a person a pane of its own where something does.
func (s *Sending) showParked(some bool) {
	if some == s.needed.Hidden {
		s.needed.Hidden = !some
		s.panes.Refresh()
	}
	s.showNobody()
}

// showNobody says that nothing needs a person where that is known, and nothing does.
func (s *Sending) showNobody() {
	if s.known && !s.needy && s.needed.Hidden && len(s.regrets.known) == 0 {
		s.nobody.Show()
	} else {
		s.nobody.Hide()
	}
}
