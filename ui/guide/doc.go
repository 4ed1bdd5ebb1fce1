// Package guide is the window of a first run: it leads a person who knows nothing of
// servers from no home at all to a site that serves, screen by screen, and to a first
// upload that they can watch arrive.
//
// It promises to make nothing before the person says so on the last screen but one, and
// to decide nothing: what is asked and what is wrong with an answer is ui/view/plan's,
// and whoever made it founds the site.
package guide
