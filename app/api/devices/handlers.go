package devices

import (
	"context"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/fleet"
)

// Store finds accounts and pairings. Safe for concurrent use.
type Store interface {
	call.Accounts

	// Pairing gives a pairing. Errors: core.ErrNotFound.
	Pairing(ctx context.Context, id core.PairingID) (core.Pairing, error)
}

// Reach is how devices reach this site.
type Reach struct {
	BaseURLs []string // the likeliest first
	Pin      string   // of the certificate's key; empty without TLS
	Serving  bool     // the door is open
}

// Handlers answers the routes about devices. Safe for concurrent use.
type Handlers struct {
	call.Door
	Desk  *fleet.Desk
	Store Store
	Reach func() (Reach, error)

	// PublicKey gives the certificate that devices seal for, as PEM. Errors:
	// core.ErrNotFound.
	PublicKey func() (string, error)

	Audit func(context.Context, core.Deed) error // of what devices do; nil: nobody keeps it
	Now   func() time.Time

	Failed func(r *http.Request, err error) // told of what went wrong behind an answer
}

// Routes lists the routes.
func (h *Handlers) Routes() []call.Route {
	return []call.Route{
		{Pattern: "GET /pair", Answer: h.page},
		{Pattern: "POST /local/v1/pairings", Answer: h.pair, Deed: core.DeedPairingMade},
		{Pattern: "GET /local/v1/pairings/{id}", Answer: h.pairing},
		{Pattern: "POST /local/v1/pairings/redeem", Answer: h.redeem},
		{Pattern: "GET /local/v1/devices", Answer: h.devices},
		{Pattern: "GET /local/v1/devices/{id}", Answer: h.device},
		{Pattern: "DELETE /local/v1/devices/{id}", Answer: h.forget, Deed: core.DeedDeviceForgotten},
	}
}
