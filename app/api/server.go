package api

import (
	"context"
	"io"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/app/api/devices"
	"footbridge/app/api/people"
	"footbridge/app/api/schedules"
	"footbridge/app/api/schemas"
	"footbridge/app/api/studies"
	"footbridge/app/api/uploads"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/fleet"
	"footbridge/core/library"
	"footbridge/core/participant"
	"footbridge/core/schedule"
	"footbridge/core/upload"
)

// Store is what the API reads. Safe for concurrent use.
type Store interface {
	people.Store
	uploads.Store
	devices.Store
}

// Config is what the API serves.
type Config struct {
	App      core.AppID
	Desk     *upload.Desk
	Gate     *account.Gate
	Roster   *participant.Roster
	Diary    *schedule.Diary
	Library  *library.Desk
	Fleet    *fleet.Desk
	Devices  *fleet.Log // notes which devices are here; nil: nobody does
	Store    Store
	Studies  studies.Store
	Projects studies.Projects
	Notices  studies.Subscriptions
	Bell     uploads.Bell
	Local    []LocalRoute // what Bridge has no word for, for admins
	Secret   []byte       // signs upload URLs

	// Reach tells how devices reach this site.
	Reach func() (devices.Reach, error)

	// PublicKey gives the certificate that devices seal for, as PEM. Errors:
	// core.ErrNotFound.
	PublicKey func() (string, error)

	// Plain opens an upload's bytes as they were before a device sealed them.
	// Errors: core.ErrNoKey.
	Plain func(ctx context.Context, u core.Upload) (io.ReadCloser, error)

	// Stored gives bucket and key of what is at a path of a destination's project.
	Stored func(d core.DestinationID, parts core.RepositoryConfig, at string) (bucket, key string)

	Schedules uploads.Schedules // what views of uploads show; nil: what Diary knows

	Await    time.Duration // how long a synchronous complete waits; 0: thirty seconds
	Uploads  int           // PUTs received at once, more are told to come back; 0: 256
	Patience time.Duration // how long a PUT may be without a byte from the device; 0: two minutes

	// Oldest gives the oldest version of the app that is served on an operating
	// system, 0: any; nil: any everywhere.
	Oldest func(system string) int

	Now    func() time.Time
	Audit  func(context.Context, core.Deed) error // keeps what staff did; nil: nobody does
	Failed func(r *http.Request, err error)       // told of every 500 and of every PUT that met an unexpected error
}

// Server answers the API. Safe for concurrent use.
type Server struct {
	config  Config
	places  *uploads.Places // where PUTs are received
	traffic *traffic

	reception *reception
}

const (
	uploadsMax  = 256
	slotMax     = 16 // PUTs to one slot
	putPatience = 2 * time.Minute
	awaitTime   = 30 * time.Second
)

// NewServer makes a server.
func NewServer(config Config) *Server {
	if config.Uploads == 0 {
		config.Uploads = uploadsMax
	}
	if config.Await == 0 {
		config.Await = awaitTime
	}
	if config.Schedules == nil {
		config.Schedules = schedules.Views{Diary: config.Diary}
	}
	if config.Patience == 0 {
		config.Patience = putPatience
	}
	return &Server{
		config: config, places: uploads.NewPlaces(config.Uploads, slotMax), traffic: &traffic{},
		reception: &reception{app: config.App, failed: config.Failed, audit: config.Audit, now: config.Now},
	}
}

// Busy reports whether devices keep this site busy, so that work which can wait
// should.
func (s *Server) Busy() bool { return s.traffic.busy(time.Now()) }

// Receiving is how many uploads are being received now.
func (s *Server) Receiving() int { return s.places.Taken() }

// Arriving is what devices are sending.
func (s *Server) Arriving() []core.Moving { return s.places.Arriving() }

// Handler answers requests from the LAN.
func (s *Server) Handler() http.Handler { return s.behind(nil) }

// OperatorHandler answers requests of whoever runs this site: it needs no
// session. Never serve it on a network.
func (s *Server) OperatorHandler() http.Handler {
	return s.behind(&core.Account{App: s.config.App, Roles: []core.Role{core.RoleAdmin}, Status: core.StatusEnabled})
}

// behind is the API behind a door; with an operator it stands open.
func (s *Server) behind(operator *core.Account) http.Handler {
	door := call.Door{App: s.config.App, Gate: s.config.Gate, Operator: operator, Oldest: s.config.Oldest, Devices: s.config.Devices}
	files, rooms := s.rooms(door)
	mux := http.NewServeMux()
	for _, routes := range rooms {
		for _, route := range routes {
			mux.HandleFunc(route.Pattern, s.reception.answer(door, route))
		}
	}
	api := opened(mux)
	return s.traffic.counted(s.reception.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !files.Put(w, r) {
			api.ServeHTTP(w, r)
		}
	})))
}

// rooms lists the routes of every room, and gives the one that takes the files.
func (s *Server) rooms(door call.Door) (*uploads.Handlers, [][]call.Route) {
	accounts := &people.Handlers{Door: door, Roster: s.config.Roster, Store: s.config.Store}
	files := &uploads.Handlers{
		Door: door, Desk: s.config.Desk, Store: s.config.Store, Bell: s.config.Bell, Places: s.places, Schedules: s.config.Schedules, Plain: s.config.Plain, Stored: s.config.Stored,
		Secret: s.config.Secret, Await: s.config.Await, Patience: s.config.Patience, Now: s.config.Now, Failed: s.config.Failed,
	}
	projects := &studies.Handlers{
		Door: door, Store: s.config.Studies, Projects: s.config.Projects, Subscriptions: s.config.Notices,
		PublicKey: s.config.PublicKey, Now: s.config.Now, Failed: s.config.Failed,
	}
	plans := &schedules.Handlers{Door: door, Diary: s.config.Diary, Store: s.config.Store}
	forms := &schemas.Handlers{Door: door, Library: s.config.Library}
	paired := &devices.Handlers{
		Door: door, Desk: s.config.Fleet, Store: s.config.Store, Reach: s.config.Reach, PublicKey: s.config.PublicKey,
		Audit: s.config.Audit, Now: s.config.Now, Failed: s.config.Failed,
	}
	return files, [][]call.Route{accounts.Routes(), files.Routes(), projects.Routes(), plans.Routes(), forms.Routes(), paired.Routes(), s.own(door)}
}

// own lists the routes that belong to no room.
func (s *Server) own(door call.Door) []call.Route {
	routes := []call.Route{
		{Pattern: "GET /healthz", Answer: func(w http.ResponseWriter, _ *http.Request) error {
			call.Write(w, http.StatusOK, call.StatusMessage("alive"))
			return nil
		}},
		{Pattern: "GET /{$}", Answer: showWelcome},
		{Pattern: "GET /openapi.json", Answer: showDocument},
		{Pattern: "/", Answer: func(http.ResponseWriter, *http.Request) error {
			return &call.Error{Status: http.StatusNotFound, Kind: "EndpointNotFoundException", Text: "There is no such endpoint. Check method and path."}
		}},
	}
	for _, route := range s.config.Local {
		routes = append(routes, call.Route{Pattern: route.Pattern, Answer: s.local(door, route), Deed: route.Deed})
	}
	return routes
}
