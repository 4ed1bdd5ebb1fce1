// Package help is the page of the window that answers what staff ask, without a network
// and without the appliance.
//
// It promises to ask nobody: all that it says is in ui/tongue's catalogue.
package help
