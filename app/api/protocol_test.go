package api_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

// Which MD5 a slot takes: base64 of sixteen bytes, whatever they are.
func TestTheMD5OfASlot(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	for md5, want := range map[any]string{
		nil:                        "contentMd5 MD5 must not be empty.",
		"":                         "contentMd5 MD5 must not be empty.",
		"no hash at all":           "contentMd5 MD5 is not base64 encoded.",
		"QUJD":                     "contentMd5 MD5 hash must be 16 bytes.", // three bytes
		"QUJDREVGR0hJSktMTU5PUFE=": "contentMd5 MD5 hash must be 16 bytes.", // seventeen
		"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNk": "contentMd5 MD5 hash must be 16 bytes.", // thirty
		"QUJDREVGR0hJSktMTU5PUA==":                 "",
		"QUJDREVGR0hJSktMTU5PUQ==\n":               "", // old clients end it with a line break
	} {
		got := s.call("POST", "/v3/uploads", token, with(map[string]any{"contentMd5": md5}))
		if want == "" {
			got.want(t, 200, `"type":"UploadSession"`)
			continue
		}
		got.want(t, 400, `"type":"InvalidEntityException"`, `"errors":{"contentMd5":["`+want+`"]}`)
	}
}

// Complete changes an upload whose file came and that was not completed before;
// every other one it answers with where that stands, and leaves it as it is.
func TestCompleteChangesNothingElse(t *testing.T) {
	s := newSite(t, nil)
	owner, worker := s.participant("p1"), s.staff(core.RoleWorker)
	done := s.sent(owner, body)
	s.process()
	duplicate := s.slot(owner, body)
	s.put(duplicate).want(t, 200)
	bare := s.slot(owner, body) // a duplicate without its file
	failed := s.call("POST", "/v3/uploads", owner, with(map[string]any{"encrypted": true, "contentMd5": hash("junk"), "contentLength": 4})).want(t, 200)
	junk := &parcel{body: "junk", mimeType: "application/zip", id: failed.text("id"), url: failed.text("url")}
	s.put(junk).want(t, 200)
	s.call("POST", "/v3/uploads/"+junk.id+"/complete", owner, nil).want(t, 200)
	s.process()
	due := s.sent(owner, "another body")

	for id, want := range map[string]string{
		done.id: "succeeded", duplicate.id: "duplicate", bare.id: "duplicate", junk.id: "validation_failed", due.id: "validation_in_progress",
	} {
		before := s.row(id)
		for _, token := range []string{owner, worker, owner} {
			s.call("POST", "/v3/uploads/"+id+"/complete", token, nil).want(t, 200, `"status":"`+want+`"`)
		}
		if diff := cmp.Diff(before, s.row(id)); diff != "" {
			t.Errorf("%s: %s", want, diff)
		}
	}
}

// However many complete an upload at the same moment, it is processed once.
func TestManyCompleteAtOnce(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	p := s.slot(owner, body)
	s.put(p).want(t, 200)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			s.call("POST", "/v3/uploads/"+p.id+"/complete", owner, nil).want(t, 200, "validation_in_progress")
		})
	}
	all.Wait()
	times := 0
	for more := true; more; times++ {
		var err error
		if more, err = s.worker.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if times != 2 || s.status(owner, p.id) != "succeeded" { // once, and once to find nothing
		t.Errorf("%d steps, it is %s", times, s.status(owner, p.id))
	}
}

// Where a completion cannot be stored nothing is promised, and the device is told
// to come back.
func TestCompleteWhenNothingCanBeStored(t *testing.T) {
	s := newSite(t, nil)
	s.expects = true
	owner := s.participant("p1")
	p := s.slot(owner, body)
	s.put(p).want(t, 200)
	s.full.Store(true)
	got := s.call("POST", "/v3/uploads/"+p.id+"/complete", owner, nil)
	if got.want(t, 503, "ServiceUnavailableException"); got.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come back")
	}
}

// A synchronous complete of what is not in progress answers at once.
func TestSynchronousCompleteOfWhatIsDone(t *testing.T) {
	s := newSite(t, func(_ *site, c *api.Config) { c.Await = time.Hour })
	owner := s.participant("p1")
	p := s.sent(owner, body)
	s.process()
	duplicate := s.slot(owner, body)
	for id, want := range map[string]string{p.id: "succeeded", duplicate.id: "duplicate"} {
		s.call("POST", "/v3/uploads/"+id+"/complete?synchronous=true", owner, nil).want(t, 200, `"status":"`+want+`"`)
	}
	s.call("POST", "/v3/uploads/"+s.slot(owner, "not sent").id+"/complete?synchronous=true", owner, nil).want(t, 404, "PUT the file to its URL")
}

// The same bytes again. While the first slot is not completed it is given again,
// and takes what the newest request says; afterwards each is a duplicate of the
// first, for its participant alone.
func TestWhatADuplicateIsOf(t *testing.T) {
	s := newSite(t, nil)
	owner, other := s.participant("p1"), s.participant("p2")
	s.slot(owner, body)
	again := s.call("POST", "/v3/uploads", owner, with(map[string]any{"name": "renamed.bin", "metadata": map[string]any{"n": "2"}})).want(t, 200)
	first := &parcel{body: body, mimeType: "application/zip", id: again.text("id"), url: again.text("url")}
	if u := s.row(first.id); u.Request.Name != "renamed.bin" || string(u.Request.Metadata["n"]) != `"2"` {
		t.Errorf("%+v", u.Request)
	}
	s.put(first).want(t, 200)
	s.call("POST", "/v3/uploads/"+first.id+"/complete", owner, nil).want(t, 200)
	second, third := s.slot(owner, body), s.slot(owner, body)
	if second.id == third.id {
		t.Error("two duplicates share a slot")
	}
	for _, p := range []*parcel{second, third} {
		if u := s.row(p.id); u.State != core.StateDuplicate || string(u.DuplicateOf) != first.id {
			t.Errorf("%s is %s of %s, want a duplicate of %s", p.id, u.State, u.DuplicateOf, first.id)
		}
	}
	if u := s.row(s.slot(other, body).id); u.State != core.StateRequested || u.DuplicateOf != "" {
		t.Errorf("another participant's is %s of %s", u.State, u.DuplicateOf)
	}
	s.put(second).want(t, 200)
	s.call("POST", "/v3/uploads/"+second.id+"/complete?redrive=true", owner, nil).want(t, 200, "validation_in_progress")
	s.process()
	if got := s.status(owner, second.id); got != "succeeded" {
		t.Errorf("redriven it is %s", got)
	}
}

// Metadata is an object whose values may be of any kind; what is no object is refused.
func TestTheKindsOfMetadata(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	for text, want := range map[string]int{
		`{}`: 200, `null`: 200, `{"a":null,"b":true,"c":[1],"d":{"e":"f"},"g":1e400}`: 200,
		`[]`: 400, `"a"`: 400, `7`: 400, `true`: 400, `[{"a":"b"}]`: 400,
	} {
		request := `{"name":"n","contentLength":1,"contentType":"a/b","contentMd5":"` + hash(text) + `","metadata":` + text + `}`
		got := s.call("POST", "/v3/uploads", owner, request)
		if got.want(t, want); want == http.StatusBadRequest && got.text("message") != "Error parsing JSON in request body, fields: metadata" {
			t.Errorf("%s: %s", text, got.raw)
		}
	}
}
