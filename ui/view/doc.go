// Package view turns a snapshot of the appliance into rows and sentences that
// people read, in the window and on the command line.
//
// It promises to be pure: the same snapshot gives the same words, and nothing is
// drawn, asked or stored here.
package view
