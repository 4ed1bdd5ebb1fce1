// Package control serves the API over a socket that only this machine's user
// can reach, for the command line and an attached window, and calls it there.
//
// It promises that whoever can open the socket is the operator: it lies in the
// home folder, or where that path is too long, in the user's runtime folder, with
// mode 0600.
package control
