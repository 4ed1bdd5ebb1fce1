package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

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
	Expires Time          `json:"expires"`
	Type    string        `json:"type"`
}

func (s *Server) beginUpload(w http.ResponseWriter, r *http.Request) error {
	caller, err := s.caller(r)
	if err != nil {
		return err
	}
	if err := account.RequireConsent(caller); err != nil {
		return s.failConsent(w, r, caller, err)
	}
	var asked uploadRequest
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	agent := r.Header.Get("User-Agent")
	u, err := s.config.Desk.Begin(r.Context(), caller, core.Request{
		Name: asked.Name, ContentLength: asked.ContentLength, Metadata: asked.Metadata,
		ContentType: strings.TrimSpace(asked.ContentType),               // as HTTP does to the header of the PUT,
		ContentMD5:  strings.Join(strings.Fields(asked.ContentMD5), ""), // which can hold no line break either
		Encrypted:   asked.Encrypted == nil || *asked.Encrypted,
		Zipped:      asked.Zipped == nil || *asked.Zipped,
	}, upload.Client{UserAgent: agent, Info: parseUserAgent(agent).text()})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, uploadSession{u.ID, s.uploadURL(r, u), Time(u.ExpiresOn), "UploadSession"})
	return nil
}

func (s *Server) completeUpload(w http.ResponseWriter, r *http.Request) error {
	caller, err := s.caller(r)
	if err != nil {
		return err
	}
	synchronous, err := flag(r, "synchronous")
	if err != nil {
		return err
	}
	redrive, err := flag(r, "redrive")
	if err != nil {
		return err
	}
	id := core.UploadID(r.PathValue("id"))
	u, err := s.config.Desk.Upload(r.Context(), id)
	if err != nil {
		return err
	}
	if err := account.MayActFor(caller, u, core.RoleWorker); err != nil {
		return err
	}
	agent := r.Header.Get("User-Agent")
	staff := account.Has(caller, core.RoleWorker)
	u, err = s.config.Desk.Complete(r.Context(), id, upload.Completion{
		By: completedBy(staff, redrive), Staff: staff, Redrive: redrive,
		UserAgent: agent, Client: parseUserAgent(agent).text(),
	})
	if err != nil {
		return err
	}
	if synchronous {
		if u, err = s.settled(r.Context(), u); err != nil {
			return err
		}
	}
	return s.writeStatus(w, r, u)
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
func (s *Server) settled(ctx context.Context, u core.Upload) (core.Upload, error) {
	waiting, cancel := context.WithTimeout(ctx, s.config.Await)
	defer cancel()
	for u.State == core.StateCompleted {
		heard := s.config.Bell.Revision()
		again, err := s.config.Desk.Upload(ctx, u.ID)
		if err != nil {
			return u, err
		}
		if u = again; u.State != core.StateCompleted {
			break
		}
		if _, err := s.config.Bell.Wait(waiting, heard); err != nil {
			return u, ctx.Err()
		}
	}
	return u, nil
}

func (s *Server) uploadStatus(w http.ResponseWriter, r *http.Request) error {
	caller, err := s.caller(r)
	if err != nil {
		return err
	}
	u, err := s.config.Desk.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if err != nil {
		return err
	}
	if err := account.MayActFor(caller, u, core.RoleDeveloper, core.RoleResearcher, core.RoleWorker); err != nil {
		return err
	}
	return s.writeStatus(w, r, u)
}

func (s *Server) writeStatus(w http.ResponseWriter, r *http.Request, u core.Upload) error {
	status := uploadValidationStatus{
		ID: u.ID, MessageList: append([]string{}, u.Messages...), Status: wireState(u.State), Type: "UploadValidationStatus",
	}
	if u.Record != nil {
		exports, err := s.config.Store.Exports(r.Context(), u.ID)
		if err != nil {
			return err
		}
		status.Record = newHealthData(u, exports)
	}
	writeJSON(w, http.StatusOK, status)
	return nil
}

func (s *Server) publicKey(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.staff(r, core.RoleDeveloper); err != nil {
		return err
	}
	pem, err := s.config.PublicKey()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		PublicKey string `json:"publicKey"`
		Type      string `json:"type"`
	}{pem, "CmsPublicKey"})
	return nil
}
