// Package work repeats a step until it is told to stop: while there is
// something to do, when the bell rings, and in any case after a slow tick.
//
// It promises that a step that fails is not hammered, that a step that panics
// ends neither the loop nor the program, and that Run returns soon after its
// context ends. It knows nothing of what a step does.
package work
