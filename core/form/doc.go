// Package form reads JSON documents that others wrote, value by value, and
// complains by path of what is wrong with them.
//
// It promises that one wrong value hides no other, that what is missing is told
// from what is wrong, and that there are never more complaints than a person
// reads. What a value means is up to whoever reads the document.
package form
