// Package synapsetest is a stand-in for the Synapse repository, for tests: an
// HTTP server that holds its entities, annotations, files and tables in memory.
//
// It is strict: what the repository refuses, it refuses, with the same status
// and a reason of the same kind, and it knows no field that the repository does
// not know. It can be told to go wrong at one chosen call (see Fault), above all
// to have the effect and lose the reply. It keeps a journal of effects, so that
// a test can say "no second row". It never reads the clock for anything but
// throttling and the life of credentials, starts no goroutine of its own beside its server, and writes
// nothing to disk.
//
// What it does not play: versions of entities, derived annotations, wikis, and SQL beyond one SELECT with IN, = and ORDER BY on one table.
package synapsetest
