package ui

import (
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// The rules here are: the tray says how the site is, by shape and by colour; while the
// site is served from here, a window that is closed goes into the tray; and the desktop
// is told only that a person is needed, once for each new need, without a name of
// anybody.

// Tray is where a desktop shows what goes on without a window (desktop.App). Its methods
// belong to the thread that draws.
type Tray interface {
	SetSystemTrayMenu(menu *fyne.Menu)
	SetSystemTrayIcon(icon fyne.Resource)
}

// tray is what the window shows there.
type tray struct {
	w     *Window
	to    Tray // nil: there is none
	front view.TrayFront
	needs []view.Need // that the desktop was told of
	seen  bool        // the needs are known
}

// trayTold says in the preferences that someone knows where the window goes.
const trayTold = "tray.told"

// begin shows that nothing is known yet. A desktop gives no room to an app that first
// asks for it while it runs.
func (t *tray) begin() { t.put(view.TrayFront{Sentence: t.w.frame.Say("window.asking")}) }

// Reserve has a desktop make room in its tray for the window that a guide leads to. Until
// that is there, the guide can be opened and ended there.
func Reserve(to Tray, t tongue.Tongue, open, quit func()) {
	ends := fyne.NewMenuItem(t.Say("tray.quit"), quit)
	ends.IsQuit = true
	to.SetSystemTrayIcon(trayIcon(""))
	to.SetSystemTrayMenu(fyne.NewMenu(title, fyne.NewMenuItem(t.Say("tray.open"), open), fyne.NewMenuItemSeparator(), ends))
}

// draw shows how the site is.
func (t *tray) draw(site view.Site) {
	reader := t.w.frame.Reader()
	if site.Trouble == "" {
		t.notify(view.NewFront(site.Overview, reader).Needs)
	}
	if front := reader.Tray(site); front != t.front {
		t.put(front)
	}
}

func (t *tray) put(front view.TrayFront) {
	t.front = front
	if t.to != nil {
		t.to.SetSystemTrayIcon(trayIcon(front.State))
		t.to.SetSystemTrayMenu(t.menu())
	}
}

// menu is what the tray offers.
func (t *tray) menu() *fyne.Menu {
	f, a := t.w.frame, t.w.appliance
	sentence := fyne.NewMenuItem(t.front.Sentence, t.w.raise)
	now := fyne.NewMenuItem(f.Say("sending.now"), func() { f.Do(a.Now, f.Say("sending.tried")) })
	now.Disabled = t.front.Paused
	pause := fyne.NewMenuItem(f.Say("sending.pause"), func() { f.Do(a.Pause, f.Say("sending.paused")) })
	if t.front.Paused {
		pause = fyne.NewMenuItem(f.Say("sending.resume"), func() { f.Do(a.Resume, f.Say("sending.resumed")) })
	}
	quit := fyne.NewMenuItem(f.Say("tray.quit"), t.w.quit)
	quit.IsQuit = true
	return fyne.NewMenu(title,
		sentence, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(f.Say("tray.open"), t.w.raise),
		now, pause, fyne.NewMenuItemSeparator(), quit)
}

// notify tells the desktop that a person is needed, where something new needs one. What
// is there when the window opens, its reader sees.
func (t *tray) notify(needs []view.Need) {
	before, seen := t.needs, t.seen
	t.needs, t.seen = needs, true
	if !seen && !t.w.hidden || !view.NewNeed(before, needs) {
		return
	}
	f := t.w.frame
	f.App.SendNotification(fyne.NewNotification(f.Say("tray.needs_title"), f.Count("tray.needs", len(needs))))
}

// trayIcon is the state by its shape, and by its colour.
func trayIcon(state string) fyne.Resource {
	switch state {
	case "ok":
		return theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case "working":
		return theme.NewColoredResource(theme.UploadIcon(), theme.ColorNamePrimary)
	case "waiting":
		return theme.NewWarningThemedResource(theme.HistoryIcon())
	case "needs_person", "refused":
		return theme.NewErrorThemedResource(theme.WarningIcon())
	}
	return theme.NewThemedResource(theme.QuestionIcon())
}

// raise shows the window.
func (w *Window) raise() {
	w.hidden = false
	w.frame.Window.Show()
	w.settle()
	w.frame.Window.RequestFocus()
	w.Refresh()
}

// hide puts the window into the tray.
func (w *Window) hide() {
	w.remember()
	w.hidden, w.settled = true, false // desktops place what they show again
	w.frame.Window.Hide()
}

// quit ends the program, as far as it is this window's.
func (w *Window) quit() {
	w.remember()
	w.frame.Window.Close()
	w.frame.App.Quit()
}

// toTray hides the window; the first time it says where it goes.
func (w *Window) toTray() {
	preferences := w.frame.App.Preferences()
	if preferences.Bool(trayTold) {
		w.hide()
		return
	}
	w.closing = true
	w.frame.Inform(title, w.frame.Say("tray.hidden"), w.frame.Say("tray.understood"), func() {
		w.closing = false
		preferences.SetBool(trayTold, true)
		w.hide()
	})
}
