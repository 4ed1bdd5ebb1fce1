package api

import (
	"fmt"
	"io"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
)

// LocalRoute answers what Bridge has no word for.
type LocalRoute struct {
	Pattern string // of http.ServeMux

	// Answer gives what is written as JSON, or a Stream. Its errors become
	// statuses as everywhere here.
	Answer func(*http.Request) (any, error)
}

// Stream is an answer that is written bit by bit.
type Stream struct {
	ContentType string
	Write       func(io.Writer) error
}

// BadRequest is the error of a request that cannot be understood; text says
// what is wrong with it.
func BadRequest(text string) error { return call.BadRequest(text) }

// local lets admins ask a local route.
func (s *Server) local(door call.Door, route LocalRoute) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := door.Require(r, core.RoleAdmin); err != nil {
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
