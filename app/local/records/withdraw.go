package records

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"footbridge/app/api"
	"footbridge/core"
)

// The rules here are: only a person's word removes what was sent. A record that is
// withdrawn is never sent again; here it stays.

// Withdrawal says which records are taken back.
type Withdrawal struct {
	UploadIDs   []core.UploadID `json:"uploadIds,omitempty"`
	Participant core.HealthCode `json:"participant,omitempty"` // all of theirs that were sent
	DryRun      bool            `json:"dryRun,omitempty"`      // nothing is withdrawn
	Keep        bool            `json:"keep,omitempty"`        // those of the participant stay where they are: it is decided
}

// Withdrawn says what was done.
type Withdrawn struct {
	Records int               `json:"records"` // that are no longer in the repository
	Unsent  int               `json:"unsent"`  // others that had not arrived there
	GivenUp int               `json:"givenUp"` // uploads that could not be opened, and about which nobody is asked any more
	Already int               `json:"already"` // others that were withdrawn or given up before, and are not there
	DryRun  bool              `json:"dryRun"`
	Pending []core.HealthCode `json:"pending"` // participants who share no more, of whom records were sent

	asked    Withdrawal
	ids      []core.UploadID // of records
	unopened []core.UploadID
}

// DoneWith names the participant, and the record or how many (call.Accountable).
func (done Withdrawn) DoneWith() (map[string]string, bool) {
	with := several("record", done.ids, cmp.Or(done.Records, len(done.ids)))
	if len(done.unopened) > 0 {
		maps.Copy(with, several("upload", done.unopened, len(done.unopened)))
	}
	with["participant"] = string(done.asked.Participant)
	switch {
	case done.asked.Keep:
		with["records"] = "kept"
	case len(done.ids) == 0 && len(done.unopened) > 0:
		with["records"] = "given_up"
	}
	return with, !done.DryRun && (done.asked.Participant != "" || len(done.ids)+len(done.unopened) > 0)
}

// notRemoved is the error of records that are withdrawn but may still lie in the
// repository.
type notRemoved struct {
	error
	Withdrawn
}

// Unwrap gives the error that is answered.
func (n notRemoved) Unwrap() error { return n.error }

// withdraw takes records back from the repository.
func (h *Handlers) withdraw(r *http.Request) (any, error) {
	var asked Withdrawal
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, api.BadRequest("The request is no JSON object that names records.")
	}
	if asked.Keep && (asked.Participant == "" || len(asked.UploadIDs) > 0) {
		return nil, api.BadRequest("That records stay is said of a participant, without ids of records.")
	}
	ctx := r.Context()
	ids := asked.UploadIDs
	if asked.Participant != "" && !asked.Keep {
		sent, err := h.sentOf(ctx, asked.Participant)
		if err != nil {
			return nil, err
		}
		ids = append(ids, sent...)
	}
	done := Withdrawn{DryRun: asked.DryRun, asked: asked}
	ids, err := h.sift(ctx, ids, &done)
	if err != nil {
		return nil, err
	}
	done.ids, done.GivenUp = ids, len(done.unopened)
	if done.Records, err = h.arrived(ctx, ids); err != nil {
		return nil, err
	}
	done.Unsent = len(ids) - done.Records
	if asked.DryRun {
		done.Pending = append([]core.HealthCode{}, h.Store.Regrets(ctx)...)
		return done, nil
	}
	for _, id := range done.unopened {
		if _, err := h.Store.GiveUp(ctx, id); err != nil {
			return nil, err
		}
		h.Log.Info("an upload is given up", "upload", id)
	}
	for _, id := range ids { // all of them, before the repository is asked for anything
		if err := h.Store.Withdraw(ctx, id); err != nil {
			return nil, err
		}
		h.Log.Info("a record is withdrawn", "upload", id)
	}
	if asked.Participant != "" {
		if err := h.Store.Decided(ctx, asked.Participant); err != nil {
			return nil, err
		}
	}
	done.Pending = append([]core.HealthCode{}, h.Store.Regrets(ctx)...)
	if _, err := h.RemoveWithdrawn(ctx); err != nil {
		h.Log.Warn("what was withdrawn is not removed yet", "error", err)
		return nil, notRemoved{api.Unavailable("The records are withdrawn and are not sent any more, but the repository did not remove them yet: " + err.Error() + ". It is tried again until it does."), done}
	}
	return done, nil
}

// sift gives the records that are to be withdrawn, and notes in done what else the ids
// are: uploads that were not opened, and what was withdrawn or given up before and lies
// nowhere. Errors: core.ErrNotFound.
func (h *Handlers) sift(ctx context.Context, ids []core.UploadID, done *Withdrawn) (left []core.UploadID, err error) {
	for _, id := range ids {
		u, err := h.Store.Upload(ctx, id)
		if err != nil {
			return nil, err
		}
		exports, err := h.Store.Exports(ctx, id)
		if err != nil {
			return nil, err
		}
		unopened := u.State == core.StateFailed && u.GivenUp.IsZero()
		if unopened {
			done.unopened = append(done.unopened, id)
		}
		if u.State == core.StateFailed && len(exports) == 0 { // else it was opened once
			if !unopened {
				done.Already++
			}
			continue
		}
		withdrawn := func(e core.Export) bool { return e.Reason == core.ReasonWithdrawn && e.Step == core.StepNone }
		open := func(e core.Export) bool { return !withdrawn(e) && e.Reason != core.ReasonNoStudyConfigured }
		if slices.ContainsFunc(exports, withdrawn) && !slices.ContainsFunc(exports, open) {
			done.Already++
			continue
		}
		left = append(left, id)
	}
	return left, nil
}

// arrived counts the records that lie at any destination.
func (h *Handlers) arrived(ctx context.Context, ids []core.UploadID) (n int, err error) {
	for _, id := range ids {
		lies, err := h.Store.Arrived(ctx, id)
		if err != nil {
			return 0, err
		}
		if lies {
			n++
		}
	}
	return n, nil
}

// sentOf lists the records of a participant that may lie at any destination.
func (h *Handlers) sentOf(ctx context.Context, code core.HealthCode) (ids []core.UploadID, err error) {
	if _, err := h.Store.AccountByHealthCode(ctx, code); err != nil {
		return nil, err
	}
	for span := (core.Span{}); ; {
		page, err := h.Store.UploadsOf(ctx, code, "", span, pageSize+1)
		if err != nil {
			return nil, err
		}
		for _, u := range page[:min(len(page), pageSize)] {
			exports, err := h.Store.Exports(ctx, u.ID)
			if err != nil {
				return nil, err
			}
			for _, e := range exports {
				if e.Step != core.StepNone || !e.ExportedOn.IsZero() && e.Reason != core.ReasonWithdrawn { // one that is redriven has no step
					ids = append(ids, u.ID)
					break
				}
			}
		}
		if len(page) <= pageSize {
			return ids, nil
		}
		span.First = page[pageSize].ID
	}
}
