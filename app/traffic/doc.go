// Package traffic measures what leaves the site: which files are on their way and how
// far they are, and how much goes to each destination in a minute.
//
// It promises to keep all of it in memory, to hold nothing up (a chunk that is read
// costs one addition), and to change nothing of what it looks at: the outbox and the
// bytes that app/appliance gives to sync/push pass through it.
package traffic
