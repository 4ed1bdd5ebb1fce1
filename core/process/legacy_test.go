package process_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/cms"
	"footbridge/core/process"
	"footbridge/core/schema"
	"footbridge/store/blob"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
)

// shelf has one schema, or fails.
type shelf struct {
	one   schema.Schema
	fails error
}

func (s shelf) Schema(_ context.Context, id string, revision int) (schema.Schema, error) {
	if s.fails == nil && (s.one.ID != id || s.one.Revision != revision) {
		return s.one, fmt.Errorf("schema %s: %w", id, core.ErrNotFound)
	}
	return s.one, s.fails
}

func (s shelf) Survey(context.Context, string, time.Time) (schema.Survey, error) {
	return schema.Survey{}, fmt.Errorf("survey: %w", core.ErrNotFound)
}

// walks describes bundles with steps and a recording.
var walks = shelf{one: schema.Schema{ID: "walk", Name: "Walk", Revision: 2, Kind: schema.Data, Fields: []schema.Field{
	{Name: "steps", Type: schema.Int, Required: true}, {Name: "gait.json.sway", Type: schema.AttachmentV2}, {Name: "gait.json", Type: schema.AttachmentJSONBlob},
}}}

const walkInfo = `{"format":"v2_generic","item":"walk","schemaRevision":2,"dataFilename":"data.json",` +
	`"createdOn":"2026-11-20T09:15:30.250-0500","appVersion":"version 1.0.3, build 7","phoneInfo":"Test Phone"}`

// newLegacyBench holds an upload whose participant is in no configured study.
func newLegacyBench(body []byte, encrypted bool) *bench {
	b := newBench(body, encrypted, "walk.zip")
	b.upload.Facts.Schemaless, b.upload.Facts.Destinations = false, nil
	b.upload.Request.Zipped = true
	return b
}

func newLegacyWorker(b *bench, s shelf, strictness schema.Strictness, keys ...cms.Key) *process.Worker {
	return process.NewWorker(b, process.Config{Keys: func() []cms.Key { return keys }, Now: func() time.Time { return now },
		NewDigest: func() process.Digest { return blob.NewHasher() }, Shelf: s, Strictness: func() schema.Strictness { return strictness }})
}

// The same bundle makes the same record, sealed or not, though sealed bytes are
// opened anew each time they are looked into.
func TestABundleSealedOrNot(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	large := `{"sway":[` + strings.Repeat("1,", 20<<10) + `2]}`
	plain := testdata.Bundle(t, "info.json", walkInfo, "data.json", `{"steps":"1204.0"}`, "gait.json", large, "metadata.json", `{"hand":"left"}`)
	var records []*core.Record
	for _, b := range []*bench{newLegacyBench(plain, false), newLegacyBench(seal(t, ours, plain), true)} {
		if did, err := newLegacyWorker(b, walks, schema.Report, ours).Step(t.Context()); !did || err != nil {
			t.Fatal(did, err)
		}
		if b.upload.State != core.StateSucceeded || len(b.upload.Messages) > 0 || len(b.exports) > 0 {
			t.Fatalf("%s, %q, exports %v", b.upload.State, b.upload.Messages, b.exports)
		}
		records = append(records, b.upload.Record)
	}
	if diff := cmp.Diff(records[0], records[1]); diff != "" {
		t.Error(diff)
	}
	r := records[0]
	at := time.Date(2026, 11, 20, 14, 15, 30, 250e6, time.UTC)
	if string(r.Data) != `{"gait.json":"1-gait.json","gait.json.sway":"1-gait.json.sway","steps":1204}` || !r.CreatedOn.Equal(at) || r.CreatedOnZone != "-0500" ||
		r.Plain != digest(plain) || *r.SchemaID != "walk" || *r.SchemaRevision != 2 {
		t.Errorf("%s, %+v", r.Data, r)
	}
	if diff := cmp.Diff(map[string]string{"taskId": "t", "hand": "left"}, r.Metadata); diff != "" {
		t.Error(diff)
	}
	if l := r.Legacy; string(l.Info) != walkInfo || l.AppVersion != "version 1.0.3, build 7" || l.PhoneInfo != "Test Phone" || len(l.UserMetadata) != 2 || l.ValidationErrors != "" {
		t.Errorf("%+v", l)
	}
	sway, _ := r.Attachment("1-gait.json.sway")
	if sway.Digest != digest([]byte(large[8:len(large)-1])) || sway.Offset != 8 {
		t.Errorf("%+v", sway)
	}
	if _, ok := r.Attachment("1-steps"); ok {
		t.Error("a number is an attachment")
	}
}

// What is wrong with a bundle is a verdict, told in words.
func TestVerdictsOnBundles(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	good := testdata.Bundle(t, "info.json", walkInfo, "data.json", `{"steps":1204}`, "gait.json", `{"sway":1}`)
	wrong := testdata.Bundle(t, "info.json", walkInfo, "data.json", `{"steps":"many"}`, "gait.json", `{"sway":1}`)
	sealed := seal(t, ours, good)
	const damaged = "The encrypted file cannot be opened: sealed message is damaged"
	for name, test := range map[string]struct {
		body       []byte
		encrypted  bool
		strictness schema.Strictness
		want       core.State
		messages   []string // beginnings
		errors     string   // of the record
	}{
		"strict and right":      {good, false, schema.Strict, core.StateSucceeded, nil, ""},
		"wrong, only warned of": {wrong, false, schema.Warn, core.StateSucceeded, []string{"Field steps "}, ""},
		"wrong, reported":       {wrong, false, schema.Report, core.StateSucceeded, []string{"Field steps "}, "Field steps "},
		"wrong, refused":        {wrong, false, schema.Strict, core.StateFailed, []string{"Field steps ", "The data does not fit schema walk revision 2: Field steps "}, ""},
		"no zip":                {[]byte("some bytes"), false, "", core.StateFailed, []string{"The upload is no zip archive, so it does not contain info.json file"}, ""},
		"no info.json":          {testdata.Bundle(t, "data.json", "{}"), false, "", core.StateFailed, []string{"The upload does not contain info.json file"}, ""},
		"leads out":             {testdata.Bundle(t, "info.json", walkInfo, "../x", ""), false, "", core.StateFailed, []string{"The bundle is refused: "}, ""},
		"no schema":             {testdata.Bundle(t, "info.json", `{"item":"run"}`), false, "", core.StateSucceeded, []string{"info.json does not contain a list", "info.json has no timestamps", "There is no schema run"}, ""},
		"cut short":             {sealed[:len(sealed)-40], true, "", core.StateFailed, []string{damaged}, ""},
		"cut off":               {sealed[:len(sealed)/2], true, "", core.StateFailed, []string{damaged}, ""},
		"not sealed":            {good, true, "", core.StateFailed, []string{"The upload was announced as encrypted but is no CMS"}, ""},
		"sealed for others":     {seal(t, testdata.Key(t, "other-only"), good), true, "", core.StateFailed, []string{"The file was encrypted to a key that this site does not hold"}, ""},
		"more behind":           {append(seal(t, ours, good), "more"...), true, "", core.StateSucceeded, []string{"More bytes follow"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newLegacyBench(test.body, test.encrypted)
			if did, err := newLegacyWorker(b, walks, test.strictness, ours).Step(t.Context()); !did || err != nil {
				t.Fatal(did, err)
			}
			if b.upload.State != test.want || (b.upload.Record != nil) != (test.want == core.StateSucceeded) || len(b.upload.Messages) != len(test.messages) {
				t.Fatalf("%s, %q", b.upload.State, b.upload.Messages)
			}
			for i, message := range b.upload.Messages {
				if !strings.HasPrefix(message, test.messages[i]) || strings.Contains(message, "many") {
					t.Errorf("message %q", message)
				}
			}
			if r := b.upload.Record; r != nil && (!strings.HasPrefix(r.Legacy.ValidationErrors, test.errors) || (r.Legacy.ValidationErrors == "") != (test.errors == "")) {
				t.Errorf("validation errors %q", r.Legacy.ValidationErrors)
			}
		})
	}
}

// One file is no bundle: it has no data, and the metadata of its request.
func TestOneFileIsNoBundle(t *testing.T) {
	ours := testdata.Key(t, "test-only")
	for _, encrypted := range []bool{false, true} {
		body := []byte("dummy content")
		if encrypted {
			body = seal(t, ours, body)
		}
		b := newLegacyBench(body, encrypted)
		b.upload.Request.Zipped = false
		if _, err := newLegacyWorker(b, walks, schema.Strict, ours).Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := &core.Record{CreatedOn: now, Plain: digest([]byte("dummy content")), Data: json.RawMessage("{}"), Metadata: map[string]string{"taskId": "t"},
			Legacy: &core.Legacy{UserMetadata: b.upload.Request.Metadata}}
		if diff := cmp.Diff(want, b.upload.Record); diff != "" || len(b.upload.Messages) > 0 {
			t.Errorf("encrypted %v: %q %s", encrypted, b.upload.Messages, diff)
		}
	}
}

// What keeps a bundle or its schema from being read says nothing about it.
func TestTroubleWithABundleIsNoVerdict(t *testing.T) {
	ours, broken := testdata.Key(t, "test-only"), errors.New("input/output error")
	sealed := seal(t, ours, testdata.Bundle(t, "info.json", walkInfo, "data.json", `{"steps":1}`))
	for name, test := range map[string]struct {
		shelf  shelf
		change func(*bench)
		want   error
	}{
		"schemas cannot be read":      {shelf{fails: broken}, func(*bench) {}, broken},
		"cannot be opened":            {walks, func(b *bench) { b.opened = broken }, broken},
		"cannot be read to its end":   {walks, func(b *bench) { b.body, b.reading = sealed[:len(sealed)/2], broken }, broken},
		"a redrive finds other bytes": {walks, func(b *bench) { b.upload.Record = &core.Record{Plain: core.Digest{Size: 1}} }, core.ErrDigestMismatch},
	} {
		b := newLegacyBench(sealed, true)
		test.change(b)
		if did, err := newLegacyWorker(b, test.shelf, schema.Report, ours).Step(t.Context()); !did || !errors.Is(err, test.want) {
			t.Errorf("%s: %v, %v", name, did, err)
		}
		if b.upload.State != core.StateCompleted || b.leased || len(b.upload.Messages) > 0 {
			t.Errorf("%s: it is %s, leased %v, messages %v", name, b.upload.State, b.leased, b.upload.Messages)
		}
	}
}
