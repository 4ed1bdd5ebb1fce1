// Package studies answers the routes about studies: their settings, their
// projects in the repository, the certificate that devices encrypt to, and who is
// told of exports and of new studies.
//
// It promises that a project may be asked for again after any failure, and that a
// subscription's secret is shown to whoever made it, once. Rows are
// read and written, and projects made, through the interfaces declared here.
package studies
