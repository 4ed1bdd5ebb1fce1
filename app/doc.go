// Command footbridge is the whole appliance in one program: it serves the
// upload API, processes what devices send, carries records to the repository,
// and is the command line that looks after all of it.
//
// Every command does its work through the same API as the devices: over the
// control socket of the appliance that runs on the home folder, or of one that
// the command starts in its own process and ends when it is done.
//
// This room wires the others together and is the only one that sees all of
// them. Signals, exit codes and logging are handled here and nowhere else.
package main
