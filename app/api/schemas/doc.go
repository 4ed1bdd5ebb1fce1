// Package schemas answers the routes about schemas and surveys, which legacy
// bundles are described by.
//
// It promises that developers alone change them, and administrators alone remove
// them for good; that participants see surveys one at a time, as their app asks
// for them; and that a document is kept whole or refused with every reason. What
// may follow what is decided by core/library.
package schemas
