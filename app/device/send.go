package device

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"footbridge/core"
)

// Result is what became of a file.
type Result struct {
	ID       string          // of the upload
	Status   string          // requested, validation_in_progress, validation_failed, succeeded or duplicate
	Messages []string        // of the site, about the upload
	Record   json.RawMessage // the health data record, once there is one
	Attempts int             // how often bytes were sent by this call
	Bytes    int64           // sent each time, encryption included
}

// Settled reports whether the site is done with the upload.
func (r Result) Settled() bool {
	switch r.Status {
	case "validation_failed", "succeeded", "duplicate":
		return true
	}
	return false
}

// Send sends a file in three steps: slot, PUT, complete. The file is safe at the
// site once it returns nil; what the site found out about it is no error. The
// same file may be sent again after any error: bytes that are there already are
// not sent twice. Errors: those of SignIn, *Refused, ErrChanged, ErrGaveUp, those
// of the file and of ctx. With Wait an error may come with a Result: the file is
// safe but its fate is not known.
func (c *Client) Send(ctx context.Context, file File) (Result, error) {
	if c.wrong != nil {
		return Result{}, c.wrong
	}
	if c.token == "" { // before a large file is sealed in vain
		if err := c.SignIn(ctx); err != nil {
			return Result{}, err
		}
	}
	s, err := c.prepare(ctx, file)
	if err != nil {
		return Result{}, err
	}
	status, err := c.upload(ctx, s)
	var refused *Refused
	unwanted := errors.As(err, &refused) && refused.Status == http.StatusBadRequest && s.note.Step == stepReady
	if err == nil || unwanted || errors.Is(err, ErrChanged) || file.Path == "" { // nothing is left to go on with
		s.forget()
	}
	c.slot = ""
	result := Result{ID: s.note.ID, Attempts: s.puts, Bytes: s.note.Length}
	if err != nil {
		return result, err
	}
	if c.config.Wait {
		status, err = c.await(ctx, s, status)
	}
	result.Status, result.Messages, result.Record = status.Status, status.Messages, status.Record
	return result, err
}

// uploadStatus is an UploadValidationStatus.
type uploadStatus struct {
	Status   string          `json:"status"`
	Messages []string        `json:"messageList"`
	Record   json.RawMessage `json:"record"`
}

// upload takes the steps that are left.
func (c *Client) upload(ctx context.Context, s *sending) (uploadStatus, error) {
	noted := s.note.Step == stepPut
	for {
		if s.note.Step != stepPut {
			if err := c.deliver(ctx, s); err != nil {
				return uploadStatus{}, err
			}
		}
		status, err := c.complete(ctx, s)
		if !noted || !errors.Is(err, core.ErrNotFound) {
			return status, err
		}
		// An earlier run's bytes are not there any more; this run still has them.
		noted = false
		if err := c.again(ctx, s); err != nil {
			return uploadStatus{}, err
		}
	}
}

// again prepares to send bytes that the site had and lost.
func (c *Client) again(ctx context.Context, s *sending) error {
	s.note.Step, s.note.ID, s.note.URL = stepReady, "", ""
	if s.holds(s.note) {
		return nil
	}
	if err := c.describe(ctx, s, s.note.Source); err != nil {
		return fmt.Errorf("send %s: %w", s.file.Name, err)
	}
	c.keep(s)
	return nil
}

// slotMargin is how long a slot has to last to be used.
const slotMargin = 30 * time.Minute

// deliver gets the bytes to the site, through as many slots as it takes.
func (c *Client) deliver(ctx context.Context, s *sending) error {
	failures := &row{client: c}
	for {
		if s.note.URL == "" || s.note.Expires.Before(c.config.Now().Add(slotMargin)) {
			if err := c.begin(ctx, s); err != nil {
				return err
			}
		}
		c.slot = s.note.URL
		flowed, err := c.put(ctx, s)
		failures.excuse(flowed)
		if err == nil {
			s.note.Step = stepPut
			c.keep(s)
			return nil
		}
		var later *core.Later
		if !errors.As(err, &later) {
			return err
		}
		var refused *Refused
		if errors.As(later.Err, &refused) {
			switch refused.Status {
			case http.StatusForbidden:
				s.note.URL = ""
			case http.StatusConflict:
				if err := c.unchanged(ctx, s); err != nil {
					return err
				}
			}
		}
		if err := failures.again(ctx, later); err != nil {
			return err
		}
	}
}

// unchanged finds out whether it was us who sent other bytes than promised.
func (c *Client) unchanged(ctx context.Context, s *sending) error {
	sum, length, err := c.measure(ctx, s.open, s.note.Length)
	if err == nil && (sum != s.note.MD5 || length != s.note.Length) {
		err = ErrChanged
	}
	if err != nil {
		return fmt.Errorf("send %s: %w", s.file.Name, err)
	}
	return nil
}

// uploadRequest is an UploadRequest.
type uploadRequest struct {
	Name          string         `json:"name"`
	ContentLength int64          `json:"contentLength"`
	ContentType   string         `json:"contentType"`
	ContentMD5    string         `json:"contentMd5"`
	Encrypted     bool           `json:"encrypted"`
	Zipped        bool           `json:"zipped"`
	Metadata      map[string]any `json:"metadata,omitempty"`
	Type          string         `json:"type"`
}

// begin asks for a slot. For bytes that are not completed it is always the same.
func (c *Client) begin(ctx context.Context, s *sending) error {
	doing := "ask for a slot for " + s.file.Name
	asked := uploadRequest{
		Name: s.file.Name, ContentLength: s.note.Length, ContentType: s.file.ContentType, ContentMD5: s.note.MD5,
		Encrypted: s.file.Encrypt != nil, Zipped: s.file.Zipped, Metadata: s.file.Metadata, Type: "UploadRequest",
	}
	var slot struct {
		ID      string    `json:"id"`
		URL     string    `json:"url"`
		Expires time.Time `json:"expires"`
	}
	if err := c.call(ctx, doing, "POST", "/v3/uploads", asked, &slot); err != nil {
		return err
	}
	if slot.ID == "" || slot.URL == "" {
		return errors.New(doing + ": what answers there is no upload site. Check the address")
	}
	s.note.ID, s.note.URL, s.note.Expires, s.note.Step = slot.ID, slot.URL, slot.Expires, stepSlot
	c.keep(s)
	return nil
}

// complete says that all bytes are there. To say it again does no harm.
func (c *Client) complete(ctx context.Context, s *sending) (status uploadStatus, err error) {
	path := "/v3/uploads/" + url.PathEscape(s.note.ID) + "/complete?synchronous=false"
	return status, c.call(ctx, "complete "+s.file.Name, "POST", path, nil, &status)
}
