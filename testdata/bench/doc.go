// Command bench measures Footbridge beside its peers, in one run on one
// machine, and prints ratios. A comparison that falls short is printed like any
// other.
//
// It is a module of its own, so that the peers never become dependencies of the
// product. Devices, Footbridge and tusd are three processes; everything lies in
// one scratch folder, which is removed at the end.
package main
