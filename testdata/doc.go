// Package testdata holds what the tests of several rooms share: the vectors, the test
// keys and a packer of bundles. For tests alone; nothing else imports it.
package testdata
