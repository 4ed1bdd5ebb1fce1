package api_test

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/app/api/devices"
	"footbridge/app/api/openapi/openapitest"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/cms"
	"footbridge/core/fleet"
	"footbridge/core/library"
	"footbridge/core/participant"
	"footbridge/core/process"
	"footbridge/core/schedule"
	"footbridge/core/schema"
	"footbridge/core/upload"
	"footbridge/store"
	"footbridge/store/blob"

	"golang.org/x/crypto/argon2"
)

const (
	testApp   = "test-app"
	testStudy = "sleep"
	password  = "Right-as-rain-1"
	maxSize   = 1 << 20
)

// site is the API over the real store, desk, gate and roster, as the appliance
// wires them; uploads are processed when a test says so.
type site struct {
	t      testing.TB
	base   string
	store  *store.Store
	roster *participant.Roster
	diary  *schedule.Diary
	worker *process.Worker
	server *api.Server

	devices *fleet.Log

	ahead   atomic.Int64 // how far the clock is set forward
	full    atomic.Bool  // the disk has no room
	away    atomic.Bool  // the repository does not answer
	mu      sync.Mutex
	failed  []error // what the log was told
	expects bool    // such failures

	strictness schema.Strictness // of legacy bundles; empty: report
	keys       []cms.Key         // that this site holds
}

// landings gives the desk the store's landings.
type landings struct{ *store.Store }

func (l landings) Land(ctx context.Context, r io.Reader, size int64) (upload.Landing, error) {
	landing, err := l.Store.Land(ctx, r, size)
	if err != nil {
		return nil, err
	}
	return landing, nil
}

// newSite opens a site; change, where it is not nil, changes its wiring.
func newSite(t testing.TB, change func(*site, *api.Config)) *site {
	t.Helper()
	s := unserved(t, change)
	server := httptest.NewServer(openapitest.Described(t, s.server.Handler()))
	t.Cleanup(server.Close)
	s.base = server.URL
	return s
}

// unserved opens a site that no one listens for.
func unserved(t testing.TB, change func(*site, *api.Config)) *site {
	t.Helper()
	s := &site{t: t}
	var err error
	s.store, err = store.Open(t.TempDir(), store.Config{
		Now: s.now,
		FreeSpace: func() (uint64, error) {
			if s.full.Load() {
				return 0, nil
			}
			return 1 << 40, nil
		},
		Sync: func(f *os.File) error {
			if s.full.Load() {
				return syscall.ENOSPC
			}
			return nil // the disk itself is not what is tested here
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.full.Store(false)
		s.store.Close()
		if told := s.told(); len(told) > 0 && !s.expects {
			t.Errorf("the log was told of %v", told)
		}
	})
	if _, err := s.store.SaveApp(t.Context(), testApp, func(a *core.App) error { a.Export = true; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.CreateStudy(t.Context(), core.Study{ID: testStudy, App: testApp, Name: "Sleep", CreatedOn: s.now(), ModifiedOn: s.now()}); err != nil {
		t.Fatal(err)
	}
	s.roster = participant.NewRoster(s.store, testApp, participant.Config{Now: s.now})
	s.diary, s.devices = schedule.NewDiary(s.store, s.now), fleet.NewLog(s.store, s.now)
	s.worker = process.NewWorker(s.store, process.Config{
		Keys: func() []cms.Key { return s.keys }, Now: s.now,
		NewDigest: func() process.Digest { return blob.NewHasher() }, Shelf: s.store,
		Strictness: func() schema.Strictness { return s.strictness },
	})
	config := api.Config{
		App: testApp, Roster: s.roster, Diary: s.diary, Library: library.NewDesk(s.store, s.now), Gate: account.NewGate(s.store, s.store, s.now),
		Fleet: fleet.NewDesk(s.store, s.now), Devices: s.devices, Audit: s.store.Note,
		Reach: func() (devices.Reach, error) {
			return devices.Reach{BaseURLs: []string{"https://192.168.1.20:8443", "https://10.0.0.7:8443"}, Pin: sitePin, Serving: true}, nil
		},
		Desk: s.desk(landings{s.store}), Store: s.store, Studies: s.store, Projects: s, Notices: s.store, Bell: s.store,
		Local: s.local(), Secret: s.store.Secret(), Now: s.now, Plain: s.plain,
		Stored: func(d core.DestinationID, _ core.RepositoryConfig, at string) (string, string) {
			return "records", path.Join("site", string(d), at)
		},
		PublicKey: func() (string, error) { return "-----BEGIN CERTIFICATE-----\n", nil },
		Failed: func(_ *http.Request, err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.failed = append(s.failed, err)
		},
	}
	if change != nil {
		change(s, &config)
	}
	s.server = api.NewServer(config)
	return s
}

// plain opens an upload's bytes.
func (s *site) plain(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
	sealed, err := s.store.Open(ctx, *u.Blob)
	if err != nil {
		return nil, err
	}
	return process.Plain(sealed, u.Request.Encrypted, s.keys)
}

// told gives what the log was told so far.
func (s *site) told() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.failed)
}

func (s *site) now() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }

func (s *site) desk(bytes upload.Bytes) *upload.Desk {
	return upload.NewDesk(s.store, bytes, upload.Config{
		Now: s.now, Zone: func() *time.Location { return time.UTC }, MaxSize: func() int64 { return maxSize },
	})
}

var errAway = errors.New("the repository does not answer")

// CreateForStudy is the repository's part of making a project.
func (s *site) CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error) {
	if _, err := s.store.Study(ctx, id); err != nil {
		return core.Study{}, err
	}
	if s.away.Load() {
		return core.Study{}, errAway
	}
	return s.store.UpdateStudy(ctx, id, func(study *core.Study) error {
		study.Export, study.Repository = true, complete
		return nil
	})
}

// Configured enables the export (api.Projects).
func (s *site) Configured(ctx context.Context, _ core.StudyID) error {
	_, err := s.store.SaveApp(ctx, testApp, func(app *core.App) error { app.Export = true; return nil })
	return err
}

// CreateForApp is the same for the app-wide project.
func (s *site) CreateForApp(ctx context.Context) (core.App, error) {
	return s.store.SaveApp(ctx, testApp, func(app *core.App) error { app.Repository = complete; return nil })
}

var complete = core.RepositoryConfig{
	DataAccessTeam: 1, Project: "sleep", RawDataFolder: "sleep/raw-data",
	ParticipantVersionTable: "sleep/versions", StorageLocation: 2,
}

// answer is what a request was answered.
type answer struct {
	status int
	header http.Header
	raw    string
}

// call sends a request with a body: a string as it is, anything else as JSON.
func (s *site) call(method, path, token string, body any, headers ...string) answer {
	s.t.Helper()
	var text string
	switch b := body.(type) {
	case nil:
	case string:
		text = b
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		text = string(raw)
	}
	if !strings.HasPrefix(path, "http") {
		path = s.base + path
	}
	r, err := http.NewRequest(method, path, strings.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Bridge-Session", token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{got.StatusCode, got.Header, string(raw)}
}

// want checks status and, word for word, parts of the answer; nobody's health code
// is in it.
func (a answer) want(t testing.TB, status int, words ...string) answer {
	t.Helper()
	return a.wantCodes(t, status, nil, words...)
}

// wantCodes is want where the health codes of some may be seen: all of theirs are
// in the answer, and no other's.
func (a answer) wantCodes(t testing.TB, status int, of []core.HealthCode, words ...string) answer {
	t.Helper()
	if a.status != status {
		t.Errorf("answered %d %s, want %d", a.status, a.raw, status)
	}
	for _, word := range words {
		if !strings.Contains(a.raw, word) {
			t.Errorf("the answer lacks %q: %s", word, a.raw)
		}
	}
	if a.status >= 400 && a.status != http.StatusPreconditionFailed {
		var body struct {
			StatusCode    int
			Message, Type string
		}
		if err := json.Unmarshal([]byte(a.raw), &body); err != nil || body.StatusCode != a.status || body.Message == "" || body.Type == "" {
			t.Errorf("an error has statusCode, message and type, this has %s", a.raw)
		}
	}
	rest := a.raw
	for _, code := range of {
		shown := `"healthCode":"` + string(code) + `"`
		if !strings.Contains(rest, shown) {
			t.Errorf("the answer lacks %s: %s", shown, a.raw)
		}
		rest = strings.ReplaceAll(rest, shown, "")
	}
	if strings.Contains(strings.ToLower(rest), "healthcode") {
		t.Errorf("the answer has a health code: %s", a.raw)
	}
	return a
}

// field gives a field of the answer, "" where it is not there.
func (a answer) field(path ...string) any {
	var v any
	json.Unmarshal([]byte(a.raw), &v)
	for _, key := range path {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}

func (a answer) text(path ...string) string {
	text, _ := a.field(path...).(string)
	return text
}

// cheapHash is a hash of the password that is found out in no time; how much work one
// is, it says itself.
var cheapHash = func() string {
	salt := []byte("a grain and more")
	text := base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=8,t=1,p=1$" + text(salt) + "$" + text(argon2.IDKey([]byte(password), salt, 1, 8, 1, 32))
}()

// cheaply makes accounts that have the password.
type cheaply struct{ *store.Store }

func (c cheaply) CreateAccount(ctx context.Context, a core.Account, next func(core.App, core.Account, *core.ParticipantVersion) (core.ParticipantVersion, bool)) (core.Account, error) {
	a.PasswordHash = cheapHash
	return c.Store.CreateAccount(ctx, a, next)
}

// account makes an account and gives its id.
func (s *site) account(study core.StudyID, form participant.Form) core.UserID {
	s.t.Helper()
	a, err := participant.NewRoster(cheaply{s.store}, testApp, participant.Config{Now: s.now}).Create(s.t.Context(), study, form)
	if err != nil {
		s.t.Fatal(err)
	}
	return a.ID
}

// staff makes a member of staff and signs in.
func (s *site) staff(role core.Role) (token string) {
	s.t.Helper()
	email := string(role) + "@example.org"
	s.account("", participant.Form{Email: email, Roles: []core.Role{role}})
	return s.signIn(map[string]any{"email": email})
}

// participant makes a participant who consented and signs in.
func (s *site) participant(externalID string) (token string) {
	s.t.Helper()
	s.account(testStudy, participant.Form{SharingScope: core.SponsorsAndPartners, ExternalIDs: map[core.StudyID]string{testStudy: externalID}})
	return s.signIn(map[string]any{"externalId": externalID})
}

func (s *site) signIn(who map[string]any) string {
	s.t.Helper()
	who["appId"], who["password"] = testApp, password
	return s.call("POST", "/v4/auth/signIn", "", who).want(s.t, 200).text("sessionToken")
}

// parcel is a file on its way.
type parcel struct {
	body     string
	id, url  string
	mimeType string
}

// request is the slot request of a parcel.
func (p *parcel) request() map[string]any {
	return map[string]any{
		"name": "walk.bin", "contentLength": len(p.body), "contentType": p.mimeType,
		"contentMd5": hash(p.body), "encrypted": false, "zipped": false,
	}
}

func hash(body string) string {
	sum := md5.Sum([]byte(body))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// slot asks for a slot for a body.
func (s *site) slot(token, body string) *parcel {
	s.t.Helper()
	p := &parcel{body: body, mimeType: "application/octet-stream"}
	a := s.call("POST", "/v3/uploads", token, p.request()).want(s.t, 200)
	p.id, p.url = a.text("id"), a.text("url")
	return p
}

// put sends a parcel as it should be sent.
func (s *site) put(p *parcel) answer {
	s.t.Helper()
	return s.call("PUT", p.url, "", p.body, "Content-Type", p.mimeType, "Content-MD5", hash(p.body))
}

// process works until nothing is due.
func (s *site) process() {
	s.t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.worker.Step(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// status is where an upload stands on the wire.
func (s *site) status(token, id string) string {
	s.t.Helper()
	return s.call("GET", "/v3/uploadstatuses/"+id, token, nil).want(s.t, 200).text("status")
}

// host is where the site listens.
func (s *site) host() string {
	u, err := url.Parse(s.base)
	if err != nil {
		s.t.Fatal(err)
	}
	return u.Host
}
