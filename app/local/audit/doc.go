// Package audit answers the routes that tell who did what on this site, page by page or
// all of a time at once.
//
// It promises that every deed is told with the people whom it names as staff know them,
// where they are here still. It changes nothing: deeds are noted by those who answer
// what is asked of them.
package audit
