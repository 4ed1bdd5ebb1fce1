// Package lists answers the routes by which people look at what is here: uploads and a
// study's participants, page by page; one of them with all that is known; and the file
// view of a study, joined with Participant Versions.
//
// It promises that a page costs no more however many there are, and that what a record
// waits for is told with it. It changes nothing. Rows come from the store; what is said
// of them, in the language of whoever reads it, comes from ui/view.
package lists
