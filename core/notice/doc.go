// Package notice says what is told of records that reached the repository and of
// studies whose project was made, in the words of the original's messages, and
// which receivers may subscribe to it.
//
// It promises that a body has every field that the original requires and names
// nobody: no health code, no external id, no metadata. Pure, but for the secrets
// that it makes.
package notice
