// Package api is the HTTP API that devices, researchers' tools, the command
// line and the window speak: wire types, routes, and one place where errors
// become status codes.
//
// It promises the contract of the original service where clients depend on it,
// that a PUT is answered 200, 403, 409 or 503 and nothing else, and that no
// answer carries a health code, a key or a password to someone who may not see
// it. Rules live in core; nothing is decided here but who is asking.
//
// Requests come from the LAN (over TLS) or from the control socket; the latter
// are the operator's. Calls go to core and to the store through the interfaces
// declared here.
package api
