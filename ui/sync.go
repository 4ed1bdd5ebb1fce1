package ui

import (
	"reflect"

	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// sending answers whether what is here gets to the repository, and if not, why.
type sending struct {
	w            *Window
	front        view.Front
	read         bool
	pause        *widget.Button
	resume       *widget.Button
	destinations *fyne.Container
	parked       *pager
	all          fyne.CanvasObject
}

func newSync(w *Window) *sending {
	s := &sending{w: w, destinations: container.NewVBox()}
	s.pause = widget.NewButtonWithIcon(view.LabelPause, theme.MediaPauseIcon(), func() { w.do(w.commands.Pause, view.LabelPaused) })
	s.resume = widget.NewButtonWithIcon(view.LabelResume, theme.MediaPlayIcon(), func() { w.do(w.commands.Resume, view.LabelResumed) })
	now := widget.NewButtonWithIcon(view.LabelNow, theme.UploadIcon(), func() { w.do(w.commands.Now, view.LabelTried) })
	s.parked = newPager(w, "parked", view.LabelNoParked, func(row view.UploadRow) { w.uploads.open(row.ID) })
	s.parked.query.Standing = view.StandingPerson
	below := container.NewBorder(heading(view.LabelParked), nil, nil, nil, s.parked.all)
	split := container.NewVSplit(container.NewVScroll(s.destinations), below)
	split.Offset = 0.4
	s.all = container.NewBorder(container.NewHBox(s.pause, s.resume, now), nil, nil, nil, split)
	return s
}

func (s *sending) name() (string, fyne.Resource) { return view.LabelSync, theme.UploadIcon() }

func (s *sending) first() fyne.Focusable { return nil }

func (s *sending) content() fyne.CanvasObject { return s.all }

func (s *sending) update() { s.parked.update() }

// show draws the destinations where something changed.
func (s *sending) show(site view.Site) {
	if site.Overview.State == "" {
		return
	}
	if site.Overview.Paused() {
		s.pause.Disable()
		s.resume.Enable()
	} else {
		s.pause.Enable()
		s.resume.Disable()
	}
	front := view.NewFront(site.Overview, s.w.reader())
	if s.read && reflect.DeepEqual(front, s.front) {
		return
	}
	s.front, s.read = front, true
	s.destinations.Objects = nil
	for _, card := range front.Destinations {
		s.destinations.Add(drawCard(card))
	}
	if len(front.Destinations) == 0 {
		s.destinations.Add(plain(view.LabelNowhere))
	}
	s.destinations.Refresh()
}
