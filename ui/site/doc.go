// Package site is the pages of the window on how the site is: whether all is fine
// (Overview), whether what is here gets to the repository (Sending), and who did what
// (Activity).
//
// It promises to decide nothing: what is said is ui/view's.
package site
