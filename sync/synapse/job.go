package synapse

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"footbridge/core"
)

// The rules here are: a job goes on when nobody asks after it, so what it is
// called is told to the caller before anybody waits for it.

// The kinds of jobs, as paths name them.
const (
	appending = "append"
	changing  = "transaction"
	querying  = "query"
)

// pollsSlower is how many times longer than the first the last waits are.
const pollsSlower = 40

// start starts a job of a table and gives its token.
func (c *Client) start(ctx context.Context, table EntityID, kind string, once bool, body any, hide []string) (string, error) {
	var started struct {
		Token string `json:"token"`
	}
	err := c.do(ctx, request{method: http.MethodPost, path: jobPath(table, kind) + "/start", body: body, once: once, hide: hide}, &started)
	if err == nil && !tokenRule(started.Token) {
		err = &Error{Kind: ErrAway, Reason: foreign, Unknown: true}
	}
	return started.Token, gone(err)
}

func jobPath(table EntityID, kind string) string {
	return "/repo/v1/entity/" + string(table) + "/table/" + kind + "/async"
}

// tokenRule reports whether a text may be a job's token, which goes into a path.
func tokenRule(token string) bool {
	for _, r := range token {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_' {
			return false
		}
	}
	return token != ""
}

// jobError is why a job failed: it had no effect.
type jobError struct{ error }

func (j *jobError) Unwrap() error { return j.error }

// errRunning says that a job is not finished after all the time that we wait.
var errRunning = errors.New("the repository is still working on it")

// finish waits for a job and reads its result into to. Errors: *jobError,
// *core.Later while it is running, core.ErrNotFound where the repository does not
// know it any more.
func (c *Client) finish(ctx context.Context, table EntityID, kind, token string, hide []string, to any) error {
	if !tokenRule(token) {
		return &Error{Kind: core.ErrNotFound, Reason: "this is no job"}
	}
	began := time.Now()
	wait := c.config.Poll
	for {
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		var status int
		var result json.RawMessage
		err := c.do(ctx, request{method: http.MethodGet, path: jobPath(table, kind) + "/get/" + token, hide: hide, seen: &status}, &result)
		var answer *Error
		switch {
		case errors.As(err, &answer) && answer.Status == http.StatusBadRequest:
			return &jobError{err}
		case err != nil:
			return err
		case status != http.StatusAccepted:
			if to != nil && json.Unmarshal(result, to) != nil {
				return &Error{Kind: ErrAway, Reason: foreign}
			}
			return nil
		}
		var running struct {
			JobState string `json:"jobState"`
		}
		if json.Unmarshal(result, &running) != nil || running.JobState == "" {
			return &Error{Kind: ErrAway, Reason: foreign}
		}
		if time.Since(began) > c.config.JobTime {
			return &core.Later{After: time.Minute, Err: errRunning}
		}
		wait = min(wait*3/2, c.config.Poll*pollsSlower)
	}
}

// run starts a job that may be repeated, and waits for it.
func (c *Client) run(ctx context.Context, table EntityID, kind string, body any, hide []string, to any) error {
	token, err := c.start(ctx, table, kind, false, body, hide)
	if err != nil {
		return err
	}
	return c.finish(ctx, table, kind, token, hide, to)
}
