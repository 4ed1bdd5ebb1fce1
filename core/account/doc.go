// Package account answers who is calling and what they may do: sign-in,
// sessions, roles.
//
// It promises that passwords are kept as argon2id hashes only, that a session
// token is never stored but by its hash, that a wrong name and a wrong password
// look and last the same, and that guessing is slowed per account and address
// without holding up anyone else.
//
// Accounts and sessions come from the store through the interfaces declared
// here; callers are app/api and nobody else.
package account
