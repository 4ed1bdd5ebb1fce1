package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"footbridge/app/api/call"
	"footbridge/app/api/people"
	"footbridge/core"
)

// reception is what every request passes, whatever it asks for.
type reception struct {
	app    core.AppID
	failed func(r *http.Request, err error)
	audit  func(context.Context, core.Deed) error
	now    func() time.Time
}

// answer runs a route; its error becomes the answer.
func (p *reception) answer(door call.Door, route call.Route) http.HandlerFunc {
	if route.Deed != "" && p.audit != nil {
		route.Answer = p.witnessed(door, route)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		advise(w, r, route)
		if err := route.Answer(w, r); err != nil {
			p.fail(w, r, err)
		}
	}
}

// witnessed is a route's answer, told to the audit when it is done. What is done is
// done, so that an audit that cannot be kept is a failure of this site's.
func (p *reception) witnessed(door call.Door, route call.Route) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		caller, _ := door.Caller(r) // the answer says what is wrong with it
		witness := &call.Witness{ResponseWriter: w}
		err := route.Answer(witness, r)
		if err != nil && !witness.HearError(err) {
			return err
		}
		if deed, done := witness.Deed(r, route, caller, p.now()); done {
			if err := p.audit(context.WithoutCancel(r.Context()), deed); err != nil {
				p.failed(r, fmt.Errorf("keep a deed in the audit: %w", err))
			}
		}
		return err
	}
}

// advise tells the makers of an app what their requests lack. No request fails
// for it.
func advise(w http.ResponseWriter, r *http.Request, route call.Route) {
	var all []string
	if call.ParseUserAgent(r.UserAgent()) == (call.ClientInfo{Type: "ClientInfo"}) {
		all = append(all, "Send a User-Agent that names the app and its version, such as App/1 (Phone; Android/13)")
	}
	if r.Header.Get("Accept-Language") == "" {
		all = append(all, "Send an Accept-Language with the participant's languages")
	}
	if route.Deprecated {
		all = append(all, "This endpoint is deprecated; the document at /openapi.json names those that stay")
	}
	if len(all) > 0 {
		w.Header().Set("Bridge-Api-Status", strings.Join(all, "; "))
	}
}

// fail answers with an error: participants who have not consented are given
// their session, and what nobody foresaw goes to the log.
func (p *reception) fail(w http.ResponseWriter, r *http.Request, err error) {
	var unconsented *call.Unconsented
	if errors.As(err, &unconsented) {
		call.Write(w, http.StatusPreconditionFailed, people.Session(p.app, unconsented.Caller, call.Token(r)))
		return
	}
	status := call.Fail(w, err)
	if status == http.StatusInternalServerError && r.Context().Err() == nil { // else the caller went away
		p.failed(r, err)
	}
}

// requestID is what a caller may name a request, so that logs can be compared.
var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// guard sets the headers of every answer and turns a panic into a 500; one that
// ends the connection does so.
func (p *reception) guard(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("X-XSS-Protection", "0") // as is advised today: browsers' own filters did harm
		header.Set("X-Permitted-Cross-Domain-Policies", "none")
		header.Set("Content-Security-Policy", "default-src 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		if r.TLS != nil {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		id := r.Header.Get("X-Request-Id")
		if !requestID.MatchString(id) {
			id = core.NewID(p.now())
			r.Header.Set("X-Request-Id", id)
		}
		header.Set("X-Request-Id", id)
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

// opened lets pages of any origin call the API from a browser. A session travels
// in a header that no page has by itself, so nothing is given away by it.
func opened(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", "Bridge-Api-Status, ETag, Retry-After, X-Request-Id")
		if r.Method != http.MethodOptions {
			h.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
		if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
			header.Set("Access-Control-Allow-Headers", asked)
		}
		header.Set("Access-Control-Max-Age", "3000")
		w.WriteHeader(http.StatusOK)
	})
}
