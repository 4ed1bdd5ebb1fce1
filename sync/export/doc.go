// Package export says how one upload looks once it has left the site: where
// its file lies, which annotations it carries, and its row in the file view.
//
// It is pure: the same upload and the same time of export give the same
// bytes, so a step that is run again has no second effect. It reads no clock,
// no file and no network. What it takes comes from the store; what it gives
// goes to the repository through sync/push.
package export
