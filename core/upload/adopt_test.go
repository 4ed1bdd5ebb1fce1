package upload_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/upload"
)

// The same bytes of an owner make one upload for all time, whatever became of it
// before.
func TestAdopt(t *testing.T) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	for name, before := range map[string]func(*testing.T, *desk){
		"never seen": func(*testing.T, *desk) {},
		"a slot was asked for": func(t *testing.T, d *desk) {
			_, err := d.Begin(t.Context(), standing.Account, request(), upload.Client{})
			must(t, err)
		},
		"the bytes came": func(t *testing.T, d *desk) {
			u, err := d.Begin(t.Context(), standing.Account, request(), upload.Client{})
			must(t, err)
			_, err = d.Receive(t.Context(), u.ID, declared(u.Request), bytes.NewReader(body))
			must(t, err)
		},
		"long ago": func(t *testing.T, d *desk) {
			completed(t, d, upload.Completion{By: core.CompletedByApp})
			d.now = d.now.AddDate(3, 0, 0)
		},
	} {
		d := newDesk()
		before(t, d)
		var last core.UploadID
		for i := range 3 {
			u, err := d.Adopt(t.Context(), standing.Account, request(), upload.Client{UserAgent: "inbox/1"}, open)
			must(t, err)
			if u.State != core.StateCompleted || u.Facts == nil || i > 0 && u.ID != last {
				t.Errorf("%s: %+v", name, u)
			}
			last = u.ID
			d.now = d.now.Add(30 * 24 * time.Hour)
		}
		if len(d.fake.uploads) != 1 {
			t.Errorf("%s: there are %d uploads", name, len(d.fake.uploads))
		}
	}
}

// What is not as it was described is not taken.
func TestAdoptTakesWhatWasDescribed(t *testing.T) {
	d := newDesk()
	other := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte("some bytez"))), nil }
	if _, err := d.Adopt(t.Context(), standing.Account, request(), upload.Client{}, other); !errors.Is(err, core.ErrDigestMismatch) {
		t.Errorf("other bytes: %v", err)
	}
	var invalid *core.Invalid
	large := request()
	large.ContentLength = maxSize + 1
	if _, err := d.Adopt(t.Context(), standing.Account, large, upload.Client{}, other); !errors.As(err, &invalid) {
		t.Errorf("too large: %v", err)
	}
	gone := errors.New("gone")
	if _, err := d.Adopt(t.Context(), standing.Account, request(), upload.Client{}, func() (io.ReadCloser, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Errorf("it is gone: %v", err)
	}
}
