// Package participant creates and changes accounts, and derives the next
// immutable participant version from a change.
//
// It promises that a version is made for every visible change and for no other,
// that versions count from 1 without a gap, and that what is refused names each
// field and what is wrong with it. Forms come from app/api, accounts go to the
// store through the interface declared here.
package participant
