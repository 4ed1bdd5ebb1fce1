// Package founder makes a site for a person who is led through it by the window
// (ui/guide), serves it, and sends a test upload there as a device does.
//
// It promises that a home is made wholly or not at all, by the code that init uses, and
// that what it sends goes through the real API at a real door. It keeps no answer: what
// a person typed comes with each call.
package founder
