package api

import (
	"fmt"
	"io"
	"net"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
)

// LocalRoute answers what Bridge has no word for.
type LocalRoute struct {
	Pattern string // of http.ServeMux
	For     Audience

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
		if err := stream.Write(w); err != nil {
			s.config.Failed(r, fmt.Errorf("write an answer: %w", err))
			panic(http.ErrAbortHandler) // nobody may take a part for the whole
		}
		return nil
	}
}
