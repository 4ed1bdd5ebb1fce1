package traffic_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"footbridge/app/traffic"
	"footbridge/core"
	"footbridge/sync/push"

	"github.com/google/go-cmp/cmp"
)

// outbox gives one record of 12 bytes after the other, and fails where it is told to.
type outbox struct {
	push.Outbox
	fails error
}

func (o *outbox) ClaimExport(context.Context, core.DestinationID, time.Duration, func(core.DestinationID) time.Time) (core.Export, core.Upload, bool, error) {
	return core.Export{Record: "u", Destination: "sleep"}, core.Upload{ID: "u", Record: &core.Record{Plain: core.Digest{Size: 12}}}, true, nil
}

func (o *outbox) SettleExport(context.Context, core.Export) error { return o.fails }

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// What is sent is seen on its way, as far as it is, and in the rate once it is there.
func TestWhatIsSentIsMeasured(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	m := traffic.New(func() time.Time { return now })
	inner := &outbox{}
	o := m.Outbox(inner)
	open := m.File(func(context.Context, core.Upload) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("twelve bytes")), nil
	})
	if file := must[io.ReadCloser](t)(open(t.Context(), core.Upload{ID: "u"})); string(must[[]byte](t)(io.ReadAll(file))) != "twelve bytes" || len(m.Leaving()) > 0 {
		t.Errorf("who only looks is seen as %+v", m.Leaving())
	}
	e, u, _, _ := o.ClaimExport(t.Context(), "", 0, nil)
	expect := func(bytes int64) {
		t.Helper()
		if diff := cmp.Diff([]core.Moving{{Upload: "u", Bytes: bytes, Of: 12, Since: now}}, m.Leaving()); diff != "" {
			t.Error(diff)
		}
	}
	expect(0)
	for range 2 { // a repository may read twice
		file := must[io.ReadCloser](t)(open(t.Context(), u))
		must[int](t)(io.ReadFull(file, make([]byte, 5)))
		expect(5)
		must[[]byte](t)(io.ReadAll(file))
		expect(12)
	}
	e.State = core.ExportWaiting
	if err := o.SettleExport(t.Context(), e); err != nil || len(m.Leaving()) > 0 || m.Rate("sleep") != (traffic.Rate{}) {
		t.Errorf("what was not taken is %+v, %+v (%v)", m.Leaving(), m.Rate("sleep"), err)
	}
	send := func(fails error) {
		t.Helper()
		e, _, _, _ := o.ClaimExport(t.Context(), "", 0, nil)
		e.State, inner.fails = core.ExportExported, fails
		if err := o.SettleExport(t.Context(), e); !errors.Is(err, fails) {
			t.Errorf("settled with %v", err)
		}
	}
	send(nil)
	send(errors.New("no room"))
	if now = now.Add(20 * time.Second); m.Rate("sleep") != (traffic.Rate{}) {
		t.Errorf("of one record the rate is %+v", m.Rate("sleep"))
	}
	now = now.Add(-20 * time.Second)
	for range 3 {
		now = now.Add(30 * time.Second)
		send(nil)
	}
	now = now.Add(30 * time.Second)
	if got, want := m.Rate("sleep"), (traffic.Rate{Records: 2, Bytes: 24}); got != want {
		t.Errorf("over two minutes the rate is %+v, not %+v", got, want)
	}
	if now = now.Add(5 * time.Minute); m.Rate("sleep") != (traffic.Rate{}) {
		t.Errorf("five minutes later it is %+v", m.Rate("sleep"))
	}
}
