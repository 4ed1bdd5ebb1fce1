// Package people is the page of the window on which a study's participants are found:
// who is late, what is known of each, and what changed from version to version. There
// they are created, changed, enrolled and withdrawn, and their consent is recorded.
//
// It promises that the list has what someone scrolled to and not much more, however
// many participants there are, and that what was typed stays in its dialog until it is
// done. What it shows comes from a Source; a Clerk does what is asked for.
package people
