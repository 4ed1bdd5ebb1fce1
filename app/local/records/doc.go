// Package records answers the routes by which people decide on records that are here:
// uploads are processed and sent again, records that need a person are sent again, and
// what was sent is taken back out of the repository.
//
// It promises that nothing is removed without a person's word, that what is asked for
// can be looked at first, and that a record which is withdrawn is never sent again. What
// is done says for the audit what it was done with. Uploads are redriven by core/upload;
// the rest is kept in the store, and removed from the repository that app/projects has.
package records
