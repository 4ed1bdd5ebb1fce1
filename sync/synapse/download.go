package synapse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/hashicorp/go-retryablehttp"

	"footbridge/core"
)

// Read gives the bytes of a file handle of the caller's own, which must not be more
// than limit. Errors: core.ErrDigestMismatch where they are.
func (c *Client) Read(ctx context.Context, handle string, limit int64) ([]byte, error) {
	var link string
	err := c.do(ctx, request{method: http.MethodGet, path: "/file/v1/fileHandle/" + handle + "/url?redirect=false", plain: &link}, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for a file: %w", err)
	}
	text, err := c.fetch(ctx, link, limit)
	if err != nil {
		return nil, fmt.Errorf("read a file: %w", err)
	}
	return text, nil
}

// fetch gets what is behind a signed link, which takes no token. Errors: *Error,
// without the link.
func (c *Client) fetch(ctx context.Context, link string, limit int64) ([]byte, error) {
	at, err := url.Parse(link)
	if err != nil || at.Host == "" || at.Scheme != "https" && !loopback(at.Hostname()) {
		return nil, &Error{Kind: ErrAway, Reason: foreign}
	}
	r, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return nil, &Error{Kind: ErrAway, Reason: foreign}
	}
	attempts := &attempts{client: c, http: c.storage}
	answer, err := attempts.make(r)
	if err != nil {
		return nil, attempts.failure(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, &Error{Kind: ErrAway, Status: answer.StatusCode, Reason: "the storage does not give it"}
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	switch {
	case err != nil:
		return nil, attempts.failure(ctx, err)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("read more than %d bytes: %w", limit, core.ErrDigestMismatch)
	}
	return text, nil
}

// Delete deletes an entity and all in it, past the trash. One that is not there is
// deleted already. May be repeated.
func (c *Client) Delete(ctx context.Context, id EntityID) error {
	err := c.do(ctx, request{method: http.MethodDelete, path: "/repo/v1/entity/" + string(id) + "?skipTrashCan=true", empty: true}, nil)
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return fmt.Errorf("delete %s: %w", id, err)
	}
	if _, err = c.entity(ctx, id); err == nil { // an empty answer may be anyone's
		err = &Error{Kind: ErrAway, Reason: "it is still there"}
	}
	if !errors.Is(err, core.ErrNotFound) {
		return fmt.Errorf("delete %s: %w", id, err)
	}
	return nil
}

// Discard deletes a file handle of the caller's own. One that a file had just now may
// still be linked for a while: the repository removes it by itself then. May be
// repeated.
func (c *Client) Discard(ctx context.Context, handle string) error {
	err := c.do(ctx, request{method: http.MethodDelete, path: "/file/v1/fileHandle/" + handle, empty: true}, nil)
	if err != nil && !errors.Is(err, core.ErrExists) && !errors.Is(err, core.ErrNotFound) {
		return fmt.Errorf("delete a file handle: %w", err)
	}
	return nil
}
