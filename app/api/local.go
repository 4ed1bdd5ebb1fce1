package api

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
)

// LocalRoute answers what Bridge has no word for.
type LocalRoute struct {
	Pattern string // of http.ServeMux
	For     Audience
	Deed    core.DeedKind // what is done by it, for the audit; may be empty

	// Answer gives what is written as JSON, or a Stream. Its errors become
	// statuses as everywhere here.
	Answer func(*http.Request) (any, error)
}

// Unavailable is the error of a site that cannot do it now; text says why.
func Unavailable(text string) error {
	return &call.Error{Status: http.StatusServiceUnavailable, Kind: "ServiceUnavailableException", Text: text}
}

// Message is an answer that only says something.
func Message(text string) any { return call.StatusMessage(text) }

// Audience is who may ask a local route.
type Audience string

// The audiences. What everyone may ask tells nothing of anybody.
const (
	Admins      Audience = ""
	ThisMachine Audience = "this machine" // and admins
	Everyone    Audience = "everyone"
)

// Stream is an answer that is written bit by bit.
type Stream struct {
	ContentType string
	Write       func(io.Writer) error

	// Live says that the answer may last as long as it likes, and that each piece of
	// it goes out at once.
	Live bool
}

// livePatience is how long a caller may take for a piece of a live answer.
const livePatience = 30 * time.Second

// live sends each piece at once. Deadlines are not supported everywhere; there it
// takes as long as it takes.
type live struct {
	io.Writer
	control *http.ResponseController
}

func (l live) Write(piece []byte) (int, error) {
	l.control.SetWriteDeadline(time.Now().Add(livePatience))
	n, err := l.Writer.Write(piece)
	if err == nil {
		err = l.control.Flush()
	}
	return n, err
}

// writer is where a stream goes to, and what is to be done behind it.
func (s Stream) writer(w http.ResponseWriter) (io.Writer, func()) {
	if !s.Live {
		return w, func() {}
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // that of the request would end the answer
	return live{w, control}, func() { control.SetWriteDeadline(time.Time{}) }
}

// BadRequest is the error of a request that cannot be understood; text says
// what is wrong with it.
func BadRequest(text string) error { return call.BadRequest(text) }

// let is nil where the caller belongs to an audience. Errors: those of
// call.Door.Require.
func (a Audience) let(door call.Door, r *http.Request) error {
	here := a == ThisMachine && net.ParseIP(call.Address(r)).IsLoopback()
	if a == Everyone || here {
		return nil
	}
	_, err := door.Require(r, core.RoleAdmin)
	return err
}

// local lets its audience ask a local route.
func (s *Server) local(door call.Door, route LocalRoute) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := route.For.let(door, r); err != nil {
			return err
		}
		result, err := route.Answer(r)
		if err != nil {
			return err
		}
		stream, ok := result.(Stream)
		if !ok {
			call.Write(w, http.StatusOK, result)
			return nil
		}
		w.Header().Set("Content-Type", stream.ContentType)
		to, done := stream.writer(w)
		defer done()
		if err := stream.Write(to); err != nil {
			s.config.Failed(r, fmt.Errorf("write an answer: %w", err))
			panic(http.ErrAbortHandler) // nobody may take a part for the whole
		}
		return nil
	}
}
