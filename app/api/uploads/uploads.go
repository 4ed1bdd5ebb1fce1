package uploads

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/upload"
)

// uploadRequest is an UploadRequest.
type uploadRequest struct {
	Name          string                     `json:"name"`
	ContentLength int64                      `json:"contentLength"`
	ContentType   string                     `json:"contentType"`
	ContentMD5    string                     `json:"contentMd5"`
	Encrypted     *bool                      `json:"encrypted"`
	Zipped        *bool                      `json:"zipped"`
	Metadata      map[string]json.RawMessage `json:"metadata"`
}

// uploadSession is an UploadSession.
type uploadSession struct {
	ID      core.UploadID `json:"id"`
	URL     string        `json:"url"`
	Expires call.Time     `json:"expires"`
	Type    string        `json:"type"`
}

func (h *Handlers) beginUpload(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Consented(r)
	if err != nil {
		return err
	}
	var asked uploadRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	agent := r.Header.Get("User-Agent")
	u, err := h.Desk.Begin(r.Context(), caller, core.Request{
		Name: asked.Name, ContentLength: asked.ContentLength, Metadata: asked.Metadata,
		ContentType: strings.TrimSpace(asked.ContentType),               // as HTTP does to the header of the PUT,
		ContentMD5:  strings.Join(strings.Fields(asked.ContentMD5), ""), // which can hold no line break either
		Encrypted:   asked.Encrypted == nil || *asked.Encrypted,
		Zipped:      asked.Zipped == nil || *asked.Zipped,
	}, upload.Client{UserAgent: agent, Info: call.ParseUserAgent(agent).Text()})
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, uploadSession{u.ID, h.uploadURL(r, u), call.Time(u.ExpiresOn), "UploadSession"})
	return nil
}

func (h *Handlers) completeUpload(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Consented(r, core.RoleWorker)
	if err != nil {
		return err
	}
	synchronous, err := call.Flag(r, "synchronous")
	if err != nil {
		return err
	}
	redrive, err := call.Flag(r, "redrive")
	if err != nil {
		return err
	}
	id := core.UploadID(r.PathValue("id"))
	u, err := h.Desk.Upload(r.Context(), id)
	if err != nil {
		return err
	}
	if err := account.MayActFor(caller, u, core.RoleWorker); err != nil {
		return err
	}
	agent := r.Header.Get("User-Agent")
	staff, fresh := account.Has(caller, core.RoleWorker), u.State == core.StateReceived
	u, err = h.Desk.Complete(r.Context(), id, upload.Completion{
		By: completedBy(staff, redrive), Staff: staff, Redrive: redrive,
		UserAgent: agent, Client: call.ParseUserAgent(agent).Text(),
	})
	if err != nil {
		return err
	}
	if fresh {
		h.See(r, caller, 1)
	}
	if synchronous {
		if u, err = h.settled(r.Context(), u); err != nil {
			return err
		}
	}
	return h.writeStatus(w, r, u)
}

func completedBy(staff, redrive bool) core.CompletedBy {
	switch {
	case staff && redrive:
		return core.CompletedByRedrive
	case staff:
		return core.CompletedByWorker
	}
	return core.CompletedByApp
}

// settled waits until an upload is processed, but not for ever.
func (h *Handlers) settled(ctx context.Context, u core.Upload) (core.Upload, error) {
	waiting, cancel := context.WithTimeout(ctx, h.Await)
	defer cancel()
	for u.State == core.StateCompleted {
		heard := h.Bell.Revision()
		again, err := h.Desk.Upload(ctx, u.ID)
		if err != nil {
			return u, err
		}
		if u = again; u.State != core.StateCompleted {
			break
		}
		if _, err := h.Bell.Wait(waiting, heard); err != nil {
			return u, ctx.Err()
		}
	}
	return u, nil
}

func (h *Handlers) uploadStatus(w http.ResponseWriter, r *http.Request) error {
	u, err := h.readable(r)
	if err != nil {
		return err
	}
	return h.writeStatus(w, r, u)
}

// readable gives the upload that a path names to whoever may see its record. Errors:
// those of Consented, core.ErrNotFound, core.ErrForbidden.
func (h *Handlers) readable(r *http.Request) (core.Upload, error) {
	caller, err := h.Consented(r, core.RoleDeveloper, core.RoleResearcher, core.RoleWorker)
	if err != nil {
		return core.Upload{}, err
	}
	u, err := h.Desk.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if err != nil {
		return u, err
	}
	return u, account.MayActFor(caller, u, core.RoleDeveloper, core.RoleResearcher, core.RoleWorker)
}

func (h *Handlers) writeStatus(w http.ResponseWriter, r *http.Request, u core.Upload) error {
	status := uploadValidationStatus{
		ID: u.ID, MessageList: append([]string{}, u.Messages...), Status: wireState(u.State), Type: "UploadValidationStatus",
	}
	if u.Record != nil {
		exports, err := h.Store.Exports(r.Context(), u.ID)
		if err != nil {
			return err
		}
		status.Record = newHealthData(u, exports)
	}
	call.Write(w, http.StatusOK, status)
	return nil
}
