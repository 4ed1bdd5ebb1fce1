// Package ui is the window: its pages side by side, one of them open. The pages draw
// what ui/view says, and forward what a person asks for.
//
// It promises to keep nothing, to decide nothing and to wait for nothing: what is
// asked of the appliance is asked by Run, outside of the drawing, and what comes of
// it is shown by one fyne.Do. It starts no goroutine and opens no display: the app
// that it is given does.
package ui
