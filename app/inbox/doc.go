// Package inbox takes in files that come by stick or share: a file that is put
// into the folder of a participant, inbox/<externalId>/, becomes an upload of
// theirs.
//
// It promises that a file is taken only once it has rested, so that a copy which is
// under way is not cut off; that the same bytes of a participant become one upload,
// however often they come and whenever the program ends; that a file which was
// taken lies in inbox/done/ and one that was refused in inbox/refused/, beside a
// text that says why; and that no file is ever deleted. It follows no links.
//
// Folders are watched, and looked through now and then as well, because shares on
// a network tell nothing of what happens in them. Files come from people and go to
// core/upload through the Desk declared here.
package inbox
