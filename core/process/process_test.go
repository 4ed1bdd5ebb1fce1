package process_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"footbridge/core"
	"footbridge/core/cms"
	"footbridge/core/process"
	"footbridge/store"
	"footbridge/store/blob"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
)

var _ process.Bench = (*store.Store)(nil)

var now = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

// bench holds one upload that is due.
type bench struct {
	upload  core.Upload
	body    []byte
	opened  error // of Open
	reading error // instead of the body's end
	settle  error
	exports []core.Export
	leased  bool
	again   time.Time
	uses    int
}

func (b *bench) Uses(context.Context, string, core.Digest) int { return b.uses }

func (b *bench) Claim(context.Context) (core.Upload, bool, error) {
	due := !b.leased && b.upload.State == core.StateCompleted
	b.leased = b.leased || due
	return b.upload, due, nil
}

func (b *bench) Open(context.Context, core.Blob) (io.ReadCloser, error) {
	var r io.Reader = bytes.NewReader(b.body)
	if b.reading != nil {
		r = io.MultiReader(r, iotest.ErrReader(b.reading))
	}
	return io.NopCloser(r), b.opened
}

func (b *bench) Settle(_ context.Context, _ core.UploadID, change func(*core.Upload) ([]core.Export, error)) (err error) {
	if b.settle != nil {
		return b.settle
	}
	b.exports, err = change(&b.upload)
	b.leased = b.leased && err != nil
	return err
}

func (b *bench) Release(_ core.UploadID, again time.Time) { b.leased, b.again = false, again }

func seal(t *testing.T, key cms.Key, plain []byte) []byte {
	t.Helper()
	var sealed bytes.Buffer
	w, err := cms.Seal(&sealed, key.Certificate)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return sealed.Bytes()
}

// zipped is a zip that is in order.
func zipped(t *testing.T) []byte {
	return testdata.Bundle(t, "answers.json", `{"a":1}`)
}

func digest(body []byte) core.Digest {
	h := blob.NewHasher()
	h.Write(body)
	return h.Digest()
}

// newBench holds a body that is due, of a participant whose study is configured.
func newBench(body []byte, encrypted bool, name string) *bench {
	return &bench{body: body, upload: core.Upload{
		ID: "1", State: core.StateCompleted, Blob: &core.Blob{Digest: digest(body)},
		Request: core.Request{Name: name, ContentType: "application/octet-stream", Encrypted: encrypted, Metadata: map[string]json.RawMessage{"taskId": []byte(`"t"`)}},
		Facts:   &core.Facts{UploadedOn: now, DateFolder: "2026-11-20", Destinations: []core.DestinationID{"memory"}, SharingScope: core.SponsorsAndPartners, Schemaless: true},
	}}
}

func newWorker(b process.Bench, keys ...cms.Key) *process.Worker {
	return process.NewWorker(b, process.Config{Keys: func() []cms.Key { return keys }, Now: func() time.Time { return now },
		NewDigest: func() process.Digest { return blob.NewHasher() }})
}

func TestVerdicts(t *testing.T) {
	ours, foreign := testdata.Key(t, "test-only"), testdata.Key(t, "other-only")
	plain := bytes.Repeat([]byte("some bytes "), 40_000)
	sealed := seal(t, ours, plain)
	for name, test := range map[string]struct {
		body      []byte
		encrypted bool
		file      string
		plain     []byte   // what is accepted; nil: rejected
		messages  []string // beginnings
	}{
		"encrypted":                      {sealed, true, "data.bin", plain, nil},
		"in the open":                    {plain, false, "data.bin", plain, nil},
		"empty, encrypted":               {seal(t, ours, nil), true, "data.bin", []byte{}, nil},
		"a zip, encrypted":               {seal(t, ours, zipped(t)), true, "data.zip", zipped(t), nil},
		"a zip, in the open":             {zipped(t), false, "data.ZIP", zipped(t), nil},
		"a zip that is none":             {seal(t, ours, plain), true, "data.zip", plain, []string{"The zip looks wrong: "}},
		"a zip that is cut short":        {zipped(t)[:50], false, "data.zip", zipped(t)[:50], []string{"The zip looks wrong: "}},
		"a zip by its content only":      {zipped(t)[:50], false, "data.bin", zipped(t)[:50], []string{"The zip looks wrong: "}},
		"encrypted for someone else":     {seal(t, foreign, plain), true, "data.bin", nil, []string{"The file was encrypted to a key that this site does not hold: "}},
		"announced as encrypted, is not": {plain, true, "data.bin", nil, []string{"The upload was announced as encrypted but is no CMS enveloped data."}},
		"nothing, announced as encrypted": {
			[]byte{}, true, "data.bin", nil, []string{"The "}},
		"cut short":                {sealed[:len(sealed)-100], true, "data.bin", nil, []string{"The encrypted file cannot be opened: "}},
		"cut off in the middle":    {sealed[:len(sealed)/2], true, "data.zip", nil, []string{"The encrypted file cannot be opened: "}},
		"encrypted, but announced": {sealed, false, "data.bin", sealed, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(test.body, test.encrypted, test.file)
			did, err := newWorker(b, ours).Step(t.Context())
			if !did || err != nil {
				t.Fatal(did, err)
			}
			want := core.StateFailed
			if test.plain != nil {
				want = core.StateSucceeded
				record := &core.Record{CreatedOn: now, Plain: digest(test.plain), Data: json.RawMessage("{}"), Metadata: map[string]string{"taskId": "t"}}
				if diff := cmp.Diff(record, b.upload.Record); diff != "" {
					t.Error(diff)
				}
			} else if b.upload.Record != nil {
				t.Errorf("a record %+v", b.upload.Record)
			}
			if b.upload.State != want || (len(b.exports) == 1) != (test.plain != nil) {
				t.Errorf("it is %s, exports %v: %v", b.upload.State, b.exports, b.upload.Messages)
			}
			if len(b.upload.Messages) != len(test.messages) {
				t.Fatalf("messages %q", b.upload.Messages)
			}
			for i, message := range b.upload.Messages {
				if !strings.HasPrefix(message, test.messages[i]) || strings.Contains(message, test.file) {
					t.Errorf("message %q", message)
				}
			}
			if did, err := newWorker(b).Step(t.Context()); did || err != nil {
				t.Errorf("and again: %v, %v", did, err)
			}
		})
	}
}

// What keeps the bytes from being read says nothing about them: the upload is
// due again.
func TestTroubleIsNoVerdict(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	broken := errors.New("input/output error")
	sealed := seal(t, ours, []byte(strings.Repeat("some bytes ", 40_000)))
	gone, stop := context.WithCancel(t.Context())
	stop()
	for name, test := range map[string]struct {
		ctx    context.Context
		change func(*bench)
		want   error
	}{
		"cannot be opened":            {t.Context(), func(b *bench) { b.opened = broken }, broken},
		"cannot be read":              {t.Context(), func(b *bench) { b.body, b.reading = nil, broken }, broken},
		"cannot be read to its end":   {t.Context(), func(b *bench) { b.body, b.reading = sealed[:len(sealed)/2], broken }, broken},
		"a zip cannot be read":        {t.Context(), func(b *bench) { b.upload.Request.Name, b.body, b.reading = "x.zip", sealed[:len(sealed)/2], broken }, broken},
		"the program ends":            {gone, func(*bench) {}, context.Canceled},
		"the store takes nothing":     {t.Context(), func(b *bench) { b.settle = broken }, broken},
		"a redrive finds other bytes": {t.Context(), func(b *bench) { b.upload.Record = &core.Record{Plain: core.Digest{Size: 1}} }, core.ErrDigestMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(sealed, true, "data.bin")
			before := b.upload.State
			test.change(b)
			did, err := newWorker(b, ours).Step(test.ctx)
			if !did || !errors.Is(err, test.want) || !strings.HasPrefix(err.Error(), "process upload 1: ") {
				t.Errorf("%v, %v", did, err)
			}
			if b.upload.State != before || b.leased || !b.again.After(now) || len(b.upload.Messages) > 0 {
				t.Errorf("it is %s, leased %v, due %v, messages %v", b.upload.State, b.leased, b.again, b.upload.Messages)
			}
		})
	}
}

// A step that panics gives its upload back.
func TestAPanicEndsTheLease(t *testing.T) {
	b := newBench([]byte("bytes"), false, "data.bin")
	b.upload.Facts = nil
	func() {
		defer func() { recover() }()
		newWorker(b).Step(t.Context())
		t.Error("it was meant to panic")
	}()
	if b.leased || !b.again.After(now) {
		t.Errorf("leased %v, due %v", b.leased, b.again)
	}
}

func TestNothingToDo(t *testing.T) {
	b := newBench(nil, false, "")
	b.upload.State = core.StateReceived
	if did, err := newWorker(b).Step(t.Context()); did || err != nil {
		t.Error(did, err)
	}
}

func TestStrings(t *testing.T) {
	for raw, want := range map[string]string{
		`"text"`: "text", `""`: "", `"\u00e9\n\"q\""`: "é\n\"q\"", `" padded "`: " padded ",
		`3`: "3", `-0.50`: "-0.50", `1e400`: "1e400", `12345678901234567890`: "12345678901234567890",
		`true`: "true", `false`: "false", ` 7 `: "7",
		`[1, "two", null]`: `[1,"two",null]`, `{"b" : {"c": [ ]} }`: `{"b":{"c":[]}}`, `"<b>&"`: "<b>&", `["<b>"]`: `["<b>"]`,
	} {
		got := process.Strings(map[string]json.RawMessage{"k": json.RawMessage(raw), "null": json.RawMessage("null"), "none": nil})
		if diff := cmp.Diff(map[string]string{"k": want}, got); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
	if got := process.Strings(nil); len(got) != 0 {
		t.Error(got)
	}
}

// closed counts what is closed.
type closed struct {
	io.Reader
	n int
}

func (c *closed) Close() error { c.n++; return nil }

func TestPlainOwnsWhatItIsGiven(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	for name, test := range map[string]struct {
		body      []byte
		encrypted bool
		opens     bool
	}{
		"encrypted": {seal(t, ours, []byte("bytes")), true, true}, "in the open": {[]byte("bytes"), false, true}, "neither": {[]byte("bytes"), true, false},
	} {
		sealed := &closed{Reader: bytes.NewReader(test.body)}
		plain, err := process.Plain(sealed, test.encrypted, []cms.Key{ours})
		if (err == nil) != test.opens || (sealed.n == 1) == test.opens {
			t.Errorf("%s: %v, closed %d times", name, err, sealed.n)
		}
		if err == nil {
			got, err := io.ReadAll(plain)
			plain.Close()
			if string(got) != "bytes" || err != nil || sealed.n != 1 {
				t.Errorf("%s: %q, %v, closed %d times", name, got, err, sealed.n)
			}
		}
	}
}

// The same bench rules hold for the fake and for the store.
func TestBenchContract(t *testing.T) {
	body := []byte("some bytes")
	completed := newBench(body, false, "data.bin").upload
	for name, open := range map[string]func() process.Bench{
		"fake":  func() process.Bench { return newBench(body, false, "data.bin") },
		"store": func() process.Bench { return newStore(t, completed, body) },
	} {
		t.Run(name, func(t *testing.T) {
			b := open()
			claim := func(want bool) core.Upload {
				t.Helper()
				u, ok, err := b.Claim(t.Context())
				if ok != want || err != nil || ok && u.ID != "1" {
					t.Fatalf("claimed %q, %v, %v; want %v", u.ID, ok, err, want)
				}
				return u
			}
			u := claim(true)
			claim(false)
			for range 2 {
				r, err := b.Open(t.Context(), *u.Blob)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := io.ReadAll(r); !bytes.Equal(got, body) || err != nil {
					t.Errorf("%q, %v", got, err)
				}
				r.Close()
			}
			b.Release("1", now)
			claim(true)
			refused := errors.New("refused")
			if err := b.Settle(t.Context(), "1", func(*core.Upload) ([]core.Export, error) { return nil, refused }); !errors.Is(err, refused) {
				t.Error(err)
			}
			claim(false) // it is still leased
			b.Release("1", now)
			claim(true)
			err := b.Settle(t.Context(), "1", func(u *core.Upload) ([]core.Export, error) {
				u.State = core.StateFailed
				return nil, nil
			})
			if err != nil {
				t.Error(err)
			}
			claim(false)
			b.Release("1", now) // nobody's lease
			claim(false)
		})
	}
}

// newStore is a store that holds one upload which is due.
func newStore(t *testing.T, completed core.Upload, body []byte) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	slot := completed
	slot.Blob, slot.State = nil, core.StateRequested
	_, err = s.Begin(t.Context(), slot, now, func(*core.Upload) core.Upload { return slot })
	if err != nil {
		t.Fatal(err)
	}
	landing, err := s.Land(t.Context(), bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = landing.Keep(t.Context(), "1", func(u *core.Upload, b core.Blob) error {
		u.Blob, u.State = &b, core.StateCompleted
		return nil
	})
	if err != nil {
		t.Fatal(fmt.Errorf("keep: %w", err))
	}
	return s
}

// Whoever alters a captured message to learn from the verdicts what it holds
// gets few of them: all copies have the same sealed key.
func TestASealedKeyWearsOut(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	b := newBench(seal(t, ours, []byte("steps")), true, "data.bin")
	if _, err := newWorker(b, ours).Step(t.Context()); err != nil || b.upload.State != core.StateSucceeded || len(b.upload.Envelope) != 64 {
		t.Fatalf("%s, envelope %q (%v)", b.upload.State, b.upload.Envelope, err)
	}
	again := newBench(b.body, true, "data.bin")
	again.uses = 8
	if _, err := newWorker(again, ours).Step(t.Context()); err != nil || again.upload.State != core.StateFailed || !strings.Contains(again.upload.Messages[0], "same sealed key") {
		t.Fatalf("%s %v (%v)", again.upload.State, again.upload.Messages, err)
	}
	if again.upload.Envelope != "" {
		t.Error("what was not opened counts as opened: a redrive would open it")
	}
}

func TestBytesBehindAMessageAreTold(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	b := newBench(append(seal(t, ours, []byte("steps")), "more"...), true, "data.bin")
	if _, err := newWorker(b, ours).Step(t.Context()); err != nil || b.upload.State != core.StateSucceeded {
		t.Fatalf("%s (%v)", b.upload.State, err)
	}
	if len(b.upload.Messages) != 1 || !strings.Contains(b.upload.Messages[0], "More bytes follow") {
		t.Errorf("%v", b.upload.Messages)
	}
}
