// Package studies answers the routes about one study's project in the repository: how
// far it is, who may see it, and credentials that read its data for some hours.
//
// It promises that nobody is let in but on a person's word, that who asked and who was
// let in is kept, and that credentials show nothing of themselves where they are printed
// or logged. Projects are made by app/projects; who is let in is kept in the store.
package studies
