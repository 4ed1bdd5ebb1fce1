package synapsetest

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token is the access token of the user whom every server knows, Exporter.
const Token = "pat-of-the-exporter"

// Config says how a server differs from the repository in production. The zero
// value is as strict as that.
type Config struct {
	Children   int // how many a container takes; 0: 10,000
	ChangeSets int // how many a table takes; 0: 30,000
	PageRows   int // rows in one page of a query; 0: 1,000
	Polls      int // how often a job is still running when it is asked after; 0: once; below 0: never
	Concurrent int // calls of one user at a time; 0: 3
	PerMinute  int // calls of one user in a minute; 0: 600

	// Object gives what the S3 of studies' own buckets holds; nil: what PutObject put.
	Object func(bucket, key string) ([]byte, bool)

	// AccessKey and SecretKey are those of that S3, whose credentials then differ by
	// their session tokens, which Guard looks at; empty: others each time.
	AccessKey, SecretKey string

	Life time.Duration // of credentials; 0: 12 hours
}

// Server is a repository. Safe for concurrent use.
type Server struct {
	URL string // the endpoint, without a slash at its end

	config Config
	mux    *http.ServeMux

	mu         sync.Mutex
	number     int64 // the last id that was given
	state      string
	message    string
	stateCalls int // calls that the state lasts; 0: until told otherwise
	faults     []*Fault
	journal    []Effect
	calls      []Call
	users      map[string]*User // by token
	inFlight   map[*User]int
	recent     map[*User][]time.Time
	teams      map[string]*team // by alias
	entities   map[string]*entity
	columns    []Column // index + 1 is the id
	handles    map[string]*handle
	uploads    map[string]*upload // by id
	links      map[string]link    // by signature
	reads      map[string]*handle // by signature
	locations  map[int64]*location
	settings   map[string]*setting // by entity
	objects    map[string][]byte   // bucket/key
	lent       map[string]*lent    // by session token
	jobs       map[string]*job
	held       []*job // started while jobs are held
	holding    bool
	bare       []string // files that existed without annotations at any time

	expireAfter int // S3 requests until all that was lent expires; 0: it does by itself
}

// Start starts a server that ends with the test.
func Start(t testing.TB, config Config) *Server {
	t.Helper()
	s := New(config)
	at := httptest.NewServer(s)
	t.Cleanup(at.Close)
	s.URL = at.URL
	return s
}

// New makes a server that listens nowhere yet. Whoever serves it sets URL.
func New(config Config) *Server {
	for value, normal := range map[*int]int{
		&config.Children: 10_000, &config.ChangeSets: 30_000, &config.PageRows: 1_000,
		&config.Polls: 1, &config.Concurrent: 3, &config.PerMinute: 600,
	} {
		if *value == 0 {
			*value = normal
		}
	}
	if config.Life == 0 {
		config.Life = 12 * time.Hour
	}
	s := &Server{
		config: config, mux: http.NewServeMux(), number: 1000, state: "READ_WRITE",
		users: map[string]*User{}, inFlight: map[*User]int{}, recent: map[*User][]time.Time{},
		teams: map[string]*team{}, entities: map[string]*entity{}, handles: map[string]*handle{},
		uploads: map[string]*upload{}, links: map[string]link{}, reads: map[string]*handle{},
		locations: map[int64]*location{}, settings: map[string]*setting{},
		objects: map[string][]byte{}, lent: map[string]*lent{}, jobs: map[string]*job{},
	}
	s.AddUser(User{Name: "exporter", Token: Token, Certified: true})
	s.mux.HandleFunc("PUT /storage/{signature}", s.storePart)
	s.routePrincipals()
	s.routeEntities()
	s.routeStorage()
	s.routeFiles()
	s.routeTables()
	return s
}

// next gives a number that was never given.
func (s *Server) next() int64 {
	s.number++
	return s.number
}

// ServeHTTP answers one call.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := s.fault(r)
	if fault == nil {
		s.mux.ServeHTTP(w, r)
		return
	}
	if fault.Delay > 0 {
		select {
		case <-time.After(fault.Delay):
		case <-r.Context().Done():
			return
		}
	}
	switch {
	case fault.Cut:
		hangUp(w)
	case fault.DropReply:
		s.mux.ServeHTTP(faulty{httptest.NewRecorder(), fault}, r)
		hangUp(w)
	case fault.Status != 0:
		fault.answer(w)
	default:
		s.mux.ServeHTTP(faulty{w, fault}, r)
	}
}

// hangUp ends the connection without an answer.
func hangUp(w http.ResponseWriter) {
	if connection, _, err := w.(http.Hijacker).Hijack(); err == nil {
		connection.Close()
	}
}

// route serves a pattern to signed-in users whose token has a scope.
func (s *Server) route(pattern, scope string, serve func(c *call) (int, any, error)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, fault: faultOf(w)}
		status, body, err := s.serve(c, scope, serve)
		if err != nil {
			status, body = refusal(err)
		}
		answer(w, status, body)
	})
}

func (s *Server) serve(c *call, scope string, serve func(c *call) (int, any, error)) (int, any, error) {
	if err := s.open(); err != nil {
		return 0, nil, err
	}
	user, err := s.admit(c.Request, scope)
	if err != nil {
		return 0, nil, err
	}
	defer s.leave(user)
	c.user = user
	if err := c.read(); err != nil {
		return 0, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return serve(c)
}

// admit takes a user in, who leaves afterwards.
func (s *Server) admit(r *http.Request, scope string) (*User, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	header := r.Header.Get("Authorization")
	token, bearer := strings.CutPrefix(header, "Bearer ")
	switch user := s.users[token]; {
	case header == "":
		return nil, problem{status: http.StatusUnauthorized, Reason: "The session token provided was missing, invalid or expired."}
	case !bearer || user == nil:
		return nil, problem{status: http.StatusUnauthorized, Reason: "OAuth token is missing or invalid."}
	case !user.has(scope):
		return nil, problem{status: http.StatusForbidden, Reason: "Request lacks scope(s) required by this service: " + scope}
	default:
		if err := s.throttle(user); err != nil {
			return nil, err
		}
		s.inFlight[user]++
		return user, nil
	}
}

// throttle refuses a user who asks too much. The repository tells no Retry-After.
func (s *Server) throttle(user *User) error {
	since := time.Now().Add(-time.Minute)
	recent := s.recent[user]
	for len(recent) > 0 && recent[0].Before(since) {
		recent = recent[1:]
	}
	s.recent[user] = append(recent, time.Now())
	if s.inFlight[user] >= s.config.Concurrent || len(recent) >= s.config.PerMinute {
		return problem{status: http.StatusTooManyRequests, bare: true,
			Reason: "Too many requests by user " + strconv.FormatInt(user.ID, 10) + ". Please slow down."}
	}
	return nil
}

func (s *Server) leave(user *User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight[user]--
}
