package api

import (
	"net/http"
	"sync/atomic"
	"time"
)

const (
	trafficWindow = 250 * time.Millisecond
	trafficBusy   = 100 // requests in one window
)

// traffic counts requests in windows of time. Safe for concurrent use.
type traffic struct {
	window atomic.Int64 // number of the current window
	count  atomic.Int64 // of requests in it
	before atomic.Int64 // of requests in the one before it
}

// pass notes one request.
func (t *traffic) pass(now time.Time) {
	t.turn(now)
	t.count.Add(1)
}

// turn begins a new window when the current one is over. Two callers that turn
// at once may lose a few requests from the count, which is an estimate.
func (t *traffic) turn(now time.Time) {
	number := now.UnixNano() / int64(trafficWindow)
	was := t.window.Swap(number)
	switch {
	case was == number:
	case was == number-1:
		t.before.Store(t.count.Swap(0))
	default:
		t.before.Store(0)
		t.count.Store(0)
	}
}

// busy reports whether requests come thick and fast.
func (t *traffic) busy(now time.Time) bool {
	t.turn(now)
	return max(t.before.Load(), t.count.Load()) >= trafficBusy
}

// counted notes every request that a handler answers.
func (t *traffic) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.pass(time.Now())
		h.ServeHTTP(w, r)
	})
}
