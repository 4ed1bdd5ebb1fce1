// Package studies answers the routes about studies: their settings, their
// projects in the repository, and the certificate that devices encrypt to.
//
// It promises that a project may be asked for again after any failure. Rows are
// read and written, and projects made, through the interfaces declared here.
package studies
