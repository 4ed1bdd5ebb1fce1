package synapsetest

import (
	"net/http"
	"strconv"
)

// job is work that the repository does on its own time.
type job struct {
	path   string // under which it is asked after
	entity string
	user   *User
	polls  int // how often it will still be running when asked after
	run    func() (any, error)
	done   bool
	result any
	err    error
}

// start answers with the token of a job that does run. It runs whether
// somebody asks after it or not.
func (s *Server) start(c *call, kind string, run func() (any, error)) (int, any, error) {
	j := &job{path: kind, entity: c.PathValue("id"), user: c.user, polls: max(s.config.Polls, 0), run: run}
	token := strconv.FormatInt(s.next(), 10)
	s.jobs[token] = j
	switch {
	case c.fault != nil && c.fault.FailJob != "":
		j.done, j.err = true, bad(c.fault.FailJob)
	case s.holding && kind != "query":
		s.held = append(s.held, j)
	default:
		j.finish()
	}
	return http.StatusCreated, map[string]string{"token": token}, nil
}

func (j *job) finish() {
	j.result, j.err = j.run()
	j.done = true
}

// HoldJobs keeps jobs that change tables from running, as a busy repository does.
func (s *Server) HoldJobs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = true
}

// ReleaseJobs runs what was held.
func (s *Server) ReleaseJobs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = false
	for _, j := range s.held {
		j.finish()
	}
	s.held = nil
}

// poll serves questions after jobs of a kind; done is the status of a result.
func (s *Server) poll(kind string, done int) func(c *call) (int, any, error) {
	return func(c *call) (int, any, error) {
		token := c.PathValue("token")
		j := s.jobs[token]
		switch {
		case j == nil || j.path != kind || j.entity != c.PathValue("id"):
			return 0, nil, missing("The job does not exist: " + token)
		case j.user != c.user:
			return 0, nil, forbidden("Only the user that started a job can read its status")
		case !j.done || j.polls > 0:
			j.polls--
			return http.StatusAccepted, map[string]any{"jobId": token, "jobState": "PROCESSING", "progressCurrent": 1, "progressTotal": 2}, nil
		case j.err != nil:
			return 0, nil, j.err
		}
		return done, j.result, nil
	}
}
