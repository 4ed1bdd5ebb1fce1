package synapsetest

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// plain is an answer that is text and no JSON.
type plain string

// moved is an answer that leads elsewhere.
type moved string

func (s *Server) routeDownloads() {
	s.mux.HandleFunc("GET /storage/{signature}", s.readObject)
	s.route("GET /file/v1/fileHandle/{id}/url", "download", func(c *call) (int, any, error) {
		h, err := s.handleOf(c)
		if err != nil {
			return 0, nil, err
		}
		if h == nil {
			return 0, nil, missing("FileHandle with id: '" + c.PathValue("id") + "' does not exist")
		}
		signature := fmt.Sprintf("signature-%d", s.next())
		s.reads[signature] = h
		link := s.URL + "/storage/" + signature + "?X-Amz-Signature=" + signature
		if c.URL.Query().Get("redirect") == "false" {
			return http.StatusOK, plain(link), nil
		}
		return http.StatusTemporaryRedirect, moved(link), nil
	})
	s.route("DELETE /file/v1/fileHandle/{id}", "modify", s.deleteHandle)
}

// handleOf gives the handle that a call names, which is its maker's alone; nil: there
// is none.
func (s *Server) handleOf(c *call) (*handle, error) {
	h := s.handles[c.PathValue("id")]
	if h != nil && h.CreatedBy != strconv.FormatInt(c.user.ID, 10) {
		return nil, forbidden("Only the creator of a FileHandle can access it directly by its ID. FileHandleId = '" + h.ID + "'")
	}
	return h, nil
}

// deleteHandle deletes a handle that no entity has, in the trash either. One that is
// not there is deleted already.
func (s *Server) deleteHandle(c *call) (int, any, error) {
	h, err := s.handleOf(c)
	if h == nil || err != nil {
		return http.StatusOK, nil, err
	}
	for _, e := range s.entities {
		if e.DataFileHandleID == h.ID {
			return 0, nil, taken("Cannot delete a FileHandle that is linked to an entity")
		}
	}
	delete(s.handles, h.ID)
	for id, u := range s.uploads {
		if u.handle == h.ID {
			delete(s.uploads, id)
		}
	}
	s.note("delete", h.ID)
	return http.StatusOK, nil, nil
}

// readObject is the object storage behind links that read.
func (s *Server) readObject(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	h := s.reads[r.PathValue("signature")]
	s.mu.Unlock()
	status, code := http.StatusForbidden, "AccessDenied"
	switch {
	case r.Header.Get("Authorization") != "":
		status, code = http.StatusBadRequest, "InvalidArgument"
	case h != nil && r.URL.Query().Get("X-Amz-Signature") == r.PathValue("signature"):
		w.Header().Set("Content-Type", h.ContentType)
		_, _ = w.Write(h.bytes) // the caller may have hung up
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code></Error>")
}

// Handles counts the file handles that there are.
func (s *Server) Handles() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.handles)
}
