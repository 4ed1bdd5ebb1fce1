// Package cms opens what a device sealed for this home: CMS enveloped data
// (RFC 5652) and authenticated enveloped data (RFC 5083), and seals the same
// for tests and tools.
//
// Bytes come from an io.Reader and go to an io.Reader. A message of any size
// passes through the same few hundred kilobytes; nothing is written to disk
// and no goroutine starts. Every BER form is taken, because devices that
// stream cannot know lengths beforehand.
//
// The plaintext of a message is to be trusted only once Read has returned
// io.EOF. Until then more may come that shows the message to be damaged, and
// what was read has to be thrown away.
//
// Damage of any kind has one outcome, ErrDamaged, so that nobody learns from
// it how far a forged message got. An error of the reader that the message
// comes from is no verdict about the message; it comes through as it is.
//
// CBC, which devices use, does not authenticate. Some damage only shows in
// what was inside, so the caller has to check that too. And verdicts about many
// alterations of one message tell what it holds, to whoever may ask often
// enough: they all have the same Envelope, by which the caller can count them.
package cms
