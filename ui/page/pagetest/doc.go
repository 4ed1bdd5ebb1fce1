// Package pagetest looks at the window as a person does: it finds what is drawn, taps,
// types, and compares what is seen with what was. For tests alone.
package pagetest
