package api

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"footbridge/core"
	"footbridge/core/upload"
)

// The rules here are: a device deletes its only copy on a 2xx, and on any
// failure but 403, 409, 500 and 503. So 200 means that bytes and row are
// durable; 403, ask for a new slot; 409, send again; 503, try again later. No
// other status is ever answered to a PUT.

const (
	putRoute    = "/put/{id}"
	patience    = 2 * time.Minute // without a single byte from the device
	retryBusy   = 2               // seconds
	retryFailed = 30              // seconds
)

// put takes in the bytes of a slot, and answers the preflight of browsers.
func (s *Server) put(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "ETag")
	switch {
	case r.Method == http.MethodOptions:
		header.Set("Access-Control-Allow-Methods", "PUT")
		if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
			header.Set("Access-Control-Allow-Headers", asked)
		}
		header.Set("Access-Control-Max-Age", "3000")
		w.WriteHeader(http.StatusOK)
		return
	case r.Method != http.MethodPut:
		refusePut(w, http.StatusForbidden, "This address only takes PUT.")
		return
	case !s.ticketed(r, s.config.Now()):
		refusePut(w, http.StatusForbidden, "The upload URL is wrong or has expired. Ask for a new slot and send the file there.")
		return
	}
	defer func() {
		if p := recover(); p != nil {
			s.failPut(w, r, errors.New("the PUT panicked"))
		}
	}()
	select {
	case s.uploads <- struct{}{}:
		defer func() { <-s.uploads }()
	default:
		header.Set("Retry-After", strconv.Itoa(retryBusy))
		refusePut(w, http.StatusServiceUnavailable, "This site is receiving as much as it can. Try again in a moment.")
		return
	}
	declared := upload.Declared{
		Length: r.ContentLength, Type: r.Header.Get("Content-Type"), MD5: r.Header.Get("Content-MD5"),
	}
	body := &attended{from: r.Body, control: http.NewResponseController(w)}
	u, err := s.config.Desk.Receive(r.Context(), core.UploadID(r.PathValue("id")), declared, body)
	switch {
	case err == nil:
		header.Set("ETag", `"`+u.Blob.MD5+`"`)
		w.WriteHeader(http.StatusOK)
	case errors.Is(err, upload.ErrNotAsAgreed):
		refusePut(w, http.StatusForbidden, "Content-Length, Content-Type and Content-MD5 must be those of the slot request. Ask for a new slot that describes this file.")
	case errors.Is(err, core.ErrNotFound):
		refusePut(w, http.StatusForbidden, "This slot is not known here any more. Ask for a new one and send the file there.")
	case errors.Is(err, core.ErrDigestMismatch):
		refusePut(w, http.StatusConflict, "The bytes that arrived do not match Content-Length and Content-MD5, or differ from those that are here. Send the file again.")
	default:
		s.failPut(w, r, err)
	}
}

// failPut answers 503: the device keeps its copy and tries again.
func (s *Server) failPut(w http.ResponseWriter, r *http.Request, err error) {
	text := "The file could not be stored now. Keep it and try again later."
	switch {
	case errors.Is(err, core.ErrNoSpace):
		text = "There is no room on the disk of this site. Keep the file and try again later."
	case r.Context().Err() == nil && !errors.Is(err, io.ErrUnexpectedEOF):
		s.config.Failed(r, err)
	}
	w.Header().Set("Retry-After", strconv.Itoa(retryFailed))
	refusePut(w, http.StatusServiceUnavailable, text)
}

func refusePut(w http.ResponseWriter, status int, text string) {
	kind := map[int]string{
		http.StatusForbidden:          "UnauthorizedException",
		http.StatusConflict:           "ConcurrentModificationException",
		http.StatusServiceUnavailable: "ServiceUnavailableException",
	}[status]
	writeJSON(w, status, errorBody{StatusCode: status, Message: text, Type: kind})
}

// attended is a body that may be slow but not silent.
type attended struct {
	from    io.Reader
	control *http.ResponseController
	until   time.Time
}

func (a *attended) Read(p []byte) (int, error) {
	if now := time.Now(); now.After(a.until.Add(-patience / 2)) { // not at every read: a deadline costs a timer
		a.until = now.Add(patience)
		a.control.SetReadDeadline(a.until) // where it is not supported the body may be silent
	}
	return a.from.Read(p)
}
