// Package call is one request and its answer: who is asking, what the request
// says, and how a result or an error is written.
//
// It promises that every answer is JSON with a type, that there is one place
// where an error becomes a status and words, and that no error carries what a
// caller may not see. It decides nothing about health data: rules live in core,
// and routes in the rooms beside this one.
package call
