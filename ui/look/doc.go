// Package look is how the window looks: its colours, light and dark, and the size of its
// text, as whoever sits before it chose.
//
// It promises that all text has a contrast of at least 4.5:1 with what it stands on, also
// where that has the cursor, is pressed, chosen or not to be used now (a test).
package look
