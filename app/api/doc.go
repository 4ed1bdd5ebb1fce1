// Package api is the HTTP API that devices, researchers' tools, the command
// line and the window speak. The routes live in the rooms beside it; here they
// are put behind one door, with what every request passes.
//
// It promises the contract of the original service where clients depend on it,
// and that no answer carries a health code, a key or a password to someone who
// may not see it. Rules live in core; nothing is decided here but who is asking.
//
// Requests come from the LAN (over TLS) or from the control socket; the latter
// are the operator's. Calls go to core and to the store through the interfaces
// that the rooms declare.
package api
