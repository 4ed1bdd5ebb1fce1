package api

import (
	_ "embed"
	"footbridge/app/api/openapi"
	"net/http"
)

// welcome tells whoever opens this address in a browser what it is. It loads
// nothing from elsewhere.
//
//go:embed welcome.html
var welcome []byte

func showWelcome(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(welcome) // a browser that went away needs no answer
	return nil
}

// showDocument describes every route.
func showDocument(w http.ResponseWriter, _ *http.Request) error {
	document, err := openapi.Document()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(document)
	return nil
}
