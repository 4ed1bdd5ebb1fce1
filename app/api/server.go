package api

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
	"footbridge/core/upload"
)

// Store is what the API reads. Safe for concurrent use.
type Store interface {
	// Exports gives where a record stands at each of its destinations.
	Exports(ctx context.Context, id core.UploadID) ([]core.Export, error)

	// Account, AccountByLogin and AccountByHealthCode find accounts. Errors:
	// core.ErrNotFound.
	Account(ctx context.Context, id core.UserID) (core.Account, error)
	AccountByLogin(ctx context.Context, login string) (core.Account, error)
	AccountByHealthCode(ctx context.Context, code core.HealthCode) (core.Account, error)

	// Accounts gives every account of a study, by age.
	Accounts(ctx context.Context, study core.StudyID) ([]core.Account, error)
}

// Studies keeps studies. Safe for concurrent use.
type Studies interface {
	// Study and Studies find studies. Errors: core.ErrNotFound.
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
	Studies(ctx context.Context) ([]core.Study, error)

	// CreateStudy stores a new study durably. Errors: core.ErrExists.
	CreateStudy(ctx context.Context, study core.Study) (core.Study, error)

	// UpdateStudy changes a study durably. Errors: change's own, core.ErrNotFound.
	UpdateStudy(ctx context.Context, id core.StudyID, change func(*core.Study) error) (core.Study, error)
}

// Projects makes projects in the repository. Safe for concurrent use.
type Projects interface {
	// CreateForStudy makes what a study's project lacks and enables its export;
	// CreateForApp does so for the app-wide one. Idempotent. Errors:
	// core.ErrNotFound (the study), and those of the repository.
	CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error)

	// Configured makes participant versions from now on, and gives the study's
	// participants those that they lack. Idempotent.
	Configured(ctx context.Context, id core.StudyID) error

	CreateForApp(ctx context.Context) (core.App, error)
}

// Bell wakes those who wait for a change.
type Bell interface {
	// Revision counts the rings so far.
	Revision() uint64

	// Wait returns the revision once it is over after, or ctx's error.
	Wait(ctx context.Context, after uint64) (uint64, error)
}

// Config is what the API serves.
type Config struct {
	App      core.AppID
	Desk     *upload.Desk
	Gate     *account.Gate
	Roster   *participant.Roster
	Store    Store
	Studies  Studies
	Projects Projects
	Bell     Bell
	Local    []LocalRoute // what Bridge has no word for, for admins
	Secret   []byte       // signs upload URLs

	// PublicKey gives the certificate that devices seal for, as PEM. Errors:
	// core.ErrNotFound.
	PublicKey func() (string, error)

	Await    time.Duration // how long a synchronous complete waits; 0: thirty seconds
	Uploads  int           // PUTs received at once, more are told to come back; 0: 256
	Patience time.Duration // how long a PUT may be without a byte from the device; 0: two minutes

	Now    func() time.Time
	Failed func(r *http.Request, err error) // told of every 500 and of every PUT that met an unexpected error
}

// Server answers the API. Safe for concurrent use.
type Server struct {
	config   Config
	places   *places // where PUTs are received
	traffic  *traffic
	operator *core.Account // who is asking, where that needs no session
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
	if config.Patience == 0 {
		config.Patience = putPatience
	}
	return &Server{config: config, places: &places{all: config.Uploads, each: slotMax}, traffic: &traffic{}}
}

// Handler answers requests from the LAN.
func (s *Server) Handler() http.Handler {
	mux := s.routes()
	return s.traffic.counted(s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id, ok := slotOf(r); ok {
			s.put(w, r, id)
			return
		}
		mux.ServeHTTP(w, r)
	})))
}

// Busy reports whether devices keep this site busy, so that work which can wait
// should.
func (s *Server) Busy() bool { return s.traffic.busy(time.Now()) }

// OperatorHandler answers requests of whoever runs this site: it needs no
// session. Never serve it on a network.
func (s *Server) OperatorHandler() http.Handler {
	operators := *s
	operators.operator = &core.Account{App: s.config.App, Roles: []core.Role{core.RoleAdmin}, Status: core.StatusEnabled}
	return operators.Handler()
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, route := range s.table() {
		mux.HandleFunc(route.pattern, s.answer(route.answer))
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, statusMessage("alive"))
	})
	for _, route := range s.config.Local {
		mux.HandleFunc(route.Pattern, s.answer(s.local(route)))
	}
	mux.HandleFunc("/", s.answer(func(http.ResponseWriter, *http.Request) error {
		return &apiError{http.StatusNotFound, "EndpointNotFoundException", "There is no such endpoint. Check method and path.", ""}
	}))
	return mux
}

// route is a pattern of http.ServeMux and what answers it.
type route struct {
	pattern string
	answer  func(http.ResponseWriter, *http.Request) error
}

// table is every route but the PUT.
func (s *Server) table() []route {
	return []route{
		{"POST /v3/auth/signIn", s.signIn},
		{"POST /v4/auth/signIn", s.signIn},
		{"POST /api/v1/auth/signIn", s.signIn},
		{"POST /v3/auth/signOut", s.signOut},
		{"POST /v4/auth/signOut", s.signOut},

		{"POST /v3/uploads", s.beginUpload},
		{"POST /api/v1/upload", s.beginUpload},
		{"POST /v3/uploads/{id}/complete", s.completeUpload},
		{"POST /api/v1/upload/{id}/complete", s.completeUpload},
		{"GET /v3/uploadstatuses/{id}", s.uploadStatus},
		{"GET /api/v1/upload/{id}/status", s.uploadStatus},

		{"GET /v1/apps/self/publicKey", s.publicKey},
		{"GET /v3/studies/self/publicKey", s.publicKey},
		{"POST /v1/apps/self/exporter3", s.createAppProject},

		{"POST /v3/participants", s.createParticipant},
		{"GET /v3/participants/{user}", s.participant},
		{"POST /v3/participants/{user}", s.updateParticipant},
		{"POST /v5/studies/{study}/participants", s.createParticipant},
		{"GET /v5/studies/{study}/participants", s.participants},
		{"GET /v5/studies/{study}/participants/{user}", s.participant},
		{"POST /v5/studies/{study}/participants/{user}", s.updateParticipant},
		{"POST /v5/studies/{study}/enrollments", s.enrol},
		{"DELETE /v5/studies/{study}/enrollments/{user}", s.withdraw},

		{"POST /v5/studies", s.createStudy},
		{"GET /v5/studies", s.studies},
		{"GET /v5/studies/{study}", s.study},
		{"POST /v5/studies/{study}", s.updateStudy},
		{"POST /v5/studies/{study}/exporter3", s.createStudyProject},
	}
}

// answer runs a handler; its error becomes the answer.
func (s *Server) answer(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// guard sets the headers of every answer and turns a panic into a 500; one that
// ends the connection does so.
func (s *Server) guard(h http.Handler) http.Handler {
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
			if p := recover(); p == http.ErrAbortHandler {
				panic(p)
			} else if p != nil {
				s.fail(w, r, fmt.Errorf("handler panicked: %v", p))
			}
		}()
		h.ServeHTTP(w, r)
	})
}

// caller gives who is asking. Errors: core.ErrNotAuthenticated, core.ErrDisabled.
func (s *Server) caller(r *http.Request) (core.Account, error) {
	if s.operator != nil {
		return *s.operator, nil
	}
	return s.config.Gate.Caller(r.Context(), r.Header.Get("Bridge-Session"))
}

// staff gives the caller where it has one of the roles. Errors: those of caller,
// core.ErrForbidden.
func (s *Server) staff(r *http.Request, roles ...core.Role) (core.Account, error) {
	caller, err := s.caller(r)
	if err != nil {
		return caller, err
	}
	return caller, account.Require(caller, roles...)
}

// address is where a request comes from, without the port.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
