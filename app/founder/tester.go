package founder

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"footbridge/app/control"
	"footbridge/app/device"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
	"footbridge/ui/view"
)

// TestParticipant is the external id of whoever sends test uploads.
const TestParticipant = "test-upload"

// sendPatience is how long a step of the test upload may go on failing.
const sendPatience = 10 * time.Second

// tester is the test participant.
type tester struct{ password string }

// Send sends a test upload as a device does, sealed with the site's key: a new one each
// time.
func (f *Founder) Send(ctx context.Context) (core.UploadID, error) {
	id, err := f.send(ctx)
	return id, f.said(err)
}

func (f *Founder) send(ctx context.Context) (core.UploadID, error) {
	site := f.site()
	if site == nil {
		return "", errors.New("the site does not serve yet")
	}
	who, err := f.enrolled(ctx, site)
	if err != nil {
		return "", err
	}
	certificate, err := certificate(ctx, site.client)
	if err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp("", "footbridge-test-") // it holds nobody's data
	if err != nil {
		return "", fmt.Errorf("make room for the test upload: %w", err)
	}
	defer os.RemoveAll(scratch)
	sender := device.New(device.Config{
		BaseURL: site.door.Addresses[0], AppID: string(site.app), ExternalID: TestParticipant, Password: who.password,
		Fingerprint: site.door.Fingerprint, Patience: sendPatience, UserAgent: "FootbridgeTest/1 (this computer)",
	})
	text := "Footbridge tries itself out. " + time.Now().UTC().Format(time.RFC3339Nano) + "\n"
	sent, err := sender.Send(ctx, device.File{
		Name: "test-upload.txt", ContentType: "text/plain", Encrypt: certificate, Folder: scratch, Metadata: map[string]any{"test": "true"},
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
	})
	return core.UploadID(sent.ID), err
}

// enrolled gives the test participant, who is made once.
func (f *Founder) enrolled(ctx context.Context, site *serving) (*tester, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tester != nil {
		return f.tester, nil
	}
	who := &tester{account.NewPassword()}
	asked := map[string]any{
		"externalIds": map[core.StudyID]string{site.study: TestParticipant}, "password": who.password,
		"sharingScope": core.SponsorsAndPartners, "dataGroups": []string{participant.TestUser},
	}
	if err := site.client.Call(ctx, http.MethodPost, "/v5/studies/"+url.PathEscape(string(site.study))+"/participants", asked, nil); err != nil {
		return nil, fmt.Errorf("make the test participant: %w", err)
	}
	f.tester = who
	return who, nil
}

// certificate is what the site gives apps to seal with.
func certificate(ctx context.Context, client *control.Client) (*x509.Certificate, error) {
	var answer struct {
		PublicKey string `json:"publicKey"`
	}
	if err := client.Call(ctx, http.MethodGet, "/v1/apps/self/publicKey", nil, &answer); err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(answer.PublicKey))
	if block == nil {
		return nil, errors.New("the site gives no certificate to encrypt to")
	}
	return x509.ParseCertificate(block.Bytes)
}

// Upload tells how far an upload is.
func (f *Founder) Upload(ctx context.Context, id core.UploadID) (view.UploadDetail, error) {
	var detail view.UploadDetail
	site := f.site()
	if site == nil {
		return detail, f.said(errors.New("the site does not serve yet"))
	}
	return detail, f.said(site.client.Call(ctx, http.MethodGet, "/local/v1/uploads/"+url.PathEscape(string(id)), nil, &detail))
}
