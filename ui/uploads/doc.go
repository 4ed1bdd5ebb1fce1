// Package uploads is the page of the window on which an upload is found, understood and
// put right, and the list of uploads that other pages show too.
//
// It promises that a list has what someone scrolled to and not much more, however many
// uploads there are. What it shows comes from a Source, which does what is asked for
// there, too.
package uploads
