package devices

import (
	"fmt"
	"html/template"
	"net/http"

	"footbridge/ui/tongue"
)

// page tells a person whose telephone opened a pairing's link in its browser what to
// do. It holds no script and loads nothing; what is secret of the link stays in the
// browser's address line.
func (h *Handlers) page(w http.ResponseWriter, r *http.Request) error {
	t := tongue.In(r.Header.Get("Accept-Language"))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", t.Code())
	err := pairPage.Execute(w, map[string]any{
		"Language": t.Code(), "Title": t.Say("pair.title"),
		"Lines": []string{t.Say("pair.app"), t.Say("pair.scan"), t.Say("pair.type", "host", r.Host), t.Say("pair.safe")},
	})
	if err != nil && r.Context().Err() == nil { // else the browser went away
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

var pairPage = template.Must(template.New("pair").Parse(`<!doctype html>
<html lang="{{.Language}}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<h1>{{.Title}}</h1>
{{range .Lines}}<p>{{.}}</p>
{{end}}</html>
`))
