// Package uploads answers the routes about uploads: the slot, the PUT, complete,
// status, lists and views.
//
// It promises that a PUT is answered 200, 403, 409 or 503 and nothing else, and
// that no upload is shown to anyone but its owner and those whose role allows
// it. What happens to an upload is decided in core/upload; rows are read through
// the interfaces declared here.
package uploads
