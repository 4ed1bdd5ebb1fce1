package appliance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/sync/export"
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

// several names one thing, or says how many they are.
func several(what string, ids []core.UploadID, n int) map[string]string {
	if n == 1 && len(ids) == 1 {
		return map[string]string{what: string(ids[0])}
	}
	return map[string]string{what + "s": strconv.Itoa(n)}
}

// localWithdraw takes records back from the repository.
func (a *Appliance) localWithdraw(r *http.Request) (any, error) {
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
		sent, err := a.sentOf(ctx, asked.Participant)
		if err != nil {
			return nil, err
		}
		ids = append(ids, sent...)
	}
	done := Withdrawn{DryRun: asked.DryRun, asked: asked}
	ids, err := a.sift(ctx, ids, &done)
	if err != nil {
		return nil, err
	}
	done.ids, done.GivenUp = ids, len(done.unopened)
	if done.Records, err = a.arrived(ctx, ids); err != nil {
		return nil, err
	}
	done.Unsent = len(ids) - done.Records
	if asked.DryRun {
		done.Pending = append([]core.HealthCode{}, a.store.Regrets(ctx)...)
		return done, nil
	}
	for _, id := range done.unopened {
		if _, err := a.store.GiveUp(ctx, id); err != nil {
			return nil, err
		}
		a.log.Info("an upload is given up", "upload", id)
	}
	for _, id := range ids { // all of them, before the repository is asked for anything
		if err := a.store.Withdraw(ctx, id); err != nil {
			return nil, err
		}
		a.log.Info("a record is withdrawn", "upload", id)
	}
	if asked.Participant != "" {
		if err := a.store.Decided(ctx, asked.Participant); err != nil {
			return nil, err
		}
	}
	done.Pending = append([]core.HealthCode{}, a.store.Regrets(ctx)...)
	if _, err := a.removeWithdrawn(ctx); err != nil {
		a.log.Warn("what was withdrawn is not removed yet", "error", err)
		return nil, notRemoved{api.Unavailable("The records are withdrawn and are not sent any more, but the repository did not remove them yet: " + err.Error() + ". It is tried again until it does."), done}
	}
	return done, nil
}

// sift gives the records that are to be withdrawn, and notes in done what else the ids
// are: uploads that were not opened, and what was withdrawn or given up before and lies
// nowhere. Errors: core.ErrNotFound.
func (a *Appliance) sift(ctx context.Context, ids []core.UploadID, done *Withdrawn) (left []core.UploadID, err error) {
	for _, id := range ids {
		u, err := a.store.Upload(ctx, id)
		if err != nil {
			return nil, err
		}
		exports, err := a.store.Exports(ctx, id)
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
func (a *Appliance) arrived(ctx context.Context, ids []core.UploadID) (n int, err error) {
	for _, id := range ids {
		lies, err := a.store.Arrived(ctx, id)
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
func (a *Appliance) sentOf(ctx context.Context, code core.HealthCode) (ids []core.UploadID, err error) {
	if _, err := a.store.AccountByHealthCode(ctx, code); err != nil {
		return nil, err
	}
	for span := (core.Span{}); ; {
		page, err := a.store.UploadsOf(ctx, code, "", span, redrivePage+1)
		if err != nil {
			return nil, err
		}
		for _, u := range page[:min(len(page), redrivePage)] {
			exports, err := a.store.Exports(ctx, u.ID)
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
		if len(page) <= redrivePage {
			return ids, nil
		}
		span.First = page[redrivePage].ID
	}
}

// errElsewhere says that a record lies where the settings do not lead.
var errElsewhere = errors.New("a withdrawn record was sent to another repository or destination than the settings name now; name that one again, and it is removed there")

// removeWithdrawn takes all records that were withdrawn out of wherever they lie. What
// lies elsewhere keeps nothing else waiting.
func (a *Appliance) removeWithdrawn(ctx context.Context) (more bool, err error) {
	var elsewhere error
	var last core.Export
	for {
		u, e, ok, err := a.store.NextRemoval(ctx, last)
		if err != nil || !ok {
			return false, cmp.Or(err, elsewhere)
		}
		switch err := a.remove(ctx, u, e); {
		case errors.Is(err, errElsewhere):
			elsewhere = err
		case err != nil:
			return false, err
		default:
			if err := a.store.Removed(ctx, e); err != nil {
				return false, err
			}
		}
		last = e
	}
}

// remove takes all that a record is out of one destination.
func (a *Appliance) remove(ctx context.Context, u core.Upload, e core.Export) error {
	d, ok := a.projects.Destination(ctx, e.Destination)
	if !ok || (e.Place != "" && e.Place != a.projects.Identity()) {
		return errElsewhere
	}
	objects, err := export.Objects(u, e.ExportedOn)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := a.projects.Remove(ctx, d, o); err != nil {
			return err
		}
	}
	return nil
}
