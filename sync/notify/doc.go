// Package notify tells receivers what happened: a POST of the notice's JSON to each
// subscription's endpoint, signed as Standard Webhooks says, so that receivers know
// who it is from and can drop what comes twice.
//
// It promises that a notice is told at least once, by the same id each time, for as
// long as it takes; that a receiver which is away or refuses holds up no other and
// is asked again gently; that redirects are not followed and answers not kept; and
// that no error names more of an endpoint than an address. The order of notices is
// not promised.
//
// Deliveries are claimed from and settled in the store through Outbox.
package notify
