package records

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/core/upload"
)

// The rules here are: what a redrive would do can be asked for first; an upload
// whose file never came is passed over, and one that is a duplicate or that a person gave
// up is unless it is named; and one redrive after another changes no more than one.

// Redrive says which uploads are processed and sent again.
type Redrive struct {
	UploadIDs []core.UploadID `json:"uploadIds,omitempty"` // these; else those that the rest selects
	Study     core.StudyID    `json:"study,omitempty"`     // of this study; empty: of any
	Since     *time.Time      `json:"since,omitempty"`     // requested from then on
	Until     *time.Time      `json:"until,omitempty"`     // and up to then
	Refused   bool            `json:"refused,omitempty"`   // only those that could not be opened
	All       bool            `json:"all,omitempty"`       // every one; else there has to be another choice
	DryRun    bool            `json:"dryRun,omitempty"`    // nothing is redriven
}

// Redriven says what a redrive did, or would do.
type Redriven struct {
	DryRun     bool            `json:"dryRun"`
	Uploads    int             `json:"uploads"`
	PassedOver int             `json:"passedOver"` // their file never came, they are duplicates, or a person gave them up
	Withdrawn  int             `json:"withdrawn"`  // of the uploads: they are not sent again
	UploadIDs  []core.UploadID `json:"uploadIds"`  // the first thousand
}

// DoneWith names the upload, or says how many (call.Accountable).
func (done *Redriven) DoneWith() (map[string]string, bool) {
	return several("upload", done.UploadIDs, done.Uploads), !done.DryRun && done.Uploads > 0
}

// redrivenNamed is how many uploads an answer names.
const redrivenNamed = 1000

func (h *Handlers) redrive(r *http.Request) (any, error) {
	var asked Redrive
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, api.BadRequest("The request is no JSON object that selects uploads; since and until are times such as 2026-11-20T08:00:00Z.")
	}
	done := &Redriven{DryRun: asked.DryRun, UploadIDs: []core.UploadID{}}
	if len(asked.UploadIDs) > 0 {
		return done, h.redriveNamed(r.Context(), asked, done)
	}
	if asked.Study == "" && asked.Since == nil && asked.Until == nil && !asked.Refused && !asked.All {
		return nil, api.BadRequest("Say which uploads: by their ids, a study, since or until, those that were refused, or all of them.")
	}
	if asked.Since != nil && asked.Until != nil && asked.Until.Before(*asked.Since) {
		return nil, api.BadRequest("The time until is before since.")
	}
	if asked.Study != "" {
		if _, err := h.Store.Study(r.Context(), asked.Study); err != nil {
			return nil, err
		}
	}
	return done, h.redriveSpan(r.Context(), asked, done)
}

// redriveNamed redrives uploads by their ids. Where one is unknown, none is
// redriven.
func (h *Handlers) redriveNamed(ctx context.Context, asked Redrive, done *Redriven) error {
	for _, id := range asked.UploadIDs {
		if _, err := h.Store.Upload(ctx, id); err != nil {
			return err
		}
	}
	for _, id := range asked.UploadIDs {
		u, err := h.Store.Upload(ctx, id)
		if err == nil {
			err = h.redriveOne(ctx, u, asked.DryRun, done)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// redriveSpan redrives the uploads of a span, the newest first.
func (h *Handlers) redriveSpan(ctx context.Context, asked Redrive, done *Redriven) error {
	span := core.Span{}
	if asked.Since != nil {
		span.First = core.Between(*asked.Since, *asked.Since).First
	}
	if asked.Until != nil {
		span.Last = core.Between(*asked.Until, *asked.Until).Last
	}
	for {
		page, err := h.page(ctx, asked.Study, span)
		if err != nil {
			return err
		}
		for _, u := range page[:min(len(page), pageSize)] {
			if asked.Refused && u.State != core.StateFailed {
				continue
			}
			if u.State == core.StateDuplicate || !u.GivenUp.IsZero() {
				done.PassedOver++
				continue
			}
			if err := h.redriveOne(ctx, u, asked.DryRun, done); err != nil {
				return err
			}
		}
		if len(page) <= pageSize {
			return nil
		}
		span.Last = page[pageSize].ID
	}
}

// page gives uploads and the first of the next page.
func (h *Handlers) page(ctx context.Context, study core.StudyID, span core.Span) ([]core.Upload, error) {
	if study == "" {
		return h.Store.Uploads(ctx, span, pageSize+1)
	}
	return h.Store.UploadsIn(ctx, study, span, pageSize+1)
}

// redriveOne redrives one upload whose file is here.
func (h *Handlers) redriveOne(ctx context.Context, u core.Upload, dry bool, done *Redriven) error {
	if u.Blob == nil {
		done.PassedOver++
		return nil
	}
	if !dry {
		_, err := h.Desk.Complete(ctx, u.ID, upload.Completion{By: core.CompletedByRedrive, Staff: true, Redrive: true})
		if errors.Is(err, upload.ErrNothingReceived) {
			done.PassedOver++
			return nil
		}
		if err != nil {
			return err
		}
	}
	exports, err := h.Store.Exports(ctx, u.ID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(exports, func(e core.Export) bool { return e.Reason == core.ReasonWithdrawn }) {
		done.Withdrawn++
	}
	done.Uploads++
	if len(done.UploadIDs) < redrivenNamed {
		done.UploadIDs = append(done.UploadIDs, u.ID)
	}
	return nil
}
