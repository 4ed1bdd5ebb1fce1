// Package pane is what the window and the board look through: it asks an appliance
// over its control socket, whether that runs in this program or in another one.
//
// It promises to keep nothing. What it is told comes from the local routes of
// app/appliance and goes to ui and app/board; what it says of trouble is a sentence
// for people.
package pane
