package device

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"footbridge/core"
)

// mayHeal are the answers to a PUT after which a device keeps trying. With any
// other it would be wrong to go on.
var mayHeal = []int{http.StatusForbidden, http.StatusConflict, http.StatusInternalServerError, http.StatusServiceUnavailable}

// diskSpeed is what a slow disk of a site takes, in bytes per second: after the
// last byte the site makes everything durable before it answers.
const diskSpeed = 16 << 20

// put sends the bytes to the slot once, and says for how long they flowed.
// Errors: *core.Later, *Refused, ErrChanged, those of the file.
func (c *Client) put(ctx context.Context, s *sending) (flowed time.Duration, err error) {
	doing := "send " + s.file.Name
	target, err := url.Parse(s.note.URL)
	if err != nil || target.Host == "" || target.Scheme != "https" && target.Scheme != "http" {
		return 0, errors.New(doing + ": the site gave an address to send to that cannot be used")
	}
	if c.site.Scheme == "https" && target.Scheme != "https" {
		return 0, errors.New(doing + ": the site gave an address to send to that is not protected by TLS")
	}
	from, err := s.open()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(c.config.Silence, func() { cancel(context.DeadlineExceeded) })
	defer silent.Stop()
	began := c.config.Now()
	b := &body{from: from, length: s.note.Length, moved: func(done int64) {
		patience := c.config.Silence
		if done == s.note.Length {
			patience += time.Duration(done/diskSpeed) * time.Second
		}
		silent.Reset(patience)
		flowed = c.config.Now().Sub(began)
		c.config.Progress(Sending, done, s.note.Length)
	}}
	defer b.Close()
	request, err := http.NewRequestWithContext(limited, http.MethodPut, s.note.URL, b)
	if err != nil {
		return 0, errors.New(doing + ": the site gave an address to send to that cannot be used")
	}
	request.ContentLength = s.note.Length
	request.Header.Set("Content-MD5", s.note.MD5)
	request.Header.Set("Content-Type", s.file.ContentType)
	request.Header.Set("User-Agent", c.config.UserAgent)
	request.Header.Set("Expect", "100-continue") // a site that cannot take it says so first
	c.config.Progress(Sending, 0, s.note.Length)
	s.puts++
	answer, err := c.http.Do(request)
	failure := b.end()
	switch {
	case err != nil && failure != nil:
		return flowed, fmt.Errorf("%s: %w", doing, failure)
	case err != nil && ctx.Err() == nil && context.Cause(limited) != nil:
		return flowed, c.unanswered(ctx, doing, context.Cause(limited))
	case err != nil:
		return flowed, c.unanswered(ctx, doing, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 == 2 {
		return flowed, nil
	}
	raw, _ := io.ReadAll(io.LimitReader(answer.Body, 64<<10)) // the status counts, words are a bonus
	refused := c.refusal(doing, answer, raw)
	if slices.Contains(mayHeal, refused.Status) {
		return flowed, &core.Later{After: retryAfter(answer, c.config.Now()), Err: refused}
	}
	return flowed, refused
}

// body is the body of a PUT. The transport may go on reading after it gave an
// answer, so an end can be put to it.
type body struct {
	mu      sync.Mutex
	from    io.ReadCloser
	length  int64
	done    int64
	moved   func(done int64)
	failure error // of the file
	ended   bool
}

// Read gives exactly length bytes.
func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.done == b.length {
		return 0, io.EOF
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.length-b.done)])
	b.done += int64(n)
	if n > 0 {
		b.moved(b.done)
	}
	switch {
	case err == io.EOF && b.done < b.length:
		err = ErrChanged // it became shorter
		fallthrough
	case err != nil && err != io.EOF:
		b.failure = err
	}
	return n, err
}

// Close closes the file.
func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil
	}
	b.ended = true
	return b.from.Close()
}

// end stops the body and gives what was wrong with the file.
func (b *body) end() error {
	b.Close()
	return b.failure
}
