package device

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"footbridge/core"
)

// answerMax is the most that is read of an answer, in bytes.
const answerMax = 16 << 20

// call asks the site for something in the name of the participant, and goes on
// asking while that may help. A session that ended is renewed once.
func (c *Client) call(ctx context.Context, doing, method, path string, in, out any) error {
	renewed := false
	return c.persist(ctx, func() error {
		err := c.ask(ctx, doing, method, path, in, out)
		if renewed || !errors.Is(err, core.ErrNotAuthenticated) {
			return err
		}
		renewed = true
		if err := c.SignIn(ctx); err != nil {
			return err
		}
		return c.ask(ctx, doing, method, path, in, out)
	})
}

// ask asks once. Errors: *core.Later, *Refused, those of the network that do
// not pass.
func (c *Client) ask(ctx context.Context, doing, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("%s: write request: %w", doing, err)
		}
		body = bytes.NewReader(raw)
	}
	limited, cancel := context.WithTimeout(ctx, c.config.Silence)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, method, c.site.String()+path, body)
	if err != nil {
		return fmt.Errorf("%s: make request: %w", doing, err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", c.config.UserAgent)
	if in != nil {
		request.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	if c.token != "" {
		request.Header.Set("Bridge-Session", c.token)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return c.unanswered(ctx, doing, err)
	}
	defer answer.Body.Close()
	c.heard = true
	raw, err := io.ReadAll(io.LimitReader(answer.Body, answerMax))
	if err != nil {
		return c.unanswered(ctx, doing, err)
	}
	if answer.StatusCode/100 != 2 {
		return c.judged(answer, c.refusal(doing, answer, raw))
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("%s: what answers there is no upload site. Check the address", doing)
	}
	return nil
}

// judged says whether a refusal may turn into a yes by itself.
func (c *Client) judged(answer *http.Response, refused *Refused) error {
	switch status := refused.Status; {
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return &core.Later{After: retryAfter(answer, c.config.Now()), Err: refused}
	}
	return refused
}
