// Package mending answers the routes by which a repository is compared with what it
// should hold, and mended.
//
// It promises that nothing is changed but on a person's word, that what is mended goes
// the way of every record, and that one comparison goes on at a time, whoever asked for
// it. What is wrong is found by sync/reconcile; what is to be sent again is told to the
// store, and is sent by those who send.
package mending
