package synapsetest

import (
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

// Fault makes calls go wrong. Several may be set; the first that meets a call
// is the one that happens.
type Fault struct {
	Method string // empty: any
	Path   string // as path.Match reads it, a star being one segment; empty: any
	Nth    int    // the first call that it happens to; 0: the next
	Times  int    // how many calls it happens to; 0: one; below 0: all from then on

	Delay      time.Duration // passes before anything else
	Cut        bool          // the connection ends before the call has an effect
	DropReply  bool          // the connection ends after the call had its effect
	FailJob    string        // the job that the call starts fails with this text
	Status     int           // is answered in place of the effect
	Reason     string        // of Status
	Body       string        // of Status, in place of a reason
	Type       string        // Content-Type of Body
	RetryAfter string        // header of Status

	met int
}

// Throttled is a 429 as the repository says it; a proxy adds retryAfter, unless empty.
func Throttled(retryAfter string) Fault {
	return Fault{Status: http.StatusTooManyRequests, Reason: "Too many requests. Please slow down.", RetryAfter: retryAfter}
}

// BadGateway is a 502 of a machine before the repository.
func BadGateway() Fault {
	return Fault{Status: http.StatusBadGateway, Type: "text/html", Body: "<html><body><h1>502 Bad Gateway</h1></body></html>"}
}

// Portal is the page that a hotel shows in place of the repository, with a 200.
func Portal() Fault {
	return Fault{Status: http.StatusOK, Type: "text/html", Body: "<!doctype html><title>Welcome! Please sign in to the network.</title>"}
}

// Refused is any answer of the repository that is an error.
func Refused(status int, reason string) Fault { return Fault{Status: status, Reason: reason} }

// At gives the fault for calls of a method and path.
func (f Fault) At(method, path string) Fault {
	f.Method, f.Path = method, path
	return f
}

// Repeated gives the fault for so many calls in a row.
func (f Fault) Repeated(times int) Fault {
	f.Times = times
	return f
}

// Inject adds a fault.
func (s *Server) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Calm ends every fault.
func (s *Server) Calm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// fault notes a call and gives what goes wrong with it; nil: nothing does.
func (s *Server) fault(r *http.Request) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := r.URL.Path
	if strings.HasPrefix(at, "/storage/") {
		at = "/storage"
	}
	s.calls = append(s.calls, Call{Method: r.Method, Path: at})
	var happens *Fault
	for _, f := range s.faults {
		matches, _ := path.Match(f.Path, at)
		if f.Method != "" && f.Method != r.Method || f.Path != "" && !matches {
			continue
		}
		f.met++
		last := max(f.Nth, 1) + max(f.Times, 1) - 1
		if f.met >= f.Nth && (f.met <= last || f.Times < 0) && happens == nil {
			happens = f
		}
	}
	return happens
}

// answer answers in place of the repository.
func (f *Fault) answer(w http.ResponseWriter) {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if f.Body == "" {
		status, body := refusal(problem{status: f.Status, Reason: f.Reason, bare: f.Status == http.StatusTooManyRequests})
		answer(w, status, body)
		return
	}
	w.Header().Set("Content-Type", f.Type)
	w.WriteHeader(f.Status)
	_, _ = io.WriteString(w, f.Body)
}

// faulty hands a fault to the call that it happens to.
type faulty struct {
	http.ResponseWriter
	fault *Fault
}

// faultOf gives what goes wrong with a call; nil: nothing does.
func faultOf(w http.ResponseWriter) *Fault {
	if f, ok := w.(faulty); ok {
		return f.fault
	}
	return nil
}

// Maintain sets the state that the repository is in: READ_WRITE, READ_ONLY or
// DOWN, for so many calls (0: until it is set again). Calls of /status count.
func (s *Server) Maintain(state, message string, calls int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.message, s.stateCalls = state, message, calls
}

// open refuses everything while the repository is maintained.
func (s *Server) open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, message := s.stack()
	if state == "READ_WRITE" {
		return nil
	}
	return problem{status: http.StatusServiceUnavailable, Reason: message}
}

// stack gives the state for one call.
func (s *Server) stack() (state, message string) {
	state, message = s.state, s.message
	if s.stateCalls > 0 {
		if s.stateCalls--; s.stateCalls == 0 {
			s.state, s.message = "READ_WRITE", ""
		}
	}
	return state, message
}
