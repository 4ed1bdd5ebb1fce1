package uploads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/upload"
)

// The rules here are: a device deletes its only copy on a 2xx, and on any
// failure but 403, 409, 500 and 503. So 200 means that bytes and row are
// durable; 403, ask for a new slot; 409, send again; 503, try again later. No
// other status is ever answered to a PUT.

const (
	putFolder   = "/put/"
	retryBusy   = 2  // seconds
	retryFailed = 30 // seconds

	// refusalPatience is how long a refusal waits for the rest of a short body,
	// which net/http reads before it answers.
	refusalPatience = 2 * time.Second
)

// slotOf gives the slot that a path names; false where it lies elsewhere than
// under /put. However the path is spelt, no redirect and no 404 is answered.
func slotOf(r *http.Request) (core.UploadID, bool) {
	id, ok := strings.CutPrefix(path.Clean("/"+r.URL.Path)+"/", putFolder)
	return core.UploadID(strings.TrimSuffix(id, "/")), ok
}

// Put takes in the bytes of a slot, and answers the preflight of browsers. It is
// false where a request is none to a slot: then nothing was done.
func (h *Handlers) Put(w http.ResponseWriter, r *http.Request) bool {
	id, ok := slotOf(r)
	if ok {
		h.put(w, r, id)
	}
	return ok
}

func (h *Handlers) put(w http.ResponseWriter, r *http.Request, id core.UploadID) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			panic(p)
		} else if p != nil {
			h.failPut(w, r, fmt.Errorf("a PUT panicked: %v", p))
		}
	}()
	r.Pattern = putFolder // for the log, which never sees a ticket
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
	case !h.ticketed(r, id):
		refusePut(w, http.StatusForbidden, "The upload URL is wrong or has expired. Ask for a new slot and send the file there.")
		return
	}
	at, ok := h.Places.take(id, r.ContentLength, h.Now())
	if !ok {
		header.Set("Retry-After", strconv.Itoa(retryBusy))
		refusePut(w, http.StatusServiceUnavailable, "This site is receiving as much as it can. Try again in a moment.")
		return
	}
	defer h.Places.leave(id)
	declared := upload.Declared{
		Length: r.ContentLength, Type: r.Header.Get("Content-Type"), MD5: r.Header.Get("Content-MD5"),
	}
	body := &attended{from: counted{r.Body, at}, control: http.NewResponseController(w), patience: h.Patience}
	u, err := h.Desk.Receive(r.Context(), id, declared, body)
	switch {
	case err == nil:
		header.Set("ETag", `"`+u.Blob.MD5+`"`)
		w.WriteHeader(http.StatusOK)
	case errors.Is(err, upload.ErrNotAsAgreed):
		refusePut(w, http.StatusForbidden, "Content-Length, Content-Type and Content-MD5 must be those of the slot request. Ask for a new slot that describes this file.")
	case errors.Is(err, core.ErrNotFound) && !h.closed(r.Context()):
		refusePut(w, http.StatusForbidden, "This slot is not known here any more. Ask for a new one and send the file there.")
	case errors.Is(err, core.ErrDigestMismatch):
		refusePut(w, http.StatusConflict, "The bytes that arrived do not match Content-Length and Content-MD5, or differ from those that are here. Send the file again.")
	case body.broken:
		retryPut(w, "The file did not arrive whole. Send it again.")
	default:
		h.failPut(w, r, err)
	}
}

// closed tells a store that is closed from one that lacks a row: both read the
// same, but only an open one takes a write.
func (h *Handlers) closed(ctx context.Context) bool {
	_, err := h.Desk.Complete(ctx, "", upload.Completion{}) // no upload has this id
	return errors.Is(err, core.ErrClosed)
}

// failPut answers 503 where this site is at fault.
func (h *Handlers) failPut(w http.ResponseWriter, r *http.Request, err error) {
	text := "The file could not be stored now. Keep it and try again later."
	if errors.Is(err, core.ErrNoSpace) {
		text = "There is no room on the disk of this site. Keep the file and try again later."
	} else if r.Context().Err() == nil {
		h.Failed(r, err)
	}
	retryPut(w, text)
}

// retryPut answers 503: the device keeps its copy and tries again.
func retryPut(w http.ResponseWriter, text string) {
	w.Header().Set("Retry-After", strconv.Itoa(retryFailed))
	refusePut(w, http.StatusServiceUnavailable, text)
}

func refusePut(w http.ResponseWriter, status int, text string) {
	kind := map[int]string{
		http.StatusForbidden:          "UnauthorizedException",
		http.StatusConflict:           "ConcurrentModificationException",
		http.StatusServiceUnavailable: "ServiceUnavailableException",
	}[status]
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusalPatience)) // where it is not supported it waits
	call.Write(w, status, call.ErrorBody{StatusCode: status, Message: text, Type: kind})
}

// attended is a body that may be slow but not silent.
type attended struct {
	from     io.Reader
	control  *http.ResponseController
	patience time.Duration
	until    time.Time
	broken   bool // the device went away, or fell silent
}

func (a *attended) Read(p []byte) (int, error) {
	if now := time.Now(); now.After(a.until.Add(-a.patience / 2)) { // not at every read: a deadline costs a timer
		a.until = now.Add(a.patience)
		a.control.SetReadDeadline(a.until) // where it is not supported the body may be silent
	}
	n, err := a.from.Read(p)
	a.broken = a.broken || err != nil && err != io.EOF
	return n, err
}
