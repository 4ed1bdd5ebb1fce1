// Package settings is the page of the window on what a site chose: every setting with what
// it does, checked as it is typed; how this window looks, and whether it starts by itself.
//
// It promises to decide nothing: what is right is the appliance's to say, and nothing is
// changed before it said so. It never shows a key or a password.
package settings
