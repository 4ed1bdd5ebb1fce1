// Package rows keeps named buckets of rows and makes many transactions durable
// with one sync.
//
// A transaction is appended to the segment log, together with the small body it
// brings; it is durable once the log is synced, and whatever waits meanwhile
// shares the next sync. The rows themselves are seen at once, in memory, and are
// carried into bbolt behind the log, in few large transactions that are synced
// like any other. Recovery never depends on bbolt having been written last: Open
// replays the log from the position that bbolt holds.
//
// It promises that transactions take effect one after the other, each whole or
// not at all, and that a durable one implies every one before it. A transaction
// that asks for no durability (what can be asked for or computed again) is seen
// at once and becomes durable with the next one that does. A durable transaction
// that its function refuses has no effect, but what the function saw is durable
// when the refusal is told: "it is here already" is a promise too.
//
// Two goroutines run here until Close: one executes transactions, one syncs. A
// third carries rows into bbolt.
package rows
