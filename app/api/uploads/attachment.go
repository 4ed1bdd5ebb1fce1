package uploads

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/bundle"
)

// The rules here are: whoever may see the record of an upload may have what it
// refers to. Nobody may take a part for the whole: the last byte goes out once all
// of them proved right.

// attachment gives a file of a record: one of its attachments, or all that was
// uploaded, as it was before the device sealed it.
func (h *Handlers) attachment(w http.ResponseWriter, r *http.Request) error {
	u, err := h.readable(r)
	if err != nil {
		return err
	}
	if u.Record == nil {
		return call.NotFound("HealthData", "There is no record with this id. An upload has one once it was processed.")
	}
	open := func() (io.ReadCloser, error) { return h.Plain(r.Context(), u) }
	if a, ok := u.Record.Attachment(r.PathValue("attachment")); ok {
		return h.send(w, r, a, func(to io.Writer) error { return bundle.Extract(open, a, to) })
	}
	if r.PathValue("attachment") != u.RawID() {
		return call.NotFound("Attachment", "The record has no attachment with this id. Its data says which it has; rawDataAttachmentId is that of all that was uploaded.")
	}
	raw := core.Attachment{ID: u.RawID(), Digest: u.Record.Plain, ContentType: u.Request.ContentType}
	return h.send(w, r, raw, func(to io.Writer) error {
		plain, err := open()
		if err != nil {
			return err
		}
		defer plain.Close()
		_, err = io.Copy(to, plain)
		return err
	})
}

// send answers with what write writes. A failure before its first byte is an
// error; a later one breaks the connection.
func (h *Handlers) send(w http.ResponseWriter, r *http.Request, a core.Attachment, write func(io.Writer) error) error {
	header := w.Header()
	contentType := a.ContentType
	if _, _, err := mime.ParseMediaType(contentType); err != nil {
		contentType = "application/octet-stream"
	}
	body := &withheld{to: w, begin: func() {
		header.Set("Content-Type", contentType)
		header.Set("Content-Length", strconv.FormatInt(a.Size, 10))
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.FileName()}))
		header.Set("ETag", `"`+a.MD5+`"`)
		header.Set("Content-Security-Policy", "sandbox") // a device wrote it
	}}
	if r.Header.Get("If-None-Match") == `"`+a.MD5+`"` {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	err := write(body)
	if err == nil {
		err = body.release()
	}
	if err == nil || !body.begun {
		return err
	}
	if r.Context().Err() == nil {
		h.Failed(r, fmt.Errorf("send an attachment: %w", err))
	}
	panic(http.ErrAbortHandler)
}

// withheld keeps the last byte of what is written until it is released.
type withheld struct {
	to    io.Writer
	begin func() // called before the first byte goes out
	begun bool
	last  []byte
}

// Write passes on all but the last byte.
func (h *withheld) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(h.last) > 0 || len(p) > 1 {
		if err := h.pass(h.last); err != nil {
			return 0, err
		}
		if err := h.pass(p[:len(p)-1]); err != nil {
			return 0, err
		}
	}
	h.last = append(h.last[:0], p[len(p)-1])
	return len(p), nil
}

func (h *withheld) pass(p []byte) error {
	if !h.begun {
		h.begun = true
		h.begin()
	}
	_, err := h.to.Write(p)
	return err
}

// release passes on the last byte.
func (h *withheld) release() error { return h.pass(h.last) }
