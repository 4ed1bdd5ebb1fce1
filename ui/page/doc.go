// Package page is what the screens of the window stand on: the Frame that they ask,
// speak and act through, and the pieces that they are drawn with.
//
// It promises that whatever can have the cursor leaves the window its keys and is brought
// into sight; that what is laid out here is as wide as its place, however large the text is;
// and that a page waits for nothing: what it asks of the appliance is asked by Step, outside
// of the drawing, and what comes of it is shown by one fyne.Do. It starts no goroutine,
// knows no page and no appliance.
package page
