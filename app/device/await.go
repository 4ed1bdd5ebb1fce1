package device

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

const (
	firstLook   = 50 * time.Millisecond
	longestLook = 2 * time.Second
)

// await asks for the status until it is final or patience ends.
func (c *Client) await(ctx context.Context, s *sending, status uploadStatus) (uploadStatus, error) {
	path := "/v3/uploadstatuses/" + url.PathEscape(s.note.ID)
	until := c.config.Now().Add(c.config.Patience)
	c.config.Progress(Processing, 0, 1)
	for wait := firstLook; !(Result{Status: status.Status}).Settled(); wait = min(2*wait, longestLook) {
		if c.config.Now().Add(wait).After(until) {
			c.config.Notify(fmt.Sprintf("%s is safe at the site, which is still busy with it", s.file.Name))
			return status, nil
		}
		if err := c.config.Sleep(ctx, wait); err != nil {
			return status, fmt.Errorf("%s is safe at the site: wait for it: %w", s.file.Name, err)
		}
		next := uploadStatus{}
		if err := c.call(ctx, "ask what became of "+s.file.Name, "GET", path, nil, &next); err != nil {
			return status, fmt.Errorf("%s is safe at the site: %w", s.file.Name, err)
		}
		status = next
	}
	c.config.Progress(Processing, 1, 1)
	return status, nil
}
