// Package board shows in a terminal how an appliance is doing, as the first page of the
// window does, and goes on showing it as that changes.
//
// It promises to fit into the terminal, to say nothing by colour or by signs alone, to
// look at most a few times a second, and to leave the terminal as it was. What it shows
// comes from a feed, app/pane, in the sentences of ui/view; it asks no appliance itself.
package board
