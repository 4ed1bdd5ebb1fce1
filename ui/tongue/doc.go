// Package tongue holds what Footbridge says to people in English, French, Spanish,
// Portuguese and Swahili: one catalogue for the window, the command line and the API.
//
// It promises that a sentence has one name wherever it is said, and that each is there
// in every language with the same places to fill (a test). The catalogue's files are
// catalogue/ROOM.LANGUAGE.json: names to texts, or to a text for one and one for many.
// What a program reads, it never changes: codes, ids, names of commands and fields.
package tongue
