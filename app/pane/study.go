package pane

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"footbridge/core"
	"footbridge/ui/view"
)

// Study gives a study with its project and who may see that.
func (p *Pane) Study(ctx context.Context, id core.StudyID) (view.StudyDetail, error) {
	var d view.StudyDetail
	for path, into := range map[string]any{studyPath(id): &d, localPath(id) + "/project": &d.Project, localPath(id) + "/access": &d.Access} {
		if err := p.call(ctx, http.MethodGet, path, nil, into); err != nil {
			return d, err
		}
	}
	return d, nil
}

// CreateStudy makes a study.
func (p *Pane) CreateStudy(ctx context.Context, id core.StudyID, name string) error {
	return p.call(ctx, http.MethodPost, "/v5/studies", map[string]string{"identifier": string(id), "name": name}, nil)
}

// AskProject has a study's project made, and waits for nothing.
func (p *Pane) AskProject(ctx context.Context, id core.StudyID) error {
	return p.call(ctx, http.MethodPost, localPath(id)+"/project", nil, nil)
}

// PublicKey gives the certificate that apps encrypt with, as PEM.
func (p *Pane) PublicKey(ctx context.Context) (string, error) {
	var answer struct {
		PublicKey string `json:"publicKey"`
	}
	err := p.call(ctx, http.MethodGet, "/v1/apps/self/publicKey", nil, &answer)
	return answer.PublicKey, err
}

// RequestAccess keeps that an account asks for access to a study's project.
func (p *Pane) RequestAccess(ctx context.Context, id core.StudyID, account string) error {
	return p.call(ctx, http.MethodPost, localPath(id)+"/access/requests", map[string]string{"account": account}, nil)
}

// GrantAccess gives it, and says what came of that.
func (p *Pane) GrantAccess(ctx context.Context, id core.StudyID, account string) (string, error) {
	var given view.AccessLine
	err := p.call(ctx, http.MethodPost, localPath(id)+"/access/grants", map[string]string{"account": account}, &given)
	return given.Sentence, err
}

// ImportSchema makes a revision of a schema.
func (p *Pane) ImportSchema(ctx context.Context, document []byte) (view.SchemaLine, error) {
	var taken view.SchemaLine
	err := p.take(ctx, http.MethodPost, "/v4/uploadschemas", document, &taken)
	return taken, err
}

// ImportKey keeps a private key with its certificate, as PEM.
func (p *Pane) ImportKey(ctx context.Context, pem []byte) (string, error) {
	kept, err := ask[struct {
		Serial string `json:"serial"`
	}](ctx, p, http.MethodPost, "/local/v1/keys/import", map[string]string{"pem": string(pem)})
	return kept.Serial, err
}

// ImportTimeline makes a document a study's timeline.
func (p *Pane) ImportTimeline(ctx context.Context, id core.StudyID, document []byte) (view.TimelineLine, error) {
	var taken view.TimelineLine
	err := p.take(ctx, http.MethodPut, studyPath(id)+"/timeline", document, &taken)
	return taken, err
}

// take hands a document on as it is.
func (p *Pane) take(ctx context.Context, method, path string, document []byte, out any) error {
	if !json.Valid(document) {
		return errors.New(p.reader.Say("study.no_json"))
	}
	return p.call(ctx, method, path, json.RawMessage(document), out)
}
