// Package settings is the page of the window on what a site chose: every setting with what
// it does, checked as it is typed, and how this window looks.
//
// It promises to decide nothing: what is right is the appliance's to say, and nothing is
// changed before it said so. It never shows or takes a key or a password.
package settings
