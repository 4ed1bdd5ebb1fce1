// Package appliance is an open home with everything that works on it: the one
// place where the rooms of the house are put together.
//
//	Make    makes a home, or finishes one that was begun
//	Open    takes a home's lock and opens what lies in it
//	Run     serves the control socket and lets the workers work, until a function returns
//	Close   puts everything down
//
// It promises that a home is open once at a time, that whatever Run began has
// ended when it returns, that settings which change are taken up while it runs,
// and that work which can wait gives way to devices. It prints nothing, knows no
// flags and no signals: what cannot be returned as an error goes to the home's
// log, without participant data, keys or signed URLs.
//
// Whatever is kept lies in the home folder: settings, keys, log, store, control
// socket. Records leave it for the repository that the settings name. Where
// devices come in is the caller's to choose: Handler answers at any door. What the command
// line and the window ask for beyond the API of old is answered by the rooms of app/local.
package appliance
