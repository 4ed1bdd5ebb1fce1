// Package login has Footbridge start when its user signs in to this computer. That is
// the user's own choice and needs nobody's permission; a service, which runs whoever
// is signed in, is something else.
//
// It promises that what it writes is removed by taking it back, and that a program
// which is gone by then keeps nobody from signing in. It writes one entry where the
// system looks for such, and reads it again; it starts nothing. What it writes is
// tested on Linux; on macOS and Windows it is built and was never tried.
package login
