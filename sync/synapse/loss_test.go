package synapse_test

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

// A reply that is lost within a call is made up for within the call, without a
// second effect.
func TestLostReplies(t *testing.T) {
	for _, path := range []string{
		"/repo/v1/team", "/repo/v1/entity", "/repo/v1/entity/bundle2/create", "/repo/v1/storageLocation",
		"/repo/v1/projectSettings", "/repo/v1/column/batch", "/file/v1/file/multipart", "/repo/v1/entity/*/acl",
		"/storage", "/file/v1/file/multipart/*/add/*", "/file/v1/file/multipart/*/complete",
		"/file/v1/file/multipart/*/presigned/url/batch", "/repo/v1/entity/*/bundle2",
	} {
		t.Run(path, func(t *testing.T) {
			s := synapsetest.Start(t, synapsetest.Config{})
			for _, method := range []string{"POST", "PUT"} {
				s.Inject(synapsetest.Fault{Method: method, Path: path, DropReply: true})
			}
			c := open(t, s, hasty())
			p, err := build(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			own, err := c.MakeFolder(t.Context(), p.project, "Own")
			if err != nil {
				t.Fatal(err)
			}
			location, err := c.MakeStorage(t.Context(), own, synapse.Storage{})
			if err != nil {
				t.Fatal(err)
			}
			o, _ := object([]byte("bytes"))
			if _, err := record(t.Context(), c, own, location, o); err != nil {
				t.Fatal(err)
			}
			want := map[string]int{"team": 1, "project": 1, "folder": 3, "table": 1, "view": 1, "setting": 2, "file": 1}
			if diff := cmp.Diff(want, made(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whatever goes wrong in whatever order, once it stops everything is there, once.
func TestAnyTrouble(t *testing.T) {
	o, _ := object(random(64 << 10))
	rapid.Check(t, func(r *rapid.T) {
		s := synapsetest.New(synapsetest.Config{PerMinute: 100_000})
		at := httptest.NewServer(s)
		defer at.Close()
		s.URL = at.URL
		s.PutObject("study", "app/sleep/owner.txt", []byte("exporter")) // see build
		fault := rapid.Custom(func(r *rapid.T) synapsetest.Fault {
			f := rapid.SampledFrom([]synapsetest.Fault{
				{Cut: true}, {DropReply: true}, {DropReply: true}, synapsetest.Portal(), synapsetest.BadGateway(),
				synapsetest.Throttled(""), synapsetest.Throttled("3600"), synapsetest.Refused(503, "Temporarily unavailable"),
				synapsetest.Refused(412, "Object was updated since you last fetched it"), {FailJob: "Please try again"},
			}).Draw(r, "fault")
			f.Nth, f.Times = rapid.IntRange(1, 60).Draw(r, "nth"), rapid.IntRange(1, 3).Draw(r, "times")
			return f
		})
		for _, f := range rapid.SliceOfN(fault, 0, 8).Draw(r, "faults") {
			s.Inject(f)
		}
		config := hasty()
		config.Settle, config.Retries = 5*time.Millisecond, rapid.IntRange(-1, 2).Draw(r, "retries")
		c, err := synapse.Open(s.URL, config)
		if err != nil {
			r.Fatal(err)
		}
		defer c.Close()
		h := &shelf{s: s}
		for tries := 0; ; tries++ {
			if err = whole(t, c, h, o); err == nil {
				break
			}
			if tries > 60 {
				r.Fatalf("it never ended: %v", err)
			}
			if errors.As(err, new(*core.Later)) {
				time.Sleep(config.Settle)
			}
		}
		want := map[string]int{"team": 1, "project": 1, "folder": 3, "table": 1, "view": 1, "setting": 2, "file": 1, "row": 5}
		if diff := cmp.Diff(want, made(s)); diff != "" {
			r.Error(diff)
		}
		if bare := s.Bare(); len(bare) != 0 {
			r.Errorf("%d files were without annotations", len(bare))
		}
	})
}

// whole does everything that a site does with a repository.
func whole(t *testing.T, c *synapse.Client, h *shelf, o core.Object) error {
	p, err := build(t.Context(), c)
	if err != nil {
		return err
	}
	if h.table, err = c.Table(t.Context(), p.table); err != nil {
		return err
	}
	if _, err := h.append(t.Context(), c, people(5)...); err != nil {
		return err
	}
	own, err := c.MakeFolder(t.Context(), p.project, "Own")
	if err != nil {
		return err
	}
	location, err := c.MakeStorage(t.Context(), own, synapse.Storage{})
	if err != nil {
		return err
	}
	_, err = record(t.Context(), c, own, location, o)
	return err
}
