// Package store keeps everything that must not be lost: uploads and their
// bytes, accounts, participant versions, studies, and the journal of every
// export. It holds all transactions and the bell, and satisfies the interfaces
// that core/upload, core/account, core/participant, core/process and sync/push
// declare, without knowing them.
//
// It promises that what it acknowledged survives any crash, that each
// transaction takes effect whole or not at all, and that after a crash all work
// that was due is due again. It never decides anything: rules come in as pure
// functions and are run inside a transaction.
//
// # The write path
//
// Two designs were measured beside each other (make bench, 16 devices, 64 KiB
// bodies, slot + PUT + complete): one file per upload (temporary file, sync,
// rename, folder sync, then the row), and one log in which rows and small bodies
// share a sync. The second is what small uploads take here: the sync is the
// cost, and the log lets sixteen devices share one. Uploads over 256 KiB gain
// nothing from sharing and get a file of their own, written as the first design
// says, with the row in the log after it. A slot is not synced at all: when a
// power cut takes it, the device's PUT is refused and it asks again, with its
// bytes still in its hands.
package store
