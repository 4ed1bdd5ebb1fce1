package pane

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/ui/view"
)

// studyPath is what a study has in Bridge's API, and localPath in the site's own.
func studyPath(study core.StudyID, what ...string) string {
	path := "/v5/studies/" + url.PathEscape(string(study))
	for _, name := range what {
		path += "/" + url.PathEscape(name)
	}
	return path
}

func localPath(study core.StudyID, what ...string) string {
	return "/local/v1" + strings.TrimPrefix(studyPath(study, what...), "/v5")
}

// Participants gives a page of a study's participants.
func (p *Pane) Participants(ctx context.Context, q view.ParticipantQuery) (view.ParticipantPage, error) {
	query := url.Values{}
	for name, value := range map[string]string{"presence": string(q.Presence), "text": strings.TrimSpace(q.Text), "from": q.From} {
		if value != "" {
			query.Set(name, value)
		}
	}
	for name, n := range map[string]int{"days": q.Days, "pageSize": q.Size} {
		if n > 0 {
			query.Set(name, strconv.Itoa(n))
		}
	}
	return ask[view.ParticipantPage](ctx, p, http.MethodGet, localPath(q.Study, "participants")+"?"+query.Encode(), nil)
}

// Participant gives a participant of a study, who is late after so many days.
func (p *Pane) Participant(ctx context.Context, study core.StudyID, id core.UserID, days int) (view.Participant, error) {
	var found view.Participant
	if err := p.call(ctx, http.MethodGet, studyPath(study, "participants", string(id))+"?consents=true", nil, &found); err != nil {
		return found, err
	}
	if err := p.call(ctx, http.MethodGet, localPath(study, "participants", string(id))+"?days="+strconv.Itoa(days), nil, &found.Row); err != nil {
		return found, err
	}
	var versions struct {
		Items []view.ParticipantVersion `json:"items"`
	}
	err := p.call(ctx, http.MethodGet, "/v1/apps/self/participants/"+url.PathEscape(string(id))+"/versions", nil, &versions)
	found.Versions = versions.Items
	return found, err
}

// CreateParticipant makes a participant of a study, and gives the id, and the password
// that was made; empty where the form has one.
func (p *Pane) CreateParticipant(ctx context.Context, study core.StudyID, form view.ParticipantForm) (id core.UserID, made string, err error) {
	if form.Password == "" {
		made = account.NewPassword()
		form.Password = made
	}
	asked := map[string]any{"sharingScope": form.SharingScope}
	fill(asked, form)
	if form.ExternalID != "" {
		asked["externalIds"] = map[core.StudyID]string{study: form.ExternalID}
	}
	var created struct {
		Identifier core.UserID `json:"identifier"`
	}
	err = p.call(ctx, http.MethodPost, studyPath(study, "participants"), asked, &created)
	return created.Identifier, made, err
}

// fill writes what a form says of every account.
func fill(asked map[string]any, form view.ParticipantForm) {
	asked["firstName"], asked["lastName"], asked["email"] = form.FirstName, form.LastName, form.Email
	asked["dataGroups"], asked["languages"] = form.DataGroups, form.Languages
	asked["clientTimeZone"], asked["note"] = form.TimeZone, form.Note
	if form.Password != "" {
		asked["password"] = form.Password
	}
}

// ChangeParticipant changes what the form says of a participant.
func (p *Pane) ChangeParticipant(ctx context.Context, study core.StudyID, id core.UserID, form view.ParticipantForm) error {
	return p.change(ctx, study, id, func(account map[string]any) {
		fill(account, form)
		account["status"] = core.StatusEnabled
		if form.Disabled {
			account["status"] = core.StatusDisabled
		}
		ids, _ := account["externalIds"].(map[string]any)
		studies, _ := account["studyIds"].([]any)
		if slices.Contains(studies, any(string(study))) && form.ExternalID != "" { // else it would enrol them again
			ids[string(study)] = form.ExternalID
		}
	})
}

// RecordConsent notes how far a participant agreed to share.
func (p *Pane) RecordConsent(ctx context.Context, study core.StudyID, id core.UserID, scope core.SharingScope) error {
	return p.change(ctx, study, id, func(account map[string]any) { account["sharingScope"] = scope })
}

// change replaces an account by what edit makes of it: the API takes it whole, so that
// what edit leaves alone goes back as it came.
func (p *Pane) change(ctx context.Context, study core.StudyID, id core.UserID, edit func(map[string]any)) error {
	var raw json.RawMessage
	if err := p.call(ctx, http.MethodGet, studyPath(study, "participants", string(id)), nil, &raw); err != nil {
		return err
	}
	account := map[string]any{}
	whole := json.NewDecoder(strings.NewReader(string(raw)))
	whole.UseNumber() // the app's own data stays as it is
	if err := whole.Decode(&account); err != nil {
		return p.said(fmt.Errorf("read the participant: %w", err))
	}
	delete(account, "externalId") // the study's is among externalIds
	edit(account)
	return p.call(ctx, http.MethodPost, studyPath(study, "participants", string(id)), account, nil)
}

// EnrolParticipant makes a participant a member of a study.
func (p *Pane) EnrolParticipant(ctx context.Context, study core.StudyID, id core.UserID, externalID string) error {
	asked := map[string]any{"userId": id, "consentRequired": true}
	if externalID != "" {
		asked["externalId"] = externalID
	}
	return p.call(ctx, http.MethodPost, studyPath(study, "enrollments"), asked, nil)
}

// WithdrawParticipant ends a participant's membership of a study; with stop they share
// with nobody from then on.
func (p *Pane) WithdrawParticipant(ctx context.Context, study core.StudyID, id core.UserID, note string, stop bool) error {
	if stop { // first, or what waits could be sent meanwhile
		if err := p.RecordConsent(ctx, study, id, core.NoSharing); err != nil {
			return err
		}
	}
	return p.call(ctx, http.MethodDelete, studyPath(study, "enrollments", string(id))+"?"+url.Values{"withdrawalNote": {note}}.Encode(), nil, nil)
}
