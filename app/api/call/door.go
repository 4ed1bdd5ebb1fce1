package call

import (
	"net"
	"net/http"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/fleet"
)

// Route is a pattern of http.ServeMux and what answers it. An error of Answer
// becomes the answer.
type Route struct {
	Pattern    string
	Answer     func(http.ResponseWriter, *http.Request) error
	Deprecated bool          // clients are told to use another one
	Deed       core.DeedKind // what staff do by it, for the audit; may be empty
}

// Door lets callers in. Safe for concurrent use.
type Door struct {
	App      core.AppID
	Gate     *account.Gate
	Operator *core.Account // who is asking where that needs no session; nil on a network

	// Oldest gives the oldest version of the app that is still served on an
	// operating system; 0: any. nil: any everywhere.
	Oldest func(system string) int

	Devices *fleet.Log // notes which devices are here; nil: nobody does
}

// Caller gives who is asking. Errors: core.ErrNotAuthenticated, core.ErrDisabled.
func (d Door) Caller(r *http.Request) (core.Account, error) {
	if d.Operator != nil {
		return *d.Operator, nil
	}
	caller, err := d.Gate.Caller(r.Context(), Token(r), Address(r))
	if err == nil {
		d.See(r, caller, 0)
	}
	return caller, err
}

// See notes that the device of a participant is here, and has completed so many
// uploads. It waits for nothing.
func (d Door) See(r *http.Request, caller core.Account, uploads int) {
	if d.Devices != nil && d.Operator == nil && len(caller.Roles) == 0 {
		d.Devices.See(caller, Visit(r), uploads)
	}
}

// Visit is how the device that asks came here.
func Visit(r *http.Request) fleet.Visit {
	clock, _ := http.ParseTime(r.Header.Get("Date")) // hardly any client tells it
	return fleet.Visit{Address: Address(r), UserAgent: r.UserAgent(), Kind: ParseUserAgent(r.UserAgent()).Kind(), Clock: clock}
}

// Require gives the caller where it has one of the roles, in the study that the
// path names if it names one. Errors: those of Caller, core.ErrForbidden.
func (d Door) Require(r *http.Request, roles ...core.Role) (core.Account, error) {
	caller, err := d.Caller(r)
	if err != nil {
		return caller, err
	}
	return caller, account.RequireIn(caller, core.StudyID(r.PathValue("study")), roles...)
}

// Consented gives the caller where it consented and its app is new enough, or
// where it has one of the roles. Errors: those of Caller, *Unsupported,
// core.ErrForbidden, *Unconsented.
func (d Door) Consented(r *http.Request, roles ...core.Role) (core.Account, error) {
	caller, err := d.Caller(r)
	if err != nil || len(roles) > 0 && account.Has(caller, roles...) {
		return caller, err
	}
	if err := d.Supported(r); err != nil {
		return caller, err
	}
	err = account.RequireConsent(caller)
	if err != nil && len(caller.Roles) == 0 {
		err = &Unconsented{caller}
	}
	return caller, err
}

// Supported is nil where the app that is asking is new enough. Errors:
// *Unsupported.
func (d Door) Supported(r *http.Request) error {
	info := ParseUserAgent(r.UserAgent())
	if d.Oldest == nil || info.AppVersion == nil || *info.AppVersion >= d.Oldest(info.OSName) {
		return nil
	}
	return &Unsupported{info}
}

// InApp is nil where a path names the app that this site serves, or says self.
// Errors: 404.
func (d Door) InApp(r *http.Request) error {
	if app := r.PathValue("app"); app != "self" && app != string(d.App) {
		return NotFound("App", "There is no such app on this site. Check the app's id.")
	}
	return nil
}

// Unconsented is a participant who has not consented yet. Clients take the
// answer, which is the session, for signed in, and ask for consent.
type Unconsented struct{ Caller core.Account }

// Error is that of Unwrap.
func (u *Unconsented) Error() string { return core.ErrNotConsented.Error() }

// Unwrap gives core.ErrNotConsented.
func (u *Unconsented) Unwrap() error { return core.ErrNotConsented }

// Unsupported is an app that is too old.
type Unsupported struct{ Client ClientInfo }

// Error says so.
func (u *Unsupported) Error() string { return "this version of the app is not served any more" }

// Token is the session token of a request.
func Token(r *http.Request) string { return r.Header.Get("Bridge-Session") }

// Address is where a request comes from, without the port.
func Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
