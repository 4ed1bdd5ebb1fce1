//go:build !windows && !darwin

package screen

import (
	"io"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xinerama"
	"github.com/jezek/xgb/xproto"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
)

// Desktop is the desktop that this program's windows are on. The zero value asks the X
// server that the environment names, once there is something to ask.
type Desktop struct {
	once sync.Once
	conn *xgb.Conn // nil: nobody answers
}

// Where gives the upper left corner of what a window shows, without its frame, in
// pixels of the desktop; false where the desktop does not tell, or shows no window.
func (d *Desktop) Where(window fyne.Window) (x, y int, ok bool) {
	handle, ok := d.handle(window)
	if !ok {
		return 0, 0, false
	}
	state, err := xproto.GetWindowAttributes(d.conn, handle).Reply()
	if err != nil || state.MapState != xproto.MapStateViewable {
		return 0, 0, false
	}
	at, err := xproto.TranslateCoordinates(d.conn, handle, d.root(), 0, 0).Reply()
	if err != nil {
		return 0, 0, false
	}
	return int(at.DstX), int(at.DstY), true
}

// Fills reports whether a window is as large as its screen because someone had the
// desktop make it so.
func (d *Desktop) Fills(window fyne.Window) bool {
	handle, ok := d.handle(window)
	if !ok {
		return false
	}
	state, err := xproto.GetProperty(d.conn, false, handle, d.atom("_NET_WM_STATE"), xproto.AtomAtom, 0, 64).Reply()
	if err != nil || state.Format != 32 {
		return false
	}
	for _, name := range []string{"_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_FULLSCREEN"} {
		wanted := d.atom(name)
		for i := range int(state.ValueLen) {
			if wanted != 0 && xproto.Atom(xgb.Get32(state.Value[4*i:])) == wanted {
				return true
			}
		}
	}
	return false
}

// atom is what the X server calls a name; 0: nothing.
func (d *Desktop) atom(name string) xproto.Atom {
	told, err := xproto.InternAtom(d.conn, true, uint16(len(name)), name).Reply()
	if err != nil {
		return 0
	}
	return told.Atom
}

// Put puts a window to a place that Where gave; false where the desktop shows no window
// yet. A place that is on no screen any more changes nothing.
func (d *Desktop) Put(window fyne.Window, x, y int) bool {
	handle, ok := d.handle(window)
	if !ok {
		return false
	}
	if d.sees(x+within, y) {
		_ = xproto.ConfigureWindowChecked(d.conn, handle, xproto.ConfigWindowX|xproto.ConfigWindowY, []uint32{uint32(int32(x)), uint32(int32(y))}).Check()
	}
	return true
}

// within is how much of a window's upper edge is to be on a screen, in pixels: enough to
// take hold of it.
const within = 100

// sees reports whether a point is on a screen.
func (d *Desktop) sees(x, y int) bool {
	for _, screen := range d.screens() {
		if left, top := int(screen.XOrg), int(screen.YOrg); x >= left && x < left+int(screen.Width) && y >= top && y < top+int(screen.Height) {
			return true
		}
	}
	return false
}

// screens are those that the desktop consists of.
func (d *Desktop) screens() []xinerama.ScreenInfo {
	if xinerama.Init(d.conn) == nil {
		if told, err := xinerama.QueryScreens(d.conn).Reply(); err == nil && told.Number > 0 {
			return told.ScreenInfo
		}
	}
	whole := xproto.Setup(d.conn).DefaultScreen(d.conn)
	return []xinerama.ScreenInfo{{Width: whole.WidthInPixels, Height: whole.HeightInPixels}}
}

// handle is what the X server calls a window; false where it has none.
func (d *Desktop) handle(window fyne.Window) (xproto.Window, bool) {
	native, ok := window.(driver.NativeWindow)
	if !ok {
		return 0, false
	}
	var handle xproto.Window
	native.RunNative(func(context any) {
		if on, ok := context.(driver.X11WindowContext); ok {
			handle = xproto.Window(on.WindowHandle)
		}
	})
	if handle == 0 {
		return 0, false
	}
	d.once.Do(d.reach)
	return handle, d.conn != nil
}

// reach opens a connection of its own to the X server: Fyne's is not to be shared.
func (d *Desktop) reach() {
	xgb.Logger.SetOutput(io.Discard) // what it says goes to nobody who could do anything
	if conn, err := xgb.NewConn(); err == nil {
		d.conn = conn
	}
}

func (d *Desktop) root() xproto.Window { return xproto.Setup(d.conn).DefaultScreen(d.conn).Root }
