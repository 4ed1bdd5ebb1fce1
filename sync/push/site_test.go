package push_test

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/core/upload"
	"footbridge/store"
	"footbridge/sync/push"
)

var (
	_ push.Outbox = (*store.Store)(nil)
	_ push.Tables = (*store.Store)(nil)
)

// clock is a time that the test moves.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time        { return time.Unix(0, c.ns.Load()).UTC() }
func (c *clock) pass(by time.Duration) { c.ns.Add(int64(by)) }

// repository is one in memory. fail is asked before and after each call, with what
// is done to what.
type repository struct {
	files map[string]string
	puts  map[string]int // that changed anything
	fail  func(call string) error
}

func (r *repository) put(call, path string, data []byte) error {
	if err := r.fail(call + " " + path); err != nil {
		return err
	}
	if r.files[path] != string(data) {
		r.files[path], r.puts[path] = string(data), r.puts[path]+1
	}
	return r.fail("after " + call + " " + path)
}

func (r *repository) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	in, err := o.Open(ctx)
	if err != nil {
		return "", fmt.Errorf("put: %w", err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return "", fmt.Errorf("put: %w", err)
	}
	if digest(data) != o.MD5 {
		return "", core.ErrDigestMismatch
	}
	return "receipt of " + o.Path, r.put("put", path.Join(string(d.ID), o.Path), data)
}

func (r *repository) Verify(_ context.Context, d core.Destination, o core.Object, receipt string) error {
	at := path.Join(string(d.ID), o.Path)
	err := r.fail("verify " + at)
	data, ok := r.files[at]
	switch {
	case err != nil:
		return err
	case receipt != "receipt of "+o.Path:
		return fmt.Errorf("the receipt is %q", receipt)
	case !ok:
		return core.ErrNotFound
	case digest([]byte(data)) != o.MD5:
		return core.ErrDigestMismatch
	}
	return nil
}

func (r *repository) Describe(_ context.Context, d core.Destination, o core.Object, receipt string) (string, error) {
	at := path.Join(string(d.ID), o.Path)
	if _, ok := r.files[at]; !ok || receipt != "receipt of "+o.Path || o.Metadata["recordId"] == "" {
		return "", fmt.Errorf("describe what is there %v, and has its receipt %v", ok, receipt == "receipt of "+o.Path)
	}
	if o.Notes == "" {
		return "", r.fail("describe " + at)
	}
	text, err := json.Marshal(o.Metadata)
	if err != nil {
		return "", err
	}
	return "file " + o.Path, r.put("put", path.Join(string(d.ID), o.Notes), text)
}

func (r *repository) PutVersions(_ context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	text := ""
	for _, v := range versions {
		text += fmt.Sprintln(v.Version, d.Study)
	}
	return r.put("put", string(d.ID)+"/participant-versions", []byte(text))
}

func (r *repository) PutView(_ context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	text := ""
	for _, row := range rows {
		text += fmt.Sprintln(row.Path, row.MD5, row.Annotations["recordId"])
	}
	return r.put("put", string(d.ID)+"/file-view/"+date, []byte(text))
}

func digest(data []byte) string {
	sum := md5.Sum(data)
	return hex.EncodeToString(sum[:])
}

// outbox is the store, whose calls may fail.
type outbox struct {
	*store.Store
	fail func(call string) error
}

func (o outbox) SaveExport(ctx context.Context, e core.Export, durable bool) error {
	if err := o.fail("journal " + string(e.Step)); err != nil {
		return err
	}
	return errors.Join(o.Store.SaveExport(ctx, e, durable), o.fail("after journal "+string(e.Step)))
}

func (o outbox) SettleExport(ctx context.Context, e core.Export) error {
	if err := o.fail("settle"); err != nil {
		return err
	}
	return errors.Join(o.Store.SettleExport(ctx, e), o.fail("after settle"))
}

func (o outbox) AccountByHealthCode(ctx context.Context, code core.HealthCode) (core.Account, error) {
	a, err := o.Store.AccountByHealthCode(ctx, code)
	return a, errors.Join(err, o.fail("account"))
}

// site is a store with uploads that wait, and the repository that they go to.
type site struct {
	*store.Store
	t      *testing.T
	home   string
	clock  *clock
	remote *repository
	worker *push.Worker
	fail   func(call string) error
	open   func(core.Upload) (io.ReadCloser, error) // nil: the stored bytes
	a      core.Account

	destinations []core.DestinationID // of what waits
	place        string               // what the repository is
	closed       core.ExportReason    // why nothing is sent
	shut, until  time.Time            // since then; then it is again
	hitch        *push.Hitch          // why a call is being repeated; nil: none is
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, home: t.TempDir(), clock: &clock{}, destinations: []core.DestinationID{"memory"}, fail: func(string) error { return nil }}
	s.clock.ns.Store(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC).UnixNano())
	s.remote = &repository{files: map[string]string{}, puts: map[string]int{}, fail: func(call string) error { return s.fail(call) }}
	s.start()
	t.Cleanup(func() { s.Close() })
	_, err := s.SaveApp(t.Context(), "tapping", func(a *core.App) error { a.Export = true; return nil })
	must(t, err)
	_, err = s.CreateStudy(t.Context(), core.Study{ID: "memory", App: "tapping", Export: true, Repository: core.RepositoryConfig{
		DataAccessTeam: 1, ParticipantVersionTable: "v", Project: "p", RawDataFolder: "r", StorageLocation: 1}})
	must(t, err)
	s.a, err = s.roster().Create(t.Context(), "memory", participant.Form{SharingScope: core.SponsorsAndPartners})
	must(t, err)
	return s
}

func (s *site) roster() *participant.Roster {
	return participant.NewRoster(s.Store, "tapping", participant.Config{Now: s.clock.now})
}

func (s *site) start() {
	s.t.Helper()
	var err error
	s.Store, err = store.Open(s.home, store.Config{Now: s.clock.now})
	must(s.t, err)
	out := outbox{s.Store, func(call string) error { return s.fail(call) }}
	s.worker = push.NewWorker(push.Config{
		Outbox: out, Tables: s.Store, Repository: s.remote, Now: s.clock.now,
		Open: func(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
			if s.open != nil {
				return s.open(u)
			}
			return s.Open(ctx, *u.Blob)
		},
		Attachment: func(_ context.Context, _ core.Upload, a core.Attachment) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(a.Field)), nil // what each holds is its name
		},
		Destination: func(_ context.Context, id core.DestinationID) (core.Destination, bool) {
			return core.Destination{ID: id, Study: core.StudyID(id), App: "tapping"}, true
		},
		Place: func() string { return s.place },
		Hitch: func() (push.Hitch, bool) {
			if s.hitch == nil {
				return push.Hitch{}, false
			}
			return *s.hitch, true
		},
		Closed: func() (core.ExportReason, time.Time, time.Time) { return s.closed, s.shut, s.until },
	})
}

func (s *site) restart() {
	s.t.Helper()
	must(s.t, s.Close())
	s.start()
}

// waiting is a record that waits to be exported.
func (s *site) waiting(body string) core.Upload { return s.waitingWith(body, nil) }

// waitingWith is one that may have a legacy part.
func (s *site) waitingWith(body string, legacy *core.Legacy) core.Upload {
	s.t.Helper()
	s.clock.pass(time.Millisecond)
	ctx := s.t.Context()
	sum := md5.Sum([]byte(body))
	r := core.Request{Name: "private name.txt", ContentType: "text/plain", ContentLength: int64(len(body)), ContentMD5: base64.StdEncoding.EncodeToString(sum[:])}
	u := core.Upload{ID: core.UploadID(core.NewID(s.clock.now())), User: s.a.ID, HealthCode: s.a.HealthCode, Request: r, State: core.StateRequested, RequestedOn: s.clock.now()}
	_, err := s.Begin(ctx, u, s.clock.now(), func(*core.Upload) core.Upload { return u })
	must(s.t, err)
	landing, err := s.Land(ctx, strings.NewReader(body), r.ContentLength)
	must(s.t, err)
	_, err = landing.Keep(ctx, u.ID, func(u *core.Upload, b core.Blob) error {
		u.Blob, u.State = &b, core.StateCompleted
		u.Facts = &core.Facts{UploadedOn: s.clock.now(), DateFolder: "2026-11-20", FileName: upload.FileName(u.ID, r.Name),
			Studies: []core.StudyID{"memory"}, Destinations: s.destinations, SharingScope: core.SponsorsAndPartners}
		return nil
	})
	must(s.t, err)
	must(s.t, s.Settle(ctx, u.ID, func(u *core.Upload) ([]core.Export, error) {
		return upload.Settle(u, core.Outcome{Verdict: core.Accepted, Record: &core.Record{Plain: u.Blob.Digest, Data: json.RawMessage("{}"), Legacy: legacy}}, s.clock.now())
	}))
	u, err = s.Upload(ctx, u.ID)
	must(s.t, err)
	return u
}

// steps steps until nothing is due and gives the errors. They never name a file.
func (s *site) steps() (errs []error) {
	s.t.Helper()
	for range 100 {
		did, err := s.worker.Step(s.t.Context())
		if err != nil {
			errs = append(errs, err)
			if strings.Contains(err.Error(), "private") {
				s.t.Errorf("it names the file: %v", err)
			}
		}
		if !did {
			return errs
		}
	}
	s.t.Fatal("it goes on and on")
	return nil
}

// settle lets a while pass, again and again, until all is pushed.
func (s *site) settle() {
	s.t.Helper()
	for range 12 {
		s.steps()
		s.clock.pass(20 * time.Minute)
	}
}

func (s *site) export(id core.UploadID) core.Export {
	s.t.Helper()
	all, err := s.Exports(s.t.Context(), id)
	must(s.t, err)
	if len(all) != 1 {
		s.t.Fatalf("%d exports", len(all))
	}
	return all[0]
}

// isExported checks that a record is in the repository, once and whole.
func (s *site) isExported(u core.Upload, body string) {
	s.t.Helper()
	e := s.export(u.ID)
	if e.State != core.ExportExported || e.Step != core.StepRecorded || e.Reason != "" || e.Attempts != 0 || e.ExportedOn.IsZero() || !strings.HasPrefix(e.File, "file raw-data/") {
		s.t.Errorf("export %+v", e)
	}
	raw := path.Join("memory/raw-data/2026-11-20", u.Facts.FileName)
	if s.remote.files[raw] != body || s.remote.puts[raw] != 1 {
		s.t.Errorf("the file is %q, put %d times", s.remote.files[raw], s.remote.puts[raw])
	}
	notes := path.Join("memory/annotations/2026-11-20", string(u.ID)+".json")
	var got map[string]any
	if err := json.Unmarshal([]byte(s.remote.files[notes]), &got); err != nil || got["exportedOn"] != e.ExportedOn.Format("2006-01-02T15:04:05.000Z") || s.remote.puts[notes] != 1 {
		s.t.Errorf("annotations %v, put %d times, %v", got, s.remote.puts[notes], err)
	}
	view := s.remote.files["memory/file-view/2026-11-20"]
	if strings.Count(view, string(u.ID)+"\n") != 1 {
		s.t.Errorf("the file view is %q", view)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// failing lets calls of a kind fail.
func (s *site) failing(kind string, err error) {
	s.fail = func(call string) error {
		if strings.HasPrefix(call, kind) {
			return err
		}
		return nil
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("input/output error") }

// shared makes a repository safe for concurrent use.
type shared struct {
	mu    sync.Mutex
	inner *repository
}

func (s *shared) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner.Put(ctx, d, o)
}

func (s *shared) Verify(ctx context.Context, d core.Destination, o core.Object, receipt string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner.Verify(ctx, d, o, receipt)
}

func (s *shared) Describe(ctx context.Context, d core.Destination, o core.Object, receipt string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner.Describe(ctx, d, o, receipt)
}

func (s *shared) PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner.PutVersions(ctx, d, versions)
}

func (s *shared) PutView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner.PutView(ctx, d, date, rows)
}

// unwelcome is the answer to a record that the repository never takes.
type unwelcome struct{}

func (unwelcome) Error() string        { return "400: https://a.example.org/signed" }
func (unwelcome) Said() string         { return "the name is too long" }
func (unwelcome) Is(target error) bool { return target == os.ErrInvalid || target == os.ErrPermission }
