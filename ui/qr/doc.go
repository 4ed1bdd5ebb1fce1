// Package qr draws a text as a QR code: for a terminal, and as an image for the window.
// It is pure, and promises the white border that cameras need.
package qr
