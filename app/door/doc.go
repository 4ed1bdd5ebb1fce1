// Package door is where requests come in: it listens for devices, over TLS with
// the site's own certificate, and keeps the door where the settings want it.
//
// It promises that requests which came through a door are finished when it
// closes or moves, that a place which cannot be taken leaves the door where it
// was, and that whoever is slow to ask is not waited for for ever. What is
// answered is the handler's business, and nothing is printed here.
package door
