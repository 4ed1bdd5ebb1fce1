// Package awake keeps the machine from falling asleep by itself while data moves.
//
// It promises to let go a little after all is still, and never to be the reason that
// anything fails: where the machine takes no such wish, that is told once. Whether
// data moves it is told by whoever moves it. Closing the lid is a person's word, and
// stands above it. On Linux it is tested against a bus; on macOS and Windows it is
// built and was never tried.
package awake
