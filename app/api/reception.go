package api

import (
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
)

// reception is what every request passes, whatever it asks for.
type reception struct {
	failed  func(r *http.Request, err error)
	session func(a core.Account, token string) any // the body of a 412
}

// answer runs a route; its error becomes the answer.
func (p *reception) answer(route call.Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := route.Answer(w, r); err != nil {
			p.fail(w, r, err)
		}
	}
}

// fail answers with an error: participants who have not consented are given
// their session, and what nobody foresaw goes to the log.
func (p *reception) fail(w http.ResponseWriter, r *http.Request, err error) {
	var unconsented *call.Unconsented
	if errors.As(err, &unconsented) {
		call.Write(w, http.StatusPreconditionFailed, p.session(unconsented.Caller, call.Token(r)))
		return
	}
	status := call.Fail(w, err)
	if status == http.StatusInternalServerError && r.Context().Err() == nil { // else the caller went away
		p.failed(r, err)
	}
}

// guard sets the headers of every answer and turns a panic into a 500; one that
// ends the connection does so.
func (p *reception) guard(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("X-Permitted-Cross-Domain-Policies", "none")
		header.Set("Content-Security-Policy", "default-src 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		if r.TLS != nil {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer func() {
			if cause := recover(); cause == http.ErrAbortHandler {
				panic(cause)
			} else if cause != nil {
				p.fail(w, r, fmt.Errorf("handler panicked: %v", cause))
			}
		}()
		h.ServeHTTP(w, r)
	})
}
