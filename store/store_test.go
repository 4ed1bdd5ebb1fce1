package store_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/core/upload"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

const (
	app   core.AppID   = "tapping"
	study core.StudyID = "memory"
	small              = 256 << 10 // the largest body that shares the log
)

// tester is what testing.T and rapid.T have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// site is a store with the rooms that use it.
type site struct {
	*store.Store
	t      tester
	home   string
	clock  *clock
	desk   *upload.Desk
	roster *participant.Roster
}

type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time        { return time.Unix(0, c.ns.Load()).UTC() }
func (c *clock) pass(by time.Duration) { c.ns.Add(int64(by)) }

// landing adapts the store to upload.Bytes, as app does.
type landing struct{ *store.Store }

func (l landing) Land(ctx context.Context, r io.Reader, size int64) (upload.Landing, error) {
	landed, err := l.Store.Land(ctx, r, size)
	if err != nil {
		return nil, err
	}
	return landed, nil
}

func newClock() *clock {
	c := &clock{}
	c.ns.Store(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC).UnixNano())
	return c
}

// open opens the store in a home.
func open(t tester, home string, clock *clock, config store.Config) *site {
	t.Helper()
	config.Now = clock.now
	s, err := store.Open(home, config)
	must(t, err)
	return &site{
		Store: s, t: t, home: home, clock: clock,
		roster: participant.NewRoster(s, app, participant.Config{Now: clock.now}),
		desk: upload.NewDesk(s, landing{s}, upload.Config{Now: clock.now, MaxSize: func() int64 { return 5 << 30 },
			Zone: func() *time.Location { return time.UTC }}),
	}
}

// newSite opens a new store with the app and a study that is configured.
func newSite(t *testing.T, config store.Config) *site {
	t.Helper()
	s := open(t, t.TempDir(), newClock(), config)
	t.Cleanup(func() { s.Close() })
	s.found()
	return s
}

var complete = core.RepositoryConfig{DataAccessTeam: 1, ParticipantVersionTable: "v", Project: "p", RawDataFolder: "r", StorageLocation: 1}

// found makes the app and the study.
func (s *site) found() {
	s.t.Helper()
	_, err := s.SaveApp(context.Background(), app, func(a *core.App) error { a.Export = true; return nil })
	must(s.t, err)
	_, err = s.CreateStudy(context.Background(), core.Study{ID: study, App: app, Export: true, Repository: complete})
	must(s.t, err)
}

// participant makes a participant of the study who shares.
func (s *site) participant(externalID string) core.Account {
	s.t.Helper()
	a, err := s.roster.Create(context.Background(), study, participant.Form{
		SharingScope: core.AllQualifiedResearchers, ExternalIDs: map[core.StudyID]string{study: externalID}})
	must(s.t, err)
	return a
}

// reopen ends the store in good order and opens it again.
func (s *site) reopen() *site {
	s.t.Helper()
	must(s.t, s.Close())
	return open(s.t, s.home, s.clock, store.Config{})
}

// crash opens what the program would leave if it were killed now.
func (s *site) crash(to string) *site {
	s.t.Helper()
	db := filepath.Join(s.home, "footbridge.db")
	for { // a copy that bbolt wrote into is not what a kill leaves
		before, err := os.Stat(db)
		must(s.t, err)
		data, err := os.ReadFile(db)
		must(s.t, err)
		after, err := os.Stat(db)
		must(s.t, err)
		if before.ModTime().Equal(after.ModTime()) {
			must(s.t, os.WriteFile(filepath.Join(to, "footbridge.db"), data, 0o600))
			break
		}
	}
	must(s.t, os.CopyFS(filepath.Join(to, "blobs"), os.DirFS(filepath.Join(s.home, "blobs"))))
	return open(s.t, to, s.clock, store.Config{})
}

func request(body []byte) core.Request {
	sum := md5.Sum(body)
	return core.Request{Name: "tapping.zip", ContentType: "application/zip", ContentLength: int64(len(body)),
		ContentMD5: base64.StdEncoding.EncodeToString(sum[:])}
}

func (s *site) begin(a core.Account, body []byte) core.Upload {
	s.t.Helper()
	u, err := s.desk.Begin(context.Background(), a, request(body), upload.Client{})
	must(s.t, err)
	return u
}

func (s *site) put(id core.UploadID, body []byte) error {
	r := request(body)
	_, err := s.desk.Receive(context.Background(), id, upload.Declared{Length: r.ContentLength, Type: r.ContentType, MD5: r.ContentMD5}, bytes.NewReader(body))
	return err
}

func (s *site) complete(id core.UploadID, redrive bool) error {
	_, err := s.desk.Complete(context.Background(), id, upload.Completion{By: core.CompletedByApp, Redrive: redrive, Staff: redrive})
	return err
}

// received is an upload whose bytes are here and that is completed.
func (s *site) received(a core.Account, body []byte) core.Upload {
	s.t.Helper()
	s.clock.pass(time.Millisecond) // ids sort by it
	u := s.begin(a, body)
	must(s.t, s.put(u.ID, body))
	must(s.t, s.complete(u.ID, false))
	return s.upload(u.ID)
}

func (s *site) upload(id core.UploadID) core.Upload {
	s.t.Helper()
	u, err := s.Upload(context.Background(), id)
	must(s.t, err)
	return u
}

// process settles the next upload that is due; false where there is none.
func (s *site) process(verdict core.Verdict) bool {
	s.t.Helper()
	u, ok, err := s.Claim(context.Background())
	must(s.t, err)
	if ok {
		outcome := core.Outcome{Verdict: verdict}
		if verdict == core.Accepted {
			outcome.Record = &core.Record{Plain: u.Blob.Digest, Data: []byte("{}")}
		}
		must(s.t, s.Settle(context.Background(), u.ID, func(u *core.Upload) ([]core.Export, error) {
			return upload.Settle(u, outcome, s.clock.now())
		}))
	}
	return ok
}

func must(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t tester, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// files lists the bodies that have a file of their own, half-written ones too.
func (s *site) files() []string {
	s.t.Helper()
	entries, err := os.ReadDir(filepath.Join(s.home, "blobs", "files"))
	must(s.t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestTheSameBytesGetTheSameSlot(t *testing.T) {
	s := newSite(t, store.Config{})
	a, b := s.participant("1"), s.participant("2")
	body := []byte("the same bytes")
	first := s.begin(a, body)
	s.clock.pass(time.Hour)
	again := s.begin(a, body)
	if again.ID != first.ID || !again.ExpiresOn.Equal(first.ExpiresOn.Add(time.Hour)) {
		t.Errorf("while requested: %s until %s, want %s an hour later than %s", again.ID, again.ExpiresOn, first.ID, first.ExpiresOn)
	}
	if other := s.begin(b, body); other.ID == first.ID || other.State != core.StateRequested {
		t.Errorf("another participant got %s, %s", other.ID, other.State)
	}
	must(t, s.put(first.ID, body))
	if again = s.begin(a, body); again.ID != first.ID || again.State != core.StateReceived {
		t.Errorf("while received: %s, %s", again.ID, again.State)
	}
	must(t, s.complete(first.ID, false))
	duplicate := s.begin(a, body)
	if duplicate.ID == first.ID || duplicate.State != core.StateDuplicate || duplicate.DuplicateOf != first.ID {
		t.Errorf("later: %+v", duplicate)
	}
	s.clock.pass(7*24*time.Hour - time.Hour)
	if last := s.begin(a, body); last.DuplicateOf != first.ID {
		t.Errorf("on the seventh day: %+v", last)
	}
	s.clock.pass(time.Millisecond)
	fresh := s.begin(a, body)
	if fresh.State != core.StateRequested || fresh.DuplicateOf != "" {
		t.Errorf("after seven days: %+v", fresh)
	}
	must(t, s.put(duplicate.ID, body))
	must(t, s.complete(duplicate.ID, false))
	if got := s.upload(duplicate.ID); got.State != core.StateDuplicate {
		t.Errorf("a completed duplicate is %s", got.State)
	}
}

func TestSlotsAskedForAtOnceAreOne(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	body := []byte("ten at once")
	ids := make([]core.UploadID, 10)
	var callers sync.WaitGroup
	for i := range ids {
		callers.Go(func() { ids[i] = s.begin(a, body).ID })
	}
	callers.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatalf("got %v", ids)
		}
	}
	if diff := cmp.Diff(map[string]int{"uploads/requested": 1}, s.Counts()); diff != "" {
		t.Error(diff)
	}
}

func TestRoomIsPromisedOnce(t *testing.T) {
	free := uint64(1000)
	config := store.Config{FreeSpace: func() (uint64, error) { return free, nil }, Floor: func() int64 { return 100 }}
	s := newSite(t, config)
	a := s.participant("1")
	body := func(n int) []byte { return bytes.Repeat([]byte{byte(n)}, n) }
	must(t, s.ask(a, body(600)))
	wants(t, s.ask(a, body(301)), core.ErrNoSpace)
	must(t, s.ask(a, body(600))) // the same slot again is not counted twice
	must(t, s.ask(a, body(300)))
	wants(t, s.ask(a, body(1)), core.ErrNoSpace)

	must(t, s.Close())
	s = open(t, s.home, s.clock, config)
	defer s.Close()
	wants(t, s.ask(a, body(1)), core.ErrNoSpace)
	must(t, s.put(s.begin(a, body(300)).ID, body(300))) // what is here needs no promise: the disk shows it
	must(t, s.ask(a, body(250)))
	wants(t, s.ask(a, body(51)), core.ErrNoSpace)
	free -= 300
	wants(t, s.ask(a, body(1)), core.ErrNoSpace)

	s.clock.pass(25 * time.Hour)
	for _, want := range []int{2, 0} {
		if expired, err := s.Expire(t.Context()); expired != want || err != nil {
			t.Errorf("%d promises ended, %v, want %d", expired, err, want)
		}
	}
	must(t, s.ask(a, body(599)))
	wants(t, s.ask(a, body(2)), core.ErrNoSpace)
}

// ask asks for a slot.
func (s *site) ask(a core.Account, body []byte) error {
	_, err := s.desk.Begin(context.Background(), a, request(body), upload.Client{})
	return err
}

// However many ask at once, the disk is never promised twice.
func TestRoomIsPromisedToOneOfMany(t *testing.T) {
	s := newSite(t, store.Config{FreeSpace: func() (uint64, error) { return 1000, nil }})
	a := s.participant("1")
	var issued atomic.Int64
	var callers sync.WaitGroup
	for i := range 64 {
		callers.Go(func() {
			if s.ask(a, fmt.Appendf(nil, "%0100d", i)) == nil {
				issued.Add(1)
			}
		})
	}
	callers.Wait()
	if issued.Load() != 10 {
		t.Errorf("%d slots of 100 bytes were issued, want 10", issued.Load())
	}
}

func TestADiskThatCannotBeMeasuredIsNoPromise(t *testing.T) {
	broken := errors.New("no such device")
	s := newSite(t, store.Config{FreeSpace: func() (uint64, error) { return 0, broken }})
	wants(t, s.ask(s.participant("1"), []byte("x")), broken)
}

func TestAClosedStoreNeverSaysNotFound(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	u := s.begin(a, []byte("bytes"))
	must(t, s.Close())
	must(t, s.Close())
	_, err := s.Upload(t.Context(), u.ID)
	wants(t, err, core.ErrClosed)
	_, err = s.AccountByHealthCode(t.Context(), a.HealthCode)
	wants(t, err, core.ErrClosed)
	wants(t, s.put(u.ID, []byte("bytes")), core.ErrClosed)
}

func TestTheSecretStays(t *testing.T) {
	s := newSite(t, store.Config{})
	secret := bytes.Clone(s.Secret())
	s = s.reopen()
	defer s.Close()
	if len(secret) != 32 || !bytes.Equal(secret, s.Secret()) {
		t.Errorf("it was %s and is %s", hex.EncodeToString(secret), hex.EncodeToString(s.Secret()))
	}
}
