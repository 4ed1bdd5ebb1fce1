package upload_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	_ "time/tzdata"

	"footbridge/core"
	"footbridge/core/upload"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const maxSize = 1000

// desk is a Desk at a time that the test sets.
type desk struct {
	*upload.Desk
	fake *fake
	now  time.Time
}

func (d *desk) kept(id core.UploadID) core.Upload {
	u, _ := d.fake.Upload(context.Background(), id)
	return u
}

func newDesk() *desk {
	d := &desk{fake: &fake{standing: standing}, now: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)}
	losAngeles, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		panic(err)
	}
	d.Desk = upload.NewDesk(d.fake, d.fake, upload.Config{Now: func() time.Time { return d.now },
		Zone: func() *time.Location { return losAngeles }, MaxSize: func() int64 { return maxSize }})
	return d
}

var body = []byte("some bytes")

func request() core.Request {
	sum, _ := hex.DecodeString(digest(body).MD5)
	return core.Request{Name: "tapping.zip", ContentLength: int64(len(body)), ContentType: "application/zip", ContentMD5: base64.StdEncoding.EncodeToString(sum)}
}

func declared(r core.Request) upload.Declared {
	return upload.Declared{Length: r.ContentLength, Type: r.ContentType, MD5: r.ContentMD5}
}

func TestRequests(t *testing.T) {
	type errs = map[string][]string
	for name, test := range map[string]struct {
		change func(*core.Request)
		want   errs
	}{
		"good":                       {func(*core.Request) {}, nil},
		"as large as allowed":        {func(r *core.Request) { r.ContentLength = maxSize }, nil},
		"a name of spaces":           {func(r *core.Request) { r.Name = "  " }, nil},
		"MD5 of zeroes":              {func(r *core.Request) { r.ContentMD5 = "AAAAAAAAAAAAAAAAAAAAAA==" }, nil},
		"MD5 with a newline behind":  {func(r *core.Request) { r.ContentMD5 += "\n" }, nil},
		"MD5 with spaces around":     {func(r *core.Request) { r.ContentMD5 = " " + r.ContentMD5 + "\r\n" }, nil},
		"no name":                    {func(r *core.Request) { r.Name = "" }, errs{"name": {"name cannot be null or blank"}}},
		"no type":                    {func(r *core.Request) { r.ContentType = "" }, errs{"contentType": {"contentType cannot be null or blank"}}},
		"no length":                  {func(r *core.Request) { r.ContentLength = 0 }, errs{"contentLength": {"contentLength Invalid content length. Must be > 0."}}},
		"a negative length":          {func(r *core.Request) { r.ContentLength = -1 }, errs{"contentLength": {"contentLength Invalid content length. Must be > 0."}}},
		"too long":                   {func(r *core.Request) { r.ContentLength = maxSize + 1 }, errs{"contentLength": {"contentLength Content length is above the allowed maximum of 1000 bytes. Send the data in smaller uploads."}}},
		"no MD5":                     {func(r *core.Request) { r.ContentMD5 = "" }, errs{"contentMd5": {"contentMd5 MD5 must not be empty."}}},
		"MD5 of blanks":              {func(r *core.Request) { r.ContentMD5 = " \n" }, errs{"contentMd5": {"contentMd5 MD5 must not be empty."}}},
		"MD5 that is none":           {func(r *core.Request) { r.ContentMD5 = "not-md5" }, errs{"contentMd5": {"contentMd5 MD5 is not base64 encoded."}}},
		"MD5 of 17 bytes":            {func(r *core.Request) { r.ContentMD5 = "AAAAAAAAAAAAAAAAAAAAAAA=" }, errs{"contentMd5": {"contentMd5 MD5 hash must be 16 bytes."}}},
		"MD5 of 3 bytes":             {func(r *core.Request) { r.ContentMD5 = "AAAA" }, errs{"contentMd5": {"contentMd5 MD5 hash must be 16 bytes."}}},
		"MD5 of 30 bytes":            {func(r *core.Request) { r.ContentMD5 = strings.Repeat("A", 40) }, errs{"contentMd5": {"contentMd5 MD5 hash must be 16 bytes."}}},
		"MD5 in hex":                 {func(r *core.Request) { r.ContentMD5 = digest(body).MD5 }, errs{"contentMd5": {"contentMd5 MD5 hash must be 16 bytes."}}},
		"nothing right":              {func(r *core.Request) { *r = core.Request{} }, errs{"name": {"name cannot be null or blank"}, "contentType": {"contentType cannot be null or blank"}, "contentLength": {"contentLength Invalid content length. Must be > 0."}, "contentMd5": {"contentMd5 MD5 must not be empty."}}},
		"metadata of any JSON value": {func(r *core.Request) { r.Metadata = map[string]json.RawMessage{"declined": []byte("true")} }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := request()
			test.change(&r)
			u, err := newDesk().Begin(t.Context(), core.Account{HealthCode: "code"}, r, upload.Client{})
			if test.want == nil {
				if err != nil || u.Request.ContentMD5 != strings.TrimSpace(r.ContentMD5) {
					t.Errorf("%q, %v", u.Request.ContentMD5, err)
				}
				return
			}
			var invalid *core.Invalid
			if !errors.As(err, &invalid) || invalid.Entity != "UploadRequest" {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff(test.want, invalid.Fields); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestASlot(t *testing.T) {
	d := newDesk()
	owner := core.Account{ID: "user", App: "tapping", HealthCode: "code"}
	client := upload.Client{UserAgent: "tapping/1", Info: `{"appName":"tapping"}`}
	u, err := d.Begin(t.Context(), owner, request(), client)
	must(t, err)
	want := core.Upload{ID: u.ID, App: "tapping", User: "user", HealthCode: "code", Request: request(), UserAgent: client.UserAgent,
		ClientInfo: client.Info, State: core.StateRequested, RequestedOn: d.now, ExpiresOn: d.now.Add(24 * time.Hour)}
	if diff := cmp.Diff(want, u); diff != "" || len(u.ID) != 36 {
		t.Error(diff, u.ID)
	}

	d.now = d.now.Add(time.Hour)
	newer := request()
	newer.Name, newer.Encrypted, newer.ContentLength = "newer.zip", true, 77
	again, err := d.Begin(t.Context(), owner, newer, upload.Client{UserAgent: "tapping/2"})
	must(t, err)
	want.Request, want.UserAgent, want.ClientInfo, want.ExpiresOn = newer, "tapping/2", "", d.now.Add(24*time.Hour)
	if diff := cmp.Diff(want, again); diff != "" {
		t.Error("the newest request's fields: ", diff)
	}
	again, err = d.Begin(t.Context(), owner, request(), client)
	must(t, err)
	if _, err = d.Receive(t.Context(), u.ID, declared(again.Request), bytes.NewReader(body)); err != nil {
		t.Fatal(err)
	}
	again, err = d.Begin(t.Context(), owner, newer, client)
	must(t, err)
	if again.Request.ContentLength != int64(len(body)) || again.Request.Name != "newer.zip" {
		t.Errorf("the bytes are here, and it says %+v", again.Request)
	}
}

func TestReceiveTakesWhatWasAgreed(t *testing.T) {
	right := declared(request())
	long := append(bytes.Clone(body), '!')
	for name, test := range map[string]struct {
		change func(*upload.Declared)
		body   io.Reader
		want   error
	}{
		"as agreed":                    {func(*upload.Declared) {}, bytes.NewReader(body), nil},
		"MD5 with a newline behind":    {func(d *upload.Declared) { d.MD5 += "\n" }, bytes.NewReader(body), nil},
		"another length":               {func(d *upload.Declared) { d.Length++ }, bytes.NewReader(long), upload.ErrNotAsAgreed},
		"no length":                    {func(d *upload.Declared) { d.Length = -1 }, bytes.NewReader(body), upload.ErrNotAsAgreed},
		"another type":                 {func(d *upload.Declared) { d.Type = "text/plain" }, bytes.NewReader(body), upload.ErrNotAsAgreed},
		"no MD5":                       {func(d *upload.Declared) { d.MD5 = "" }, bytes.NewReader(body), upload.ErrNotAsAgreed},
		"another MD5":                  {func(d *upload.Declared) { d.MD5 = "AAAAAAAAAAAAAAAAAAAAAA==" }, bytes.NewReader(body), upload.ErrNotAsAgreed},
		"more bytes":                   {func(*upload.Declared) {}, bytes.NewReader(long), core.ErrDigestMismatch},
		"fewer bytes":                  {func(*upload.Declared) {}, bytes.NewReader(body[1:]), core.ErrDigestMismatch},
		"other bytes":                  {func(*upload.Declared) {}, bytes.NewReader(bytes.ToUpper(body)), core.ErrDigestMismatch},
		"a connection that breaks off": {func(*upload.Declared) {}, io.MultiReader(bytes.NewReader(body), iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk()
			u, err := d.Begin(t.Context(), core.Account{HealthCode: "code"}, request(), upload.Client{})
			must(t, err)
			said := right
			test.change(&said)
			_, err = d.Receive(t.Context(), u.ID, said, test.body)
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			want := core.StateRequested
			if test.want == nil {
				want = core.StateReceived
			}
			if got := d.kept(u.ID); got.State != want || (got.Blob != nil) != (err == nil) {
				t.Errorf("it is %s with %v", got.State, got.Blob)
			}
		})
	}
	if _, err := newDesk().Receive(t.Context(), "none", right, bytes.NewReader(body)); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
}

// The rules of an upload's life as a table: what each call makes of each state.
func TestTransitions(t *testing.T) {
	const same = core.State("")
	type result struct {
		state core.State
		err   error
	}
	calls := []string{"receive", "complete", "redrive", "redrive by staff"}
	for state, want := range map[core.State][]result{
		core.StateRequested: {{core.StateReceived, nil}, {same, upload.ErrNothingReceived}, {same, upload.ErrNothingReceived}, {same, upload.ErrNothingReceived}},
		core.StateReceived:  {{same, nil}, {core.StateCompleted, nil}, {core.StateCompleted, nil}, {core.StateCompleted, nil}},
		core.StateCompleted: {{same, nil}, {same, nil}, {same, nil}, {same, nil}},
		core.StateSucceeded: {{same, nil}, {same, nil}, {same, core.ErrForbidden}, {core.StateCompleted, nil}},
		core.StateFailed:    {{same, nil}, {same, nil}, {core.StateCompleted, nil}, {core.StateCompleted, nil}},
		core.StateDuplicate: {{same, nil}, {same, nil}, {core.StateCompleted, nil}, {core.StateCompleted, nil}},
	} {
		for i, call := range calls {
			t.Run(fmt.Sprint(state, ", ", call), func(t *testing.T) {
				d := newDesk()
				u := core.Upload{ID: "1", User: "user", HealthCode: "code", State: state, Request: request(), RequestedOn: d.now}
				if state != core.StateRequested {
					u.Blob = &core.Blob{Digest: digest(body)}
				}
				d.fake.uploads = []core.Upload{u}
				var got core.Upload
				var err error
				if call == "receive" {
					got, err = d.Receive(t.Context(), u.ID, declared(u.Request), bytes.NewReader(body))
				} else {
					got, err = d.Complete(t.Context(), u.ID, upload.Completion{By: core.CompletedByApp, Redrive: call != "complete", Staff: call == "redrive by staff"})
				}
				if !errors.Is(err, want[i].err) {
					t.Errorf("got %v, want %v", err, want[i].err)
				}
				if want[i].state == same {
					if diff := cmp.Diff(u, d.kept(u.ID)); diff != "" {
						t.Error("changed: ", diff)
					}
				} else if kept := d.kept(u.ID); kept.State != want[i].state || got.State != kept.State || (kept.Facts != nil) != (kept.State == core.StateCompleted) {
					t.Errorf("it is %s, told %s, facts %v; want %s", kept.State, got.State, kept.Facts, want[i].state)
				}
			})
		}
	}
	d := newDesk()
	d.fake.uploads = []core.Upload{{ID: "1", State: core.StateDuplicate}}
	if _, err := d.Complete(t.Context(), "1", upload.Completion{Redrive: true}); !errors.Is(err, upload.ErrNothingReceived) || !errors.Is(err, core.ErrNotFound) {
		t.Errorf("redrive of a duplicate without bytes: %v", err)
	}
	if _, err := d.Complete(t.Context(), "none", upload.Completion{}); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
}

// completed gives an upload that is completed at a time.
func completed(t *testing.T, d *desk, c upload.Completion) core.Upload {
	t.Helper()
	u, err := d.Begin(t.Context(), standing.Account, request(), upload.Client{})
	must(t, err)
	_, err = d.Receive(t.Context(), u.ID, declared(u.Request), bytes.NewReader(body))
	must(t, err)
	u, err = d.Complete(t.Context(), u.ID, c)
	must(t, err)
	return u
}

func TestFactsAreFrozenOnce(t *testing.T) {
	d := newDesk()
	u := completed(t, d, upload.Completion{By: core.CompletedByApp, UserAgent: "tapping/1", Client: "{}"})
	want := &core.Facts{
		UploadedOn: d.now, DateFolder: "2026-11-20", FileName: string(u.ID) + "-tapping.zip", Studies: []core.StudyID{"memory", "sleep"},
		Destinations: []core.DestinationID{"sleep"}, ExternalID: "ext-1", Memberships: map[core.StudyID]string{"memory": "", "sleep": "ext-1"}, DataGroups: []string{"b", "a"}, ParticipantVersion: 1,
		SharingScope: core.SponsorsAndPartners, ClientInfo: "{}", UserAgent: "tapping/1", Schemaless: true,
	}
	if diff := cmp.Diff(want, u.Facts); diff != "" || u.CompletedBy != core.CompletedByApp {
		t.Error(diff, u.CompletedBy)
	}
	d.fake.uploads[0].State, d.fake.uploads[0].Messages = core.StateFailed, []string{"It is damaged."}
	d.now = d.now.Add(72 * time.Hour)
	d.fake.standing = core.Standing{Account: core.Account{SharingScope: core.NoSharing}, Version: 9}
	u, err := d.Complete(t.Context(), u.ID, upload.Completion{By: core.CompletedByRedrive, Redrive: true, UserAgent: "another", Client: "another"})
	must(t, err)
	if diff := cmp.Diff(want, u.Facts); diff != "" || u.CompletedBy != core.CompletedByRedrive || u.State != core.StateCompleted {
		t.Error(diff, u.CompletedBy, u.State)
	}
	if u.Past != 1 { // what is said from now on is of this processing
		t.Errorf("of the messages %d are of before", u.Past)
	}
}

func TestWhoIsInNoConfiguredStudyIsLegacy(t *testing.T) {
	d := newDesk()
	d.fake.standing.Studies = standing.Studies[:1]
	facts := completed(t, d, upload.Completion{}).Facts
	if facts.Schemaless || len(facts.Destinations) > 0 || len(facts.Studies) != 1 {
		t.Errorf("%+v", facts)
	}
}

// The project of the whole app takes records of any kind: only a study makes its
// participants' uploads schemaless.
func TestTheAppsProjectMakesNobodySchemaless(t *testing.T) {
	d := newDesk()
	d.fake.standing.Studies = standing.Studies[:1]
	d.fake.standing.App.Export, d.fake.standing.App.Repository = true, standing.Studies[1].Repository
	facts := completed(t, d, upload.Completion{}).Facts
	if facts.Schemaless || len(facts.Destinations) != 1 {
		t.Errorf("%+v", facts)
	}
}

// A redrive after the study was configured: a record keeps its data and is sent; an
// upload that made none takes the schemaless path.
func TestARedriveAfterTheStudyWasConfigured(t *testing.T) {
	for name, record := range map[string]*core.Record{"a record": {}, "none": nil} {
		d := newDesk()
		d.fake.standing.Studies = standing.Studies[:1]
		u := completed(t, d, upload.Completion{})
		d.fake.uploads[0].State, d.fake.uploads[0].Record = core.StateFailed, record
		configured := standing.Studies[0]
		configured.Export, configured.Repository = true, standing.Studies[1].Repository
		d.fake.standing.Studies = []core.Study{configured}
		u, err := d.Complete(t.Context(), u.ID, upload.Completion{Redrive: true})
		must(t, err)
		if u.Facts.Schemaless != (record == nil) || !slices.Equal(u.Facts.Destinations, []core.DestinationID{"memory"}) {
			t.Errorf("%s: %+v", name, u.Facts)
		}
	}
}

// The day of the first enrolment is day 1, by the site's calendar.
func TestDayInStudy(t *testing.T) {
	for enrolled, want := range map[string]int{
		"2026-11-20T08:00:00Z": 1, "2026-11-20T07:59:59Z": 2, "2026-11-13T18:00:00Z": 8, "2026-03-08T07:00:00Z": 259, "2026-11-21T10:00:00Z": 1,
	} {
		d := newDesk() // it is ten in the morning of 2026-11-20 in Los Angeles
		at, _ := time.Parse(time.RFC3339, enrolled)
		later := at.AddDate(0, 1, 0)
		d.fake.standing.Account.Enrollments = map[core.StudyID]core.Enrollment{"memory": {EnrolledOn: later}, "sleep": {EnrolledOn: at}}
		if got := completed(t, d, upload.Completion{}).Facts.DayInStudy; got != want {
			t.Errorf("enrolled on %s: day %d, want %d", enrolled, got, want)
		}
	}
	d := newDesk()
	d.fake.standing.Studies = nil
	if got := completed(t, d, upload.Completion{}).Facts.DayInStudy; got != 0 {
		t.Errorf("in no study: day %d", got)
	}
}

func TestDateFolders(t *testing.T) {
	for on, want := range map[string]string{
		"2026-11-20T07:59:59.999Z": "2026-11-19",
		"2026-11-20T08:00:00Z":     "2026-11-20",
		"2026-03-08T07:59:59Z":     "2026-03-07", // the night before summer time begins
		"2026-03-08T08:00:00Z":     "2026-03-08",
		"2026-03-09T06:59:59Z":     "2026-03-08", // its day has 23 hours
		"2026-03-09T07:00:00Z":     "2026-03-09",
		"2026-11-01T06:59:59Z":     "2026-10-31",
		"2026-11-01T07:00:00Z":     "2026-11-01",
		"2026-11-02T07:59:59Z":     "2026-11-01", // its day has 25
		"2026-11-02T08:00:00Z":     "2026-11-02",
	} {
		d := newDesk()
		d.now, _ = time.Parse(time.RFC3339, on)
		if got := completed(t, d, upload.Completion{}).Facts.DateFolder; got != want {
			t.Errorf("%s is in %s, want %s", on, got, want)
		}
	}
}

func TestFileNames(t *testing.T) {
	const id = "0199f3a2-1111-7000-8000-000000000001"
	for name, want := range map[string]string{
		"tapping.zip":                      "tapping.zip",
		"A z9,_. -+()'":                    "A z9,_. -+()'",
		"../../etc/passwd":                 ".._.._etc_passwd",
		`a\b:c*d?e"f<g>h|i`:                "a_b_c_d_e_f_g_h_i",
		"Zähler №5.zip":                    "Z_hler _5.zip",
		"tab\tnewline\nnul\x00":            "tab_newline_nul_",
		"\xff\xfe":                         "__",
		strings.Repeat("x", 218):           strings.Repeat("x", 218),
		strings.Repeat("x", 219):           strings.Repeat("x", 218),
		strings.Repeat("x", 300) + ".zip":  strings.Repeat("x", 214) + ".zip",
		"x." + strings.Repeat("long", 100): "x." + strings.Repeat("long", 54),
	} {
		if got := upload.FileName(id, name); got != id+"-"+want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		extension := rapid.SampledFrom([]string{"", ".zip", ".tar.gz", ".json"}).Draw(t, "extension")
		name := rapid.String().Draw(t, "name") + strings.Repeat("é", rapid.IntRange(0, 400).Draw(t, "more")) + extension
		got := upload.FileName(id, name)
		rest, ok := strings.CutPrefix(got, id+"-")
		if !ok || len(got) > 255 || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,_. -+()'") != "" {
			t.Fatalf("%q is %q, %d bytes", name, got, len(got))
		}
		if dot := strings.LastIndex(extension, "."); dot >= 0 && !strings.HasSuffix(got, extension[dot:]) {
			t.Fatalf("%q lost its extension: %q", name, got)
		}
		if upload.FileName(id, name) != got {
			t.Fatal("not the same twice")
		}
	})
}

func TestSettle(t *testing.T) {
	now := time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	record := &core.Record{Data: json.RawMessage("{}")}
	facts := core.Facts{Studies: []core.StudyID{"memory", "sleep"}, Destinations: []core.DestinationID{"sleep", "tapping"}, SharingScope: core.SponsorsAndPartners}
	secret := facts
	secret.SharingScope = core.NoSharing
	export := func(d core.DestinationID, state core.ExportState, reason core.ExportReason) core.Export {
		return core.Export{Record: "1", Destination: d, State: state, Reason: reason, Since: now}
	}
	for name, test := range map[string]struct {
		state   core.State
		facts   core.Facts
		outcome core.Outcome
		want    core.State
		exports []core.Export
		err     error
	}{
		"accepted": {core.StateCompleted, facts, core.Outcome{Verdict: core.Accepted, Record: record}, core.StateSucceeded, []core.Export{
			export("sleep", core.ExportWaiting, ""), export("tapping", core.ExportWaiting, ""),
			export("memory", core.ExportWithheld, core.ReasonNoStudyConfigured)}, nil},
		"accepted, shared with nobody": {core.StateCompleted, secret, core.Outcome{Verdict: core.Accepted, Record: record}, core.StateSucceeded, []core.Export{
			export("sleep", core.ExportWithheld, core.ReasonNoSharingAtUpload), export("tapping", core.ExportWithheld, core.ReasonNoSharingAtUpload),
			export("memory", core.ExportWithheld, core.ReasonNoStudyConfigured)}, nil},
		"rejected":      {core.StateCompleted, facts, core.Outcome{Verdict: core.Rejected}, core.StateFailed, nil, nil},
		"settled twice": {core.StateSucceeded, facts, core.Outcome{Verdict: core.Accepted, Record: record}, core.StateSucceeded, nil, core.ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			u := core.Upload{ID: "1", State: test.state, Facts: &test.facts, Messages: []string{"old"}}
			test.outcome.Reasons = []core.Reason{{Code: "x", Message: "new"}}
			got, err := upload.Settle(&u, test.outcome, now)
			if !errors.Is(err, test.err) || u.State != test.want {
				t.Errorf("%s, %v", u.State, err)
			}
			if diff := cmp.Diff(test.exports, got); diff != "" {
				t.Error(diff)
			}
			want, ended := []string{"old", "new"}, now
			if err != nil {
				want, ended = want[:1], time.Time{}
			}
			if u.ProcessedOn != ended {
				t.Errorf("processing ended %v", u.ProcessedOn)
			}
			if diff := cmp.Diff(want, u.Messages); diff != "" {
				t.Error(diff)
			}
		})
	}
}
