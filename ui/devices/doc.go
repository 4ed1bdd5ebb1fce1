// Package devices is the page of the window on the devices in the field: which there
// are, when each was here last, and how one more is paired. The Panel that pairs one is
// for other pages, too.
//
// It promises that a code is on the screen only as long as it is asked for. What it
// shows comes from a Source, which does what is asked for there, too; what is said of
// it is ui/view's.
package devices
