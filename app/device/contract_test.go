package device_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/app/device"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/upload"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
)

// memory is the store of a site with one participant.
type memory struct {
	mu      sync.Mutex
	account core.Account
	devices []core.Device
	uploads []core.Upload
	bodies  map[string][]byte // hex MD5 → bytes
}

func (m *memory) at(id core.UploadID) (*core.Upload, error) {
	for i := range m.uploads {
		if m.uploads[i].ID == id {
			return &m.uploads[i], nil
		}
	}
	return nil, core.ErrNotFound
}

func (m *memory) Upload(_ context.Context, id core.UploadID) (core.Upload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u, err := m.at(id)
	if err != nil {
		return core.Upload{}, err
	}
	return *u, nil
}

func (m *memory) Begin(_ context.Context, fresh core.Upload, _ time.Time, decide func(*core.Upload) core.Upload) (core.Upload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.uploads {
		if m.uploads[i].Request.ContentMD5 == fresh.Request.ContentMD5 {
			decided := decide(&m.uploads[i])
			if decided.ID == m.uploads[i].ID {
				m.uploads[i] = decided
			} else {
				m.uploads = append(m.uploads, decided)
			}
			return decided, nil
		}
	}
	m.uploads = append(m.uploads, decide(nil))
	return m.uploads[len(m.uploads)-1], nil
}

func (m *memory) change(id core.UploadID, change func(*core.Upload) error) (core.Upload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u, err := m.at(id)
	if err != nil {
		return core.Upload{}, err
	}
	next := *u
	if err := change(&next); err != nil {
		return *u, err
	}
	*u = next
	return next, nil
}

func (m *memory) Complete(_ context.Context, id core.UploadID, change func(*core.Upload, core.Standing) error) (core.Upload, error) {
	return m.change(id, func(u *core.Upload) error { return change(u, core.Standing{Account: m.account}) })
}

func (m *memory) Land(_ context.Context, r io.Reader, _ int64) (upload.Landing, error) {
	body, err := io.ReadAll(r)
	sum := md5.Sum(body)
	return &landing{m, body, core.Digest{Size: int64(len(body)), MD5: hex.EncodeToString(sum[:])}}, err
}

type landing struct {
	m      *memory
	body   []byte
	digest core.Digest
}

func (l *landing) Digest() core.Digest { return l.digest }
func (l *landing) Discard()            {}
func (l *landing) Keep(_ context.Context, id core.UploadID, change func(*core.Upload, core.Blob) error) (core.Upload, error) {
	return l.m.change(id, func(u *core.Upload) error {
		l.m.bodies[l.digest.MD5] = l.body
		return change(u, core.Blob{Digest: l.digest})
	})
}

func (m *memory) Account(context.Context, core.UserID) (core.Account, error) { return m.account, nil }
func (m *memory) AccountByLogin(_ context.Context, login string) (core.Account, error) {
	if login != core.ExternalLogin("P-1") {
		return core.Account{}, core.ErrNotFound
	}
	return m.account, nil
}
func (m *memory) UpdateDevices(_ context.Context, _ core.UserID, change func([]core.Device) ([]core.Device, error)) (err error) {
	m.devices, err = change(m.devices)
	return err
}
func (m *memory) Session(_ context.Context, hash string) (core.Session, error) {
	for _, d := range m.devices {
		for _, s := range d.Sessions {
			if s.TokenHash == hash {
				return s, nil
			}
		}
	}
	return core.Session{}, core.ErrNotFound
}

// realSite serves the API itself, behind wrap.
func realSite(t *testing.T, wrap func(http.Handler) http.Handler) (*memory, device.Config) {
	m := &memory{bodies: map[string][]byte{}}
	m.account = core.Account{
		ID: "U-1", App: "app", HealthCode: "H-1", PasswordHash: account.Hash(password),
		Status: core.StatusEnabled, SharingScope: "sponsors_and_partners", Consented: true,
	}
	server := api.NewServer(api.Config{
		App: "app", Gate: account.NewGate(m, m, time.Now), Secret: []byte("secret"), Now: time.Now,
		Failed: func(_ *http.Request, err error) { t.Error(err) },
		Desk: upload.NewDesk(m, m, upload.Config{
			Now: time.Now, Zone: func() *time.Location { return time.UTC }, MaxSize: func() int64 { return 1 << 30 },
		}),
	})
	s := httptest.NewServer(wrap(server.Handler()))
	t.Cleanup(s.Close)
	return m, device.Config{
		BaseURL: s.URL, AppID: "app", ExternalID: "P-1", Password: password,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

func same(h http.Handler) http.Handler { return h }

func TestTheAPITakesWhatADeviceSends(t *testing.T) {
	m, config := realSite(t, same)
	path, content := source(t, 1_000_000)
	file := device.File{Path: path, Encrypt: testdata.Key(t, "test-only").Certificate, Zipped: true, Metadata: map[string]any{"a": 1}}
	result, err := device.New(config).Send(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	u, err := m.Upload(t.Context(), core.UploadID(result.ID))
	if err != nil || u.State != core.StateCompleted || result.Status != "validation_in_progress" {
		t.Fatalf("%+v, %+v, %v", result, u, err)
	}
	if got := opened(t, &arrival{body: m.bodies[u.Blob.MD5]}); !bytes.Equal(got, content) {
		t.Error("other bytes")
	}
	var client map[string]any
	if err := json.Unmarshal([]byte(u.ClientInfo), &client); err != nil || client["appName"] != "Footbridge" || client["osName"] == nil || client["sdkName"] != "FootbridgeDevice" {
		t.Errorf("client info %s, %v", u.ClientInfo, err)
	}
	if diff := cmp.Diff(map[string]json.RawMessage{"a": json.RawMessage("1")}, u.Request.Metadata); diff != "" || u.Request.Name != "scan.zip" || !u.Request.Encrypted {
		t.Errorf("%+v %s", u.Request, diff)
	}
}

func TestTheAPIKnowsAFileThatCameBefore(t *testing.T) {
	_, config := realSite(t, same)
	path, _ := source(t, 1000)
	client := device.New(config)
	first, err := client.Send(t.Context(), device.File{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	second, err := client.Send(t.Context(), device.File{Path: path})
	if err != nil || second.ID == first.ID || second.Status != "duplicate" || !second.Settled() {
		t.Errorf("%+v, %v", second, err)
	}
}

func TestTheAPIRefusesBeforeAFileIsSent(t *testing.T) {
	var refusals, sent atomic.Int64
	refusals.Store(2)
	m, config := realSite(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut && refusals.Add(-1) >= 0 {
				r.URL.RawQuery = "signature=of-another-slot"
			}
			h.ServeHTTP(w, r)
		})
	})
	config.Progress = func(stage device.Stage, done, _ int64) {
		if stage == device.Sending && refusals.Load() >= 0 {
			sent.Store(max(sent.Load(), done))
		}
	}
	path, _ := source(t, 30_000_000)
	result, err := device.New(config).Send(t.Context(), device.File{Path: path})
	if err != nil || result.Attempts != 3 || len(m.uploads) != 1 || sent.Load() > 0 {
		t.Errorf("%+v, %v, %d uploads, %d bytes sent in vain", result, err, len(m.uploads), sent.Load())
	}
}

func TestTheAPISaysWhatIsWrong(t *testing.T) {
	m, config := realSite(t, same)
	path, _ := source(t, 0)
	_, err := device.New(config).Send(t.Context(), device.File{Path: path})
	var refused *device.Refused
	if !errors.As(err, &refused) || refused.Type != "InvalidEntityException" || !strings.Contains(err.Error(), "contentLength Invalid content length. Must be > 0.") {
		t.Error(err)
	}
	m.account.Consented = false
	if err := device.New(config).SignIn(t.Context()); !errors.Is(err, core.ErrNotConsented) {
		t.Error(err)
	}
	config.Password = "another"
	if err := device.New(config).SignIn(t.Context()); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
}
