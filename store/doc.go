// Package store keeps everything that must not be lost: uploads and their
// bytes, accounts, participant versions, studies and their timelines, adherence
// records, schemas and surveys, pairings and devices, the journal of every export, and who is to be told
// of it. It holds all transactions and the bell, and satisfies the interfaces that
// core/upload, core/account, core/participant, core/schedule, core/library, core/fleet,
// core/process, sync/push and sync/notify declare, without knowing them.
//
// It promises that what it acknowledged survives any crash, that each
// transaction takes effect whole or not at all, and that after a crash all work
// that was due is due again. It never decides anything: rules come in as pure
// functions and are run inside a transaction.
//
// # The write path
//
// Two designs were measured beside each other (make bench; 16 writers, 64 KiB
// bodies, slot, bytes and complete at the desk; two cores, ext4):
//
//	                                     this disk      10 ms a sync
//	a file each: temporary file, sync,
//	rename, folder sync, then the row        760/s              38/s
//	one log for rows and small bodies,
//	one sync for whatever waits            2,600/s             550/s
//
// The sync is the cost, and the log lets sixteen devices share one; a sync waits
// a little for as many as shared the last. Small uploads take the log. Uploads
// over 256 KiB gain nothing from sharing and get a file of their own, written as
// the first design says, with the row in the log after it. A slot is not synced
// at all: when a power cut takes it, the device's PUT is refused and it asks
// again, with its bytes still in its hands.
package store
