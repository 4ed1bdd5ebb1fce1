package notify

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
)

// Outbox is where notices wait for receivers. Safe for concurrent use.
type Outbox interface {
	// ClaimNotice leases the next receiver that is due, and gives the oldest notice
	// that it may be told now; false where there is none. A lease ends with
	// SettleNotice or the program.
	ClaimNotice(ctx context.Context) (core.Delivery, bool, error)

	// SettleNotice notes how telling a leased receiver went and ends the lease: the
	// notice was delivered, or is due again. Where the receiver ended, nothing is due
	// for it any more. Idempotent.
	SettleNotice(ctx context.Context, d core.Delivery) error
}

// Config says what a worker works with.
type Config struct {
	Outbox Outbox
	Line   http.RoundTripper // nil: NewLine's

	// Closed says why nothing is sent at present; no reason: all is open. nil: it
	// always is.
	Closed func() (reason core.ExportReason, since, until time.Time)

	Now func() time.Time
}

const (
	patience  = 15 * time.Second // for one answer
	answerMax = 16 << 10         // bytes that are read of one
)

// Worker tells receivers. Several goroutines may share it.
type Worker struct{ config Config }

// NewWorker makes a worker.
func NewWorker(config Config) *Worker {
	if config.Line == nil {
		config.Line = NewLine()
	}
	return &Worker{config}
}

// Step tells one receiver one notice, once; false where nothing is due, or nothing
// may be sent. A receiver that did not take it is an error, and due again later.
func (w *Worker) Step(ctx context.Context) (bool, error) {
	if w.config.Closed != nil {
		if reason, _, _ := w.config.Closed(); reason != core.ReasonNone {
			return false, nil
		}
	}
	d, ok, err := w.config.Outbox.ClaimNotice(ctx)
	if err != nil || !ok {
		return false, err
	}
	answered := w.guard(ctx, d)
	if ctx.Err() == nil { // else nothing is known of how it went
		judge(&d, answered, w.config.Now().UTC())
	}
	crash.Point("notify.told")
	if err := w.config.Outbox.SettleNotice(context.WithoutCancel(ctx), d); err != nil {
		return false, fmt.Errorf("settle a notice for %s: %w", d.Subscription.ID, err)
	}
	if d.Delivered || ctx.Err() != nil {
		return true, nil
	}
	return true, fmt.Errorf("tell subscription %s: %s", d.Subscription.ID, d.Subscription.Why)
}

// answer is what a receiver made of one attempt.
type answer struct {
	status int           // 0: there was none
	after  time.Duration // it asked to wait so long
	why    error         // there was none
}

// guard tells; a panic is no answer, so that the lease ends.
func (w *Worker) guard(ctx context.Context, d core.Delivery) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{why: ownError(fmt.Sprintf("telling panicked: %v", p))}
		}
	}()
	return w.tell(ctx, d)
}

// tell makes one attempt. Redirects are answers like any other.
func (w *Worker) tell(ctx context.Context, d core.Delivery) answer {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Subscription.Endpoint, bytes.NewReader(d.Notice.Body))
	if err != nil {
		return answer{why: ownError("its endpoint is no URL")}
	}
	now := w.config.Now()
	if err := sign(r, d.Notice, d.Subscription.Secret, now); err != nil {
		return answer{why: ownError(err.Error())}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Footbridge")
	r.Header["Idempotency-Key"] = nil // lets net/http repeat it on a connection that had gone stale; it is not sent
	got, err := w.config.Line.RoundTrip(r)
	if err != nil {
		return answer{why: err}
	}
	defer got.Body.Close()
	io.Copy(io.Discard, io.LimitReader(got.Body, answerMax)) // the status is all that counts
	return answer{status: got.StatusCode, after: retryAfter(got.Header.Get("Retry-After"), now)}
}

// retryAfter reads seconds or a time.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil {
		return min(time.Duration(max(seconds, 0)), restMax/time.Second) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
