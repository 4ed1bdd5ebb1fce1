package call

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"footbridge/core"
)

// The rules here are: what staff or the operator changed, and what they took out of
// the site, is a deed; it is told once it is done. What participants do is told by
// their uploads and records.

// Accountable is an answer, or an error, that says what a deed was done with: ids
// and accounts, by the name of each; false where nothing was done.
type Accountable interface {
	DoneWith() (with map[string]string, done bool)
}

// Witness is a ResponseWriter that remembers whether a deed was done, and with what.
type Witness struct {
	http.ResponseWriter
	status int
	with   map[string]string
	idle   bool // the answer says that nothing was done
}

// WriteHeader remembers whether the answer says done.
func (w *Witness) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap gives the writer behind the witness (http.ResponseController).
func (w *Witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// hear remembers what an answer says.
func (w *Witness) hear(answer any) {
	if accountable, ok := answer.(Accountable); ok {
		with, done := accountable.DoneWith()
		w.with, w.idle = with, !done
	}
}

// HearError remembers what an error says; false where it says that all was in vain.
func (w *Witness) HearError(err error) bool {
	var accountable Accountable
	if !errors.As(err, &accountable) {
		return false
	}
	w.hear(accountable)
	return true
}

// Deed gives what caller did by a request; false where it was not done, or is none
// of the audit's.
func (w *Witness) Deed(r *http.Request, route Route, caller core.Account, now time.Time) (core.Deed, bool) {
	if w.idle || w.status >= http.StatusBadRequest || len(caller.Roles) == 0 {
		return core.Deed{}, false
	}
	deed := core.Deed{At: now.UTC().Truncate(time.Millisecond), Who: caller.ID, Did: route.Deed, With: map[string]string{}}
	if caller.ID != "" {
		deed.Address = Address(r)
	}
	for rest := route.Pattern; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		name, behind, _ := strings.Cut(after, "}")
		if value := r.PathValue(name); value != "" {
			deed.With[name] = value
		}
		rest = behind
	}
	for name, value := range w.with {
		if value != "" {
			deed.With[name] = value
		}
	}
	return deed, true
}
