package appliance

import (
	"net/http"
	"time"

	"footbridge/app/control"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// reader is who reads the answer to a request: in a language that the request asks for,
// else in that of the settings; and in the terms of the window, where that asks.
func (a *Appliance) reader(r *http.Request) view.Reader {
	return view.Reader{
		Tongue: tongue.In(append(r.Header.Values("Accept-Language"), a.live.Settings().Language)...),
		Window: r.Header.Get(control.ReaderHeader) == control.AtWindow,
		Now:    time.Now(), Zone: time.Local, // the window is on this machine
	}
}
