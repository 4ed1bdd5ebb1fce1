// Command footbridge is the whole appliance in one program: it serves the
// upload API, processes what devices send, carries records to the repository,
// and is the command line that looks after all of it.
//
// Every command does its work through the same API as the devices: over the
// control socket of the appliance that runs on the home folder, or of one that
// the command starts in its own process and ends when it is done.
//
// Here are the commands, their flags and what they print. Signals and exit codes
// are handled here and nowhere else. What the appliance is, app/appliance says.
package main
