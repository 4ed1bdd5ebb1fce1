package upload_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

var (
	_ upload.Ledger  = (*store.Store)(nil)
	_ upload.Landing = (*store.Landing)(nil)
)

// fake is a Ledger in memory, for one goroutine.
type fake struct {
	uploads  []core.Upload
	standing core.Standing
}

func (f *fake) Begin(ctx context.Context, fresh core.Upload, since time.Time, decide func(*core.Upload) core.Upload) (core.Upload, error) {
	var earlier *core.Upload
	for _, u := range f.uploads {
		if u.State != core.StateDuplicate && u.HealthCode == fresh.HealthCode && u.Request.ContentMD5 == fresh.Request.ContentMD5 && !u.RequestedOn.Before(since) {
			earlier = &u
		}
	}
	u := decide(earlier)
	if _, err := f.change(u.ID, func(old *core.Upload) error { *old = u; return nil }); err != nil {
		f.uploads = append(f.uploads, u)
	}
	return u, nil
}

func (f *fake) Upload(_ context.Context, id core.UploadID) (core.Upload, error) {
	return f.change(id, func(*core.Upload) error { return nil })
}

func (f *fake) Complete(_ context.Context, id core.UploadID, change func(*core.Upload, core.Standing) error) (core.Upload, error) {
	return f.change(id, func(u *core.Upload) error { return change(u, f.standing) })
}

func (f *fake) change(id core.UploadID, change func(*core.Upload) error) (core.Upload, error) {
	for i, u := range f.uploads {
		if u.ID == id {
			if err := change(&u); err != nil {
				return f.uploads[i], err
			}
			f.uploads[i] = u
			return u, nil
		}
	}
	return core.Upload{}, core.ErrNotFound
}

// As Bytes it keeps digests only.
func (f *fake) Land(_ context.Context, r io.Reader, _ int64) (upload.Landing, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return fakeLanding{f, digest(body)}, nil
}

type fakeLanding struct {
	*fake
	digest core.Digest
}

func (l fakeLanding) Digest() core.Digest { return l.digest }
func (l fakeLanding) Discard()            {}
func (l fakeLanding) Keep(_ context.Context, id core.UploadID, change func(*core.Upload, core.Blob) error) (core.Upload, error) {
	return l.change(id, func(u *core.Upload) error { return change(u, core.Blob{Digest: l.digest}) })
}

func digest(body []byte) core.Digest {
	sum5, sum256 := md5.Sum(body), sha256.Sum256(body)
	return core.Digest{Size: int64(len(body)), MD5: hex.EncodeToString(sum5[:]), SHA256: hex.EncodeToString(sum256[:])}
}

// stored is the store as app hands it to a Desk.
type stored struct{ *store.Store }

func (s stored) Land(ctx context.Context, r io.Reader, size int64) (upload.Landing, error) {
	l, err := s.Store.Land(ctx, r, size)
	if err != nil {
		return nil, err
	}
	return l, nil
}

type ledger interface {
	upload.Ledger
	upload.Bytes
}

// standing is how the only participant of these tests stands.
var standing = core.Standing{
	App: core.App{ID: "tapping", Version: 1},
	Account: core.Account{ID: "user", App: "tapping", HealthCode: "code", SharingScope: core.SponsorsAndPartners, DataGroups: []string{"b", "a"},
		Enrollments: map[core.StudyID]core.Enrollment{"memory": {}, "sleep": {ExternalID: "ext-1"}}, Version: 1},
	Studies: []core.Study{
		{ID: "memory", App: "tapping", Version: 1},
		{ID: "sleep", App: "tapping", Export: true, Version: 1, Repository: core.RepositoryConfig{DataAccessTeam: 1,
			ParticipantVersionTable: "v", Project: "p", RawDataFolder: "r", StorageLocation: 1}},
	},
	Version: 1,
}

func newFake(*testing.T) ledger { return &fake{standing: standing} }

func newStored(t *testing.T) ledger {
	s, err := store.Open(t.TempDir(), store.Config{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.SaveApp(t.Context(), "tapping", func(*core.App) error { return nil })
	must(t, err)
	for _, study := range standing.Studies {
		_, err = s.CreateStudy(t.Context(), study)
		must(t, err)
	}
	account := standing.Account
	account.Version = 0 // the store counts
	_, err = s.CreateAccount(t.Context(), account, func(_ core.App, a core.Account, _ *core.ParticipantVersion) (core.ParticipantVersion, bool) {
		return core.ParticipantVersion{HealthCode: a.HealthCode, Version: 1}, true
	})
	must(t, err)
	return stored{s}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// everyLedger runs a test on the fake and on the store.
func everyLedger(t *testing.T, test func(*testing.T, ledger)) {
	t.Run("fake", func(t *testing.T) { test(t, newFake(t)) })
	t.Run("store", func(t *testing.T) { test(t, newStored(t)) })
}

// row leaves out what only the ledger itself counts.
func row(u core.Upload) core.Upload {
	u.Version = 0
	if u.Blob != nil {
		u.Blob = &core.Blob{Digest: u.Blob.Digest}
	}
	return u
}

func TestLedgerContract(t *testing.T) {
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	slot := func(id core.UploadID, on time.Time) core.Upload {
		return core.Upload{ID: id, App: "tapping", User: "user", HealthCode: "code", State: core.StateRequested, RequestedOn: on, Request: core.Request{ContentMD5: "md5", ContentLength: 5}}
	}
	refused := errors.New("refused")
	everyLedger(t, func(t *testing.T, l ledger) {
		ctx := t.Context()
		begin := func(fresh core.Upload, since time.Time, want core.UploadID, decide func(*core.Upload) core.Upload) {
			t.Helper()
			got, err := l.Begin(ctx, fresh, since, func(earlier *core.Upload) core.Upload {
				if (earlier == nil) != (want == "") || earlier != nil && earlier.ID != want {
					t.Errorf("earlier is %+v, want %q", earlier, want)
				}
				return decide(earlier)
			})
			must(t, err)
			kept, err := l.Upload(ctx, got.ID)
			must(t, err)
			if diff := cmp.Diff(row(got), row(kept)); diff != "" {
				t.Error(diff)
			}
		}
		as := func(u core.Upload) func(*core.Upload) core.Upload { return func(*core.Upload) core.Upload { return u } }
		first, other := slot("1", day), slot("2", day)
		begin(first, day, "", as(first))
		other.HealthCode = "another"
		begin(other, day, "", as(other))
		other.ID, other.HealthCode, other.Request.ContentMD5 = "3", "code", "another"
		begin(other, day, "", as(other))
		begin(slot("4", day), day, "1", func(earlier *core.Upload) core.Upload { earlier.Request.Name = "newer"; return *earlier })
		duplicate := slot("5", day.Add(time.Hour))
		duplicate.State = core.StateDuplicate
		begin(duplicate, day, "1", as(duplicate))
		begin(slot("6", day.Add(2*time.Hour)), day, "1", as(duplicate)) // a duplicate is not what later ones repeat
		late := slot("7", day.Add(time.Hour))
		begin(late, day.Add(time.Nanosecond), "", as(late))
		begin(slot("8", day.Add(time.Hour)), day, "7", as(late))

		if _, err := l.Upload(ctx, "none"); !errors.Is(err, core.ErrNotFound) {
			t.Error(err)
		}
		before, err := l.Upload(ctx, "1")
		must(t, err)
		got, err := l.Complete(ctx, "1", func(u *core.Upload, s core.Standing) error {
			if diff := cmp.Diff(standing, s); diff != "" {
				t.Error(diff)
			}
			u.State = core.StateFailed
			return refused
		})
		if diff := cmp.Diff(before, got); diff != "" || !errors.Is(err, refused) {
			t.Error(diff, err)
		}
		if _, err := l.Complete(ctx, "none", func(*core.Upload, core.Standing) error { return nil }); !errors.Is(err, core.ErrNotFound) {
			t.Error(err)
		}
		got, err = l.Complete(ctx, "1", func(u *core.Upload, _ core.Standing) error { u.State = core.StateFailed; return nil })
		must(t, err)
		if kept, _ := l.Upload(ctx, "1"); kept.State != core.StateFailed || got.State != kept.State {
			t.Errorf("%s, kept %s", got.State, kept.State)
		}
	})
}

func TestBytesContract(t *testing.T) {
	refused := errors.New("refused")
	everyLedger(t, func(t *testing.T, l ledger) {
		ctx := t.Context()
		slot := core.Upload{ID: "1", User: "user", HealthCode: "code", State: core.StateRequested, Request: core.Request{ContentMD5: "md5"}}
		_, err := l.Begin(ctx, slot, time.Time{}, func(*core.Upload) core.Upload { return slot })
		must(t, err)
		for _, size := range []int{0, 5, 300 << 10} {
			body := bytes.Repeat([]byte{9}, size)
			if _, err := l.Land(ctx, io.MultiReader(bytes.NewReader(body), iotest.ErrReader(io.ErrUnexpectedEOF)), int64(size)); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error(err)
			}
			landing, err := l.Land(ctx, iotest.HalfReader(bytes.NewReader(body)), int64(size))
			must(t, err)
			if diff := cmp.Diff(digest(body), landing.Digest()); diff != "" {
				t.Error(diff)
			}
			if _, err := landing.Keep(ctx, "none", func(*core.Upload, core.Blob) error { return nil }); !errors.Is(err, core.ErrNotFound) {
				t.Error(err)
			}
			landing.Discard()
			landing.Discard()

			before, err := l.Upload(ctx, "1")
			must(t, err)
			for _, refusal := range []error{refused, nil} {
				landing, err = l.Land(ctx, bytes.NewReader(body), int64(size))
				must(t, err)
				got, err := landing.Keep(ctx, "1", func(u *core.Upload, b core.Blob) error {
					u.Blob = &b
					return refusal
				})
				if !errors.Is(err, refusal) {
					t.Error(err)
				}
				want := before
				if refusal == nil {
					want.Blob = &core.Blob{Digest: digest(body)}
				}
				kept, err := l.Upload(ctx, "1")
				must(t, err)
				if diff := cmp.Diff([]core.Upload{row(want), row(want)}, []core.Upload{row(got), row(kept)}); diff != "" {
					t.Error(diff)
				}
				landing.Discard()
			}
		}
	})
}
