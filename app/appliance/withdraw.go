package appliance

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

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
	Keep        bool            `json:"keep,omitempty"`        // those of the participant stay where they are: it is decided
}

// Withdrawn says what was done.
type Withdrawn struct {
	Records int               `json:"records"` // that are no longer in the repository
	Pending []core.HealthCode `json:"pending"` // participants who share no more, of whom records were sent
}

// remover is a repository that things can be taken out of.
type remover interface {
	// Remove takes an object out, with what is said of it. One that is not there is
	// removed already.
	Remove(ctx context.Context, d core.Destination, o core.Object) error
}

// localWithdraw takes records back from the repository.
func (a *Appliance) localWithdraw(r *http.Request) (any, error) {
	var asked Withdrawal
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, api.BadRequest("The request is no JSON object that names records.")
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
	done := Withdrawn{Pending: []core.HealthCode{}}
	for _, id := range ids {
		if _, err := a.store.Upload(ctx, id); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		if err := a.withdraw(ctx, id); err != nil {
			return nil, a.unavailable(r, err)
		}
		done.Records++
	}
	if asked.Participant != "" {
		if err := a.store.Decided(ctx, asked.Participant); err != nil {
			return nil, err
		}
	}
	done.Pending = append(done.Pending, a.store.Regrets(ctx)...)
	return done, nil
}

// sentOf lists the records of a participant that lie at any destination.
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
				if e.Step != core.StepNone {
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

// withdraw marks a record as withdrawn, and takes it out of wherever it lies.
func (a *Appliance) withdraw(ctx context.Context, id core.UploadID) error {
	u, there, err := a.store.Withdraw(ctx, id)
	if err != nil {
		return err
	}
	a.log.Info("a record is withdrawn", "upload", id)
	for _, e := range there {
		if err := a.remove(ctx, u, e); err != nil {
			return err
		}
		if err := a.store.Removed(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// remove takes all that a record is out of one destination.
func (a *Appliance) remove(ctx context.Context, u core.Upload, e core.Export) error {
	d, ok := a.destination(ctx, e.Destination)
	if !ok {
		return errors.New("the destination " + string(e.Destination) + " is not exported to any more")
	}
	objects, err := export.Objects(u, e.ExportedOn)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := a.place.Remove(ctx, d, o); err != nil {
			return err
		}
	}
	return nil
}
