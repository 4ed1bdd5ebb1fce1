package studies

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/projects"
	"footbridge/core"
)

// The rules here are: nobody may read a new project but those who made it. Who asks
// is kept, with the command that lets them in; a person gives the word. Each
// request and each grant is in the audit.

// Access is one person's, or one team's, access to a project.
type Access struct {
	Study       core.StudyID `json:"study"`
	Account     string       `json:"account"` // user name, team name or number in the repository
	RequestedOn time.Time    `json:"requestedOn,omitzero"`
	GrantedOn   time.Time    `json:"grantedOn,omitzero"`
	Sentence    string       `json:"sentence"`
}

// DoneWith names the account (call.Accountable).
func (access Access) DoneWith() (map[string]string, bool) {
	return map[string]string{"account": access.Account}, true
}

func accessKey(study core.StudyID) string { return "access/" + string(study) }

// accesses gives what is known of the access to a study's project.
func (h *Handlers) accesses(ctx context.Context, study core.StudyID) ([]Access, error) {
	all := []Access{}
	if text := h.Store.Memo(ctx, accessKey(study)); text != nil {
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("read who may see study %s: %w", study, err)
		}
	}
	return all, nil
}

// noteAccess keeps a change of one account's access.
func (h *Handlers) noteAccess(ctx context.Context, study core.StudyID, account string, change func(*Access)) (Access, error) {
	h.granting.Lock()
	defer h.granting.Unlock()
	all, err := h.accesses(ctx, study)
	if err != nil {
		return Access{}, err
	}
	at := len(all)
	for i, known := range all {
		if strings.EqualFold(known.Account, account) {
			at = i
		}
	}
	if at == len(all) {
		all = append(all, Access{Study: study, Account: account})
	}
	change(&all[at])
	text, err := json.Marshal(all)
	if err == nil {
		err = h.Store.Keep(ctx, accessKey(study), text)
	}
	return all[at], err
}

// asked reads whose access a request is about.
func (h *Handlers) asked(r *http.Request) (core.Study, string, error) {
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return study, "", err
	}
	var asked struct {
		Account string `json:"account"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || strings.TrimSpace(asked.Account) == "" || len(asked.Account) > 255 {
		return study, "", api.BadRequest("Name the account of the repository that is to manage the project: a user name, a team name or its number.")
	}
	return study, strings.TrimSpace(asked.Account), nil
}

// request keeps that an account wants to manage a study's project.
func (h *Handlers) request(r *http.Request) (any, error) {
	study, account, err := h.asked(r)
	if err != nil {
		return nil, err
	}
	access, err := h.noteAccess(r.Context(), study.ID, account, func(access *Access) {
		access.RequestedOn = time.Now().UTC().Truncate(time.Millisecond)
		access.Sentence = fmt.Sprintf("%s asks for access to the project of study %s. The operator gives it with: footbridge study grant %s --account %q", account, study.ID, study.ID, account)
	})
	if err == nil {
		h.Log.Info("access is asked for", "study", study.ID, "account", account)
	}
	return access, err
}

// grant lets an account read a study's project, where the repository knows
// accounts.
func (h *Handlers) grant(r *http.Request) (any, error) {
	study, account, err := h.asked(r)
	if err != nil {
		return nil, err
	}
	sentence := fmt.Sprintf("%s may read the project of study %s.", account, study.ID)
	repository, err := h.Projects.Synapse()
	switch {
	case errors.Is(err, projects.ErrNoSynapse):
		sentence = fmt.Sprintf("This repository has no accounts of its own: let %s read %s/%s there by its own means (permissions of the folder, a bucket policy, a share). Noted.",
			account, config.Shown(h.Settings().Repository), study.ID)
	case err != nil:
		return nil, err
	default:
		_, err = repository.Grant(r.Context(), core.Destination{ID: core.DestinationID(study.ID), App: h.App, Study: study.ID}, account)
		if errors.Is(err, core.ErrNotFound) {
			return nil, api.BadRequest("The repository knows no user and no team called " + account + ". Check the spelling, or give the number.")
		}
		if errors.Is(err, core.ErrProjectPending) {
			return nil, api.BadRequest("This study has no project yet to give access to. Make the project first.")
		}
		if err != nil {
			return nil, h.Unavailable(r, err)
		}
	}
	access, err := h.noteAccess(r.Context(), study.ID, account, func(access *Access) {
		access.GrantedOn, access.Sentence = time.Now().UTC().Truncate(time.Millisecond), sentence
	})
	if err == nil {
		h.Log.Info("access is given", "study", study.ID, "account", account)
	}
	return access, err
}

// access lists who asked for access to a study's project and who has it.
func (h *Handlers) access(r *http.Request) (any, error) {
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return nil, err
	}
	return h.accesses(r.Context(), study.ID)
}
