// Package upload holds the rules of an upload's life: which state follows
// which, and the Desk where devices ask for a slot, hand in bytes and say that
// they are done.
//
// It promises that a caller is told "received" only after the Ledger and the
// Bytes behind it said that bytes and row are durable, that facts are frozen
// exactly once, and that asking twice does nothing twice. It never opens the
// bytes: that is core/process.
//
// Requests come from app/api, and files that are here already from app/inbox;
// uploads go to the store through the interfaces
// declared here.
package upload
