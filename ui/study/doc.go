// Package study is the page of the window on studies: what their export is configured
// to, and what a coordinator does for one before its data can be used: have its project
// made, let people see it, give apps the key, and say what uploads look like.
//
// It promises to decide nothing: what is said is ui/view's.
package study
