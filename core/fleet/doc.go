// Package fleet is the devices in the field: how one is paired, and what is known of
// them.
//
// It promises that a pairing's code is redeemed once, by one device, before it
// expires; that codes cannot be guessed (see code.go); that the code and the password
// that a device is given are kept as hashes alone; and that to note which devices are
// here costs no request anything: it is gathered in memory and written beside.
//
// What it knows goes to the store through the interfaces declared here. Callers are
// app/api and app/appliance.
package fleet
