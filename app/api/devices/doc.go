// Package devices answers the routes about devices in the field, for which Bridge has
// no word: a code that pairs one, its redeeming, and the list of those that there are.
//
// It promises that a code is told once, to the administrator who made it, and that
// what redeems it needs nothing else. Codes go to core/fleet, accounts are read through
// the interface declared here.
package devices
