// Package blob keeps large bodies, one file each, and computes digests.
//
// It promises that a file under its final name is whole and durable: it is
// written under a temporary name, synced, renamed, and its folder synced, in
// that order. What a dead writer left behind is swept away at the next Open.
//
// Bytes come from core/upload through the store and are read by core/process
// and the exporter. Nothing here knows what they mean.
package blob
