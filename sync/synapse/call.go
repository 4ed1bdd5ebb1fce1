package synapse

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"footbridge/core"
)

// answerLimit is how much of an answer is read, in bytes.
const answerLimit = 8 << 20

// request is one call of the repository's API.
type request struct {
	method string
	path   string // with its query; of ids only
	body   any    // nil: none

	plain *string  // takes an answer that is text and no JSON; nil: it is JSON
	open  bool     // needs no token
	once  bool     // must not be repeated unless it is known to have had no effect
	empty bool     // success may have no body
	hide  []string // what its errors must not tell, beside the texts in body
	seen  *int     // is told the status of success; nil: nobody asks
}

// do makes a call, repeating it for seconds where that may help, and reads its
// answer into to. Errors: *Error, within a *core.Later where it is known when the
// call may be repeated; those of ctx.
func (c *Client) do(ctx context.Context, r request, to any) error {
	var body []byte
	var sent any // a nil slice would be sent as a body
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return fmt.Errorf("write a request: %w", err)
		}
		sent = body
	}
	asked, err := retryablehttp.NewRequestWithContext(ctx, r.method, c.endpoint+r.path, sent)
	if err != nil {
		return &Error{Kind: ErrInvalid, Reason: "this is no address"}
	}
	asked.Header.Set("Accept", "application/json")
	asked.Header.Set("User-Agent", "footbridge")
	if body != nil {
		asked.Header.Set("Content-Type", "application/json")
	}
	attempts := &attempts{client: c, once: r.once, http: c.api}
	if r.open {
		attempts.http = c.storage
	}
	answer, err := attempts.make(asked)
	if err == nil {
		err = attempts.read(answer, r, to)
	}
	if err == nil {
		return nil
	}
	failure := attempts.failure(ctx, err)
	hidden := append(texts(body), r.hide...)
	if token, err := c.config.Token(ctx); err == nil {
		hidden = append(hidden, token)
	}
	failure.Reason = conceal(failure.Reason, hidden)
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), failure)
	}
	if failure.After > 0 {
		return &core.Later{After: failure.After, Err: failure}
	}
	return failure
}

// attempts are those of one call.
type attempts struct {
	client *Client
	http   *http.Client
	once   bool
	state  State         // what the repository said of itself after a 503
	after  time.Duration // how long it wants to be left alone, if longer than we wait here
	last   error         // why the last attempt failed
	began  time.Time     // the first one failed
}

// make makes them. Whoever gets an answer closes it.
func (a *attempts) make(r *retryablehttp.Request) (*http.Response, error) {
	config := a.client.config
	defer a.client.hitches.over(a)
	repeating := retryablehttp.Client{
		HTTPClient:   a.http,
		RetryWaitMin: config.Wait, RetryWaitMax: config.MaxWait, RetryMax: max(config.Retries, 0),
		CheckRetry: a.again, Backoff: a.backoff, ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	answer, err := repeating.Do(r)
	if err != nil && answer != nil {
		answer.Body.Close()
	}
	return answer, err
}

// again says whether one more attempt may help.
func (a *attempts) again(ctx context.Context, answer *http.Response, err error) (bool, error) {
	a.state, a.after = "", 0
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		a.last = a.failure(ctx, err)
		return passing(err) && (!a.once || unsent(err)), nil
	}
	a.last = &Error{Kind: kindOf(answer.StatusCode, true, ""), Status: answer.StatusCode}
	switch answer.StatusCode {
	case http.StatusTooManyRequests:
		pause := a.client.config.Wait
		if asked, ok := retryAfter(answer); ok {
			if pause = asked; pause > a.client.config.MaxWait {
				a.after = min(pause, longest)
				return false, nil
			}
		}
		a.client.gate.rest(pause)
		return true, nil
	case http.StatusServiceUnavailable:
		if a.http == a.client.api {
			a.state = a.client.ask(ctx)
		}
		if asked, ok := retryAfter(answer); ok && asked > a.client.config.MaxWait {
			a.after = min(asked, longest)
			return false, nil
		}
		return a.state != ReadOnly && a.state != Down && !a.once, nil
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusGatewayTimeout:
		return !a.once, nil
	}
	return false, nil
}

// ask asks once how the repository is; empty where it does not say.
func (c *Client) ask(ctx context.Context) State {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.endpoint+"/repo/v1/status", nil)
	if err != nil {
		return ""
	}
	answer, err := c.storage.Do(r) // needs no token
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	var status struct {
		Status State `json:"status"`
	}
	if json.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(&status) != nil {
		return ""
	}
	return status.Status
}

// longest is the longest rest that the repository is believed to want.
const longest = 15 * time.Minute

// backoff gives the wait after attempt n, which failed, and notes until when it is.
func (a *attempts) backoff(least, most time.Duration, n int, answer *http.Response) time.Duration {
	wait, now := backoff(least, most, n, answer), a.client.config.Now()
	if a.began.IsZero() {
		a.began = now
	}
	a.client.hitches.failed(a, Hitch{a.last, a.began, now.Add(wait)})
	return wait
}

// backoff gives the wait after attempt n, counted from 0: what the repository
// asks for, else a doubling wait with jitter.
func backoff(least, most time.Duration, n int, answer *http.Response) time.Duration {
	if answer != nil {
		if asked, ok := retryAfter(answer); ok {
			return min(asked, most)
		}
	}
	wait := min(least<<min(n, 16), most)
	return wait/2 + rand.N(wait/2+1)
}

// retryAfter reads the header of that name.
func retryAfter(answer *http.Response) (time.Duration, bool) {
	text := answer.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0), true
	}
	return 0, false
}

// read reads an answer. Nothing but the repository's own JSON is success.
func (a *attempts) read(answer *http.Response, r request, to any) error {
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, answerLimit+1))
	if err != nil {
		return err
	}
	text = bytes.TrimSpace(text)
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return parse(answer.StatusCode, text)
	}
	if len(text) == 0 && r.empty {
		return nil
	}
	if kind := answer.Header.Get("Content-Type"); r.plain != nil && strings.HasPrefix(kind, "text/plain") {
		*r.plain = string(text)
		return nil
	} else if r.plain != nil {
		return &Error{Kind: ErrAway, Status: answer.StatusCode, Reason: foreign}
	}
	if to == nil {
		to = &struct{}{}
	}
	if len(text) == 0 || text[0] != '{' || json.Unmarshal(text, to) != nil {
		return &Error{Kind: ErrAway, Status: answer.StatusCode, Reason: foreign, Unknown: true}
	}
	if r.seen != nil {
		*r.seen = answer.StatusCode
	}
	return nil
}
