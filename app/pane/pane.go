package pane

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"footbridge/app/control"
	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// Pane is an appliance as the window and the board see it (ui.Appliance, board.Feed),
// in words of its own in one language. Safe for concurrent use.
type Pane struct {
	client *control.Client
	reader view.Reader
	rung   chan struct{}
}

// New makes a pane that asks for a reader, who is at the window or before a terminal.
func New(client *control.Client, reader view.Reader) *Pane {
	return &Pane{client.For(reader.Code(), reader.Window), reader, make(chan struct{}, 1)}
}

// In is the same appliance in another language; the bell is one.
func (p *Pane) In(t tongue.Tongue) *Pane {
	reader := p.reader
	reader.Tongue = t
	return &Pane{p.client.For(reader.Code(), reader.Window), reader, p.rung}
}

// call asks for something, and says trouble as a sentence.
func (p *Pane) call(ctx context.Context, method, path string, in, out any) error {
	return p.said(p.client.Call(ctx, method, path, in, out))
}

// ask asks for something of a kind.
func ask[T any](ctx context.Context, p *Pane, method, path string, in any) (T, error) {
	var out T
	err := p.call(ctx, method, path, in, &out)
	return out, err
}

// said is an error as a sentence for people: the appliance's own words, in the reader's
// language where the catalogue knows them, or that it does not answer.
func (p *Pane) said(err error) error {
	var refusal *control.Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refusal):
		return p.reader.Refused(refusal.Message, err)
	}
	return &silence{p.reader.Say("window.answers_not"), err}
}

// silence is that the appliance does not answer.
type silence struct {
	words string
	cause error
}

func (s *silence) Error() string { return s.words }
func (s *silence) Unwrap() error { return s.cause }

// Overview is how the appliance is doing at this moment.
func (p *Pane) Overview(ctx context.Context) (view.Overview, error) {
	var o view.Overview
	err := p.call(ctx, http.MethodGet, "/local/v1/status", nil, &o)
	return o, err
}

// Traffic is what came lately, and what is on its way at this moment.
func (p *Pane) Traffic(ctx context.Context) (view.Traffic, error) {
	return ask[view.Traffic](ctx, p, http.MethodGet, "/local/v1/traffic", nil)
}

// Site is the appliance at this moment.
func (p *Pane) Site(ctx context.Context) (view.Site, error) {
	overview, err := p.Overview(ctx)
	site := view.Site{Overview: overview}
	if err != nil {
		return site, err
	}
	if site.Traffic, err = p.Traffic(ctx); err != nil {
		return site, err
	}
	var studies struct {
		Items []struct {
			Identifier core.StudyID `json:"identifier"`
		} `json:"items"`
	}
	err = p.call(ctx, http.MethodGet, "/v5/studies", nil, &studies)
	for _, s := range studies.Items {
		site.Studies = append(site.Studies, s.Identifier)
	}
	return site, err
}

// Uploads gives a page of uploads.
func (p *Pane) Uploads(ctx context.Context, q view.UploadQuery) (view.UploadPage, error) {
	query := url.Values{}
	for name, value := range map[string]string{
		"standing": string(q.Standing), "study": string(q.Study), "text": strings.TrimSpace(q.Text), "before": string(q.Before),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	for name, at := range map[string]time.Time{"since": q.Since, "until": q.Until} {
		if !at.IsZero() {
			query.Set(name, at.UTC().Format(time.RFC3339Nano))
		}
	}
	if q.Size > 0 {
		query.Set("pageSize", strconv.Itoa(q.Size))
	}
	return ask[view.UploadPage](ctx, p, http.MethodGet, "/local/v1/uploads?"+query.Encode(), nil)
}

// Upload gives one. Errors: that there is none.
func (p *Pane) Upload(ctx context.Context, id core.UploadID) (view.UploadDetail, error) {
	return ask[view.UploadDetail](ctx, p, http.MethodGet, "/local/v1/uploads/"+url.PathEscape(string(id)), nil)
}

// Retry sends an upload's record again, once what kept it is mended.
func (p *Pane) Retry(ctx context.Context, id core.UploadID) error {
	return p.call(ctx, http.MethodPost, "/local/v1/uploads/retry", map[string]any{"uploadIds": []core.UploadID{id}}, nil)
}

// Redrive processes an upload again, and sends it again to the same places.
func (p *Pane) Redrive(ctx context.Context, id core.UploadID) error {
	return p.call(ctx, http.MethodPost, "/local/v1/uploads/redrive", map[string]any{"uploadIds": []core.UploadID{id}}, nil)
}

// RedriveRefused processes all again that could not be opened, and says how many.
func (p *Pane) RedriveRefused(ctx context.Context) (int, error) {
	done, err := ask[struct {
		Uploads int `json:"uploads"`
	}](ctx, p, http.MethodPost, "/local/v1/uploads/redrive", map[string]any{"refused": true})
	return done.Uploads, err
}

// Now tries at once what waits to be sent.
func (p *Pane) Now(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, "/local/v1/sync/now", nil, nil)
}

// Pause sends nothing until Resume, whatever restarts.
func (p *Pane) Pause(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, "/local/v1/sync/pause", nil, nil)
}

// Resume sends again.
func (p *Pane) Resume(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, "/local/v1/sync/resume", nil, nil)
}

// Changes rings after something changed; one ring stands for many. Nobody closes it.
func (p *Pane) Changes() <-chan struct{} { return p.rung }

// listenAgain is how long it rests after the line to the appliance broke.
const listenAgain = time.Second

// Listen hears the appliance's bell until ctx ends. Where the line breaks, it rings
// too, for whoever looks should see that, and listens again.
func (p *Pane) Listen(ctx context.Context) {
	for ctx.Err() == nil {
		p.hear(ctx)
		p.ring()
		select {
		case <-time.After(listenAgain):
		case <-ctx.Done():
		}
	}
}

// hear rings for every change until the line breaks.
func (p *Pane) hear(ctx context.Context) {
	body, err := p.client.Open(ctx, http.MethodGet, "/local/v1/events?changes=true", nil)
	if err != nil {
		return // the next question meets the same, and says it
	}
	defer body.Close()
	p.ring() // what changed before is not told
	for lines := bufio.NewScanner(body); lines.Scan(); {
		if lines.Text() == "event: changed" {
			p.ring()
		}
	}
}

func (p *Pane) ring() {
	select {
	case p.rung <- struct{}{}:
	default: // it is known already
	}
}
