package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"footbridge/app/api"
	"footbridge/core"
)

const (
	heartbeat    = 15 * time.Second       // of a stream in which nothing happens
	eventRest    = 200 * time.Millisecond // between two looks, however much happens
	eventsAtOnce = 100
)

// events gives every notice as it is made, as server-sent events, until the
// caller goes or the appliance ends.
func (h *Handlers) events(r *http.Request) (any, error) {
	last := r.Header.Get("Last-Event-ID")
	if after := r.URL.Query().Get("after"); after != "" {
		last = after
	}
	changes := false
	if text := r.URL.Query().Get("changes"); text != "" {
		var err error
		if changes, err = strconv.ParseBool(text); err != nil {
			return nil, api.BadRequest("Query parameter changes must be true or false.")
		}
	}
	after, err := h.Store.NoticesSince(r.Context(), core.NoticeID(last))
	if err != nil {
		return nil, err
	}
	return api.Stream{ContentType: "text/event-stream; charset=utf-8", Live: true, Write: func(w io.Writer) error {
		ctx, stop := context.WithCancel(r.Context())
		defer stop()
		go func() { // ends with the stream
			select {
			case <-h.Ending:
				stop()
			case <-ctx.Done():
			}
		}()
		s := events{w: w, after: after, changes: changes}
		if err := s.write(": footbridge\n\n"); err != nil {
			return nil
		}
		err := h.stream(ctx, &s)
		if ctx.Err() != nil || errors.Is(err, errGone) || errors.Is(err, core.ErrClosed) {
			return nil
		}
		return err
	}}, nil
}

// errGone says that nobody listens any more.
var errGone = errors.New("the listener is gone")

// events is one stream of server-sent events.
type events struct {
	w       io.Writer
	after   uint64 // number of the last notice that was written
	changes bool   // every ring of the bell is an event
	heard   uint64 // revision that was written
	written time.Time
}

func (s *events) write(text string) error {
	s.written = time.Now()
	if _, err := io.WriteString(s.w, text); err != nil {
		return errGone
	}
	return nil
}

// stream writes what happens until ctx ends or an error comes.
func (h *Handlers) stream(ctx context.Context, s *events) error {
	for {
		revision := h.Store.Revision()
		for more := true; more; {
			notices, err := h.Store.Notices(ctx, s.after, eventsAtOnce)
			if err != nil {
				return err
			}
			for _, n := range notices {
				if err := s.write(fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", n.ID, n.Type, n.Body)); err != nil {
					return err
				}
				s.after = n.Number
			}
			more = len(notices) == eventsAtOnce && ctx.Err() == nil
		}
		if s.changes && s.heard != revision {
			if err := s.write(fmt.Sprintf("event: changed\ndata: {\"revision\":%d}\n\n", revision)); err != nil {
				return err
			}
			s.heard = revision
		}
		if err := h.await(ctx, s, revision); err != nil {
			return err
		}
	}
}

// await waits for the bell, and keeps the line alive meanwhile.
func (h *Handlers) await(ctx context.Context, s *events, revision uint64) error {
	for {
		waiting, stop := context.WithTimeout(ctx, heartbeat-min(time.Since(s.written), heartbeat))
		_, err := h.Store.Wait(waiting, revision)
		stop()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Since(s.written) >= heartbeat {
			if err := s.write(": all is quiet\n\n"); err != nil {
				return err
			}
		}
		if err != nil {
			continue
		}
		select {
		case <-time.After(eventRest):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
