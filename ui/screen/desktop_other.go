//go:build windows || darwin

package screen

import "fyne.io/fyne/v2"

// Desktop is the desktop that this program's windows are on. The zero value works.
type Desktop struct{}

// Where knows no window's place here.
func (d *Desktop) Where(fyne.Window) (x, y int, ok bool) { return 0, 0, false }

// Fills knows of no window that it does.
func (d *Desktop) Fills(fyne.Window) bool { return false }

// Put leaves a window where the desktop puts it.
func (d *Desktop) Put(fyne.Window, int, int) bool { return true }
