package ui

// The rules here are: what is chosen in the settings is spoken at once, by the page that
// is open; and a question that waits for its answer is not taken away.

// spoken looks what language the site speaks to staff now, outside of the drawing, and
// gives what has the window speak it.
func (w *Window) spoken() (speak func()) {
	if w.speaks == nil {
		return func() {}
	}
	spoken, appliance, ok := w.speaks()
	return func() {
		if !ok || spoken.Code() == w.frame.Code() || !w.closeMenus() {
			return // a dialog is open: the next look finds the same
		}
		w.frame.Speak(spoken)
		w.appliance = appliance
		w.build()
		w.turn(w.open)
		w.frame.Tell(w.frame.Say("settings.saved", "name", w.frame.Say("setting.language.name")))
	}
}
