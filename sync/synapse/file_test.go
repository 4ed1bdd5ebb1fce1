package synapse_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

var annotations = synapse.Annotations{
	"recordId":           {Type: "STRING", Value: []string{"0199f3a2-1111-7000-8000-000000000001"}},
	"healthCode":         {Type: "STRING", Value: []string{"qWxWqXqlcEPK7bKZqC8JZrKq"}},
	"participantVersion": {Type: "LONG", Value: []string{"3"}},
}

const fileName = "0199f3a2-1111-7000-8000-000000000001-tapping.zip"

// printed is everything that printing and logging tell of a value.
func printed(value any) string {
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "value", value)
	return fmt.Sprintf("%v %+v %#v %s", value, value, value, logged.String())
}

func digest(data []byte) core.Digest {
	sum := md5.Sum(data)
	return core.Digest{Size: int64(len(data)), MD5: hex.EncodeToString(sum[:])}
}

// object gives data as an object that counts how often it is opened.
func object(data []byte) (core.Object, *int) {
	opened := new(int)
	return core.Object{Digest: digest(data), ContentType: "application/zip",
		Open: func(context.Context) (io.ReadCloser, error) {
			*opened++
			return io.NopCloser(bytes.NewReader(data)), nil
		}}, opened
}

// random gives so many bytes, the same each time.
func random(n int) []byte {
	data := make([]byte, n)
	source := rand.NewChaCha8([32]byte{})
	_, _ = source.Read(data)
	return data
}

// site is a repository with a folder whose storage is its own.
func site(t *testing.T, config synapsetest.Config) (*synapsetest.Server, synapse.EntityID, int64) {
	t.Helper()
	s := synapsetest.Start(t, config)
	c := open(t, s, hasty())
	project, err := c.MakeProject(t.Context(), "Sleep")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := c.MakeFolder(t.Context(), project, "Bridge Raw Data")
	if err != nil {
		t.Fatal(err)
	}
	location, err := c.MakeStorage(t.Context(), folder, synapse.Storage{})
	if err != nil {
		t.Fatal(err)
	}
	return s, folder, location
}

// record carries one record to the repository, as sync/push does.
func record(ctx context.Context, c *synapse.Client, folder synapse.EntityID, location int64, o core.Object) (synapse.File, error) {
	var f synapse.File
	day, err := c.MakeFolder(ctx, folder, "2026-11-20")
	if err != nil {
		return f, err
	}
	handle, err := c.Upload(ctx, o, fileName, location)
	if err != nil {
		return f, err
	}
	f = synapse.File{Parent: day, Name: fileName, Handle: handle, Digest: o.Digest, Annotations: annotations}
	if _, err := c.PutFile(ctx, f); err != nil {
		return f, err
	}
	return f, c.Verify(ctx, f)
}

func TestRecord(t *testing.T) {
	s, folder, location := site(t, synapsetest.Config{})
	c := open(t, s, hasty())
	data := random(9 << 20) // two parts
	o, opened := object(data)
	f, err := record(t.Context(), c, folder, location, o)
	if err != nil {
		t.Fatal(err)
	}
	id := s.Children(string(f.Parent))[fileName]
	if !bytes.Equal(data, s.Bytes(id)) {
		t.Error("the repository has other bytes")
	}
	want := map[string]synapsetest.Value{}
	for key, value := range annotations {
		want[key] = synapsetest.Value(value)
	}
	if diff := cmp.Diff(want, s.Annotations(id)); diff != "" {
		t.Error(diff)
	}
	effects := len(s.Effects())
	if _, err := record(t.Context(), c, folder, location, o); err != nil {
		t.Fatal(err)
	}
	if more := s.Effects()[effects:]; len(more) != 0 || *opened != 2 {
		t.Errorf("the second time changed %v and read the bytes %d times", more, *opened)
	}
}

// A record is once there, with its bytes and annotations, whichever call was the
// last of a run that broke off, and whether or not that call had its effect.
func TestRecordAfterACrashAtAnyCall(t *testing.T) {
	data := random(64 << 10)
	o, _ := object(data)
	whole, folder, location := site(t, synapsetest.Config{})
	before := len(whole.Calls())
	if _, err := record(t.Context(), open(t, whole, once()), folder, location, o); err != nil {
		t.Fatal(err)
	}
	calls := len(whole.Calls()) - before
	for at := 1; at <= calls; at++ {
		for name, fault := range map[string]synapsetest.Fault{"before": {Cut: true}, "after": {DropReply: true}, "instead of": synapsetest.Portal()} {
			s, folder, location := site(t, synapsetest.Config{})
			fault.Nth = at
			s.Inject(fault)
			_, broken := record(t.Context(), open(t, s, once()), folder, location, o)
			if broken == nil {
				t.Errorf("%s call %d: it did not break off", name, at)
			}
			f, err := record(t.Context(), open(t, s, once()), folder, location, o)
			if err != nil {
				t.Fatalf("%s call %d (%v): %v", name, at, broken, err)
			}
			if diff := cmp.Diff(made(whole), made(s)); diff != "" {
				t.Errorf("broken off %s call %d (%v), there is (-want +got):\n%s", name, at, broken, diff)
			}
			if bare := s.Bare(); len(bare) != 0 {
				t.Errorf("broken off %s call %d, there was a file without annotations", name, at)
			}
			if !bytes.Equal(data, s.Bytes(s.Children(string(f.Parent))[fileName])) {
				t.Errorf("broken off %s call %d, the bytes differ", name, at)
			}
		}
	}
}

// Parts that arrived are not sent again.
func TestResume(t *testing.T) {
	s, _, location := site(t, synapsetest.Config{})
	o, _ := object(random(25 << 20)) // four parts
	s.Inject(synapsetest.Fault{Method: "PUT", Path: "/storage", Nth: 3, Cut: true})
	if _, err := open(t, s, once()).Upload(t.Context(), o, fileName, location); !errors.Is(err, synapse.ErrAway) {
		t.Fatalf("Upload() = %v", err)
	}
	puts := stored(s)
	if _, err := open(t, s, once()).Upload(t.Context(), o, fileName, location); err != nil {
		t.Fatal(err)
	}
	if more := stored(s) - puts; more != 2 {
		t.Errorf("%d parts were sent after two of four had arrived", more)
	}
}

func stored(s *synapsetest.Server) (puts int) {
	for _, call := range s.Calls() {
		if call.Path == "/storage" {
			puts++
		}
	}
	return puts
}

// Links that are too old are replaced; bytes that are not those that were
// promised are never completed.
func TestUploadsThatGoWrong(t *testing.T) {
	data := random(9 << 20)
	good, _ := object(data)
	other, _ := object(random(9<<20 - 1))
	other.Digest = good.Digest
	changed, _ := object(append([]byte("x"), data[1:]...))
	changed.Digest = good.Digest
	longer, _ := object(append(bytes.Clone(data), 'x'))
	longer.Digest = good.Digest
	empty, _ := object(nil)
	broken := good
	gone := errors.New("the disk is gone")
	broken.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(data[:1<<20]), failing{gone})), nil
	}
	for _, test := range []struct {
		name   string
		object core.Object
		faults []synapsetest.Fault
		want   error
	}{
		{"shorter", other, nil, core.ErrDigestMismatch},
		{"longer", longer, nil, core.ErrDigestMismatch},
		{"changed", changed, nil, core.ErrDigestMismatch},
		{"empty", empty, nil, synapse.ErrInvalid},
		{"unreadable", broken, nil, gone},
		{"an old link", good, []synapsetest.Fault{synapsetest.Refused(403, "Request has expired").At("PUT", "/storage")}, nil},
		{"a link that never works", good, []synapsetest.Fault{synapsetest.Refused(403, "Request has expired").At("PUT", "/storage").Repeated(-1)}, synapse.ErrAway},
		{"a slow storage", good, []synapsetest.Fault{synapsetest.Refused(503, "SlowDown").At("PUT", "/storage").Repeated(2)}, nil},
		{"a network's page in place of the storage", good, []synapsetest.Fault{synapsetest.Portal().At("PUT", "/storage").Repeated(-1)}, synapse.ErrAway},
		{"a part that was damaged", good, []synapsetest.Fault{{Status: 200, Type: "application/json", Body: `{"addPartState":"ADD_FAILED","errorMessage":"MD5"}`, Method: "PUT", Path: "/file/v1/file/multipart/*/add/*"}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _, location := site(t, synapsetest.Config{})
			for _, fault := range test.faults {
				s.Inject(fault)
			}
			handle, err := open(t, s, hasty()).Upload(t.Context(), test.object, fileName, location)
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Fatalf("Upload() = %q, %v; want %v", handle, err, test.want)
			}
			if err != nil {
				if made := s.Effects("handle"); len(made) != 0 {
					t.Errorf("%d handles were made", len(made))
				}
				if errors.Is(err, core.ErrDigestMismatch) && stored(s) != 0 {
					t.Error("parts of other bytes were sent")
				}
				if strings.Contains(err.Error(), "signature") || strings.Contains(err.Error(), s.URL) {
					t.Errorf("the error tells a link: %v", err)
				}
			}
		})
	}
}

// Parts of bytes that changed on the way are not taken for good by a later run.
func TestBytesThatChange(t *testing.T) {
	s, folder, location := site(t, synapsetest.Config{})
	data := random(9 << 20)
	o, opened := object(data)
	flaky := o
	flaky.Open = func(ctx context.Context) (io.ReadCloser, error) {
		in, err := o.Open(ctx)
		if *opened == 2 {
			return io.NopCloser(io.MultiReader(strings.NewReader("x"), bytes.NewReader(data[1:]))), err
		}
		return in, err
	}
	c := open(t, s, hasty())
	if _, err := record(t.Context(), c, folder, location, flaky); !errors.Is(err, core.ErrDigestMismatch) {
		t.Fatalf("record() = %v", err)
	}
	f, err := record(t.Context(), c, folder, location, flaky)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, s.Bytes(s.Children(string(f.Parent))[fileName])) {
		t.Error("the repository has other bytes")
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// A file that is there already is brought to what it should be: by one write, and
// none where there is nothing to do; what others wrote into it stays.
func TestPutFileAgain(t *testing.T) {
	s, folder, location := site(t, synapsetest.Config{})
	c := open(t, s, hasty())
	o, _ := object([]byte("first"))
	f, err := record(t.Context(), c, folder, location, o)
	if err != nil {
		t.Fatal(err)
	}
	id := s.Children(string(f.Parent))[fileName]
	s.Annotate(id, "reviewed", synapsetest.Value{Type: "STRING", Value: []string{"yes"}})
	s.Annotate(id, "healthCode", synapsetest.Value{Type: "STRING", Value: []string{"wrong"}})
	if err := c.Verify(t.Context(), f); !errors.Is(err, synapse.ErrUnannotated) {
		t.Errorf("Verify() = %v", err)
	}
	s.Inject(synapsetest.Refused(412, "Object was updated since").At("PUT", "/repo/v1/entity/*/bundle2").Repeated(2))
	if again, err := c.PutFile(t.Context(), f); string(again) != id || err != nil {
		t.Fatalf("PutFile() = %v, %v; want %v", again, err, id)
	}
	held := s.Annotations(id)
	if held["healthCode"].Value[0] != annotations["healthCode"].Value[0] || held["reviewed"].Value[0] != "yes" {
		t.Errorf("the annotations are %v", held)
	}

	second, _ := object([]byte("second"))
	f.Digest = second.Digest
	if err := c.Verify(t.Context(), f); !errors.Is(err, core.ErrDigestMismatch) {
		t.Errorf("Verify() = %v", err)
	}
	if _, err := record(t.Context(), c, folder, location, second); err != nil {
		t.Fatal(err)
	}
	if got := s.Bytes(id); string(got) != "second" {
		t.Errorf("the file has %q", got)
	}
	if diff := cmp.Diff(map[string]int{"project": 1, "folder": 2, "file": 1, "setting": 1}, made(s)); diff != "" {
		t.Error(diff)
	}

	s.Inject(synapsetest.Refused(412, "Object was updated since").At("PUT", "/repo/v1/entity/*/bundle2").Repeated(-1))
	if _, err := record(t.Context(), c, folder, location, o); !errors.Is(err, core.ErrConflict) {
		t.Errorf("a file that others keep changing: %v", err)
	}
}

// What the repository would refuse is not sent, and what it refuses is told
// without telling what was sent.
func TestFilesThatAreRefused(t *testing.T) {
	s, folder, location := site(t, synapsetest.Config{Children: 2})
	c := open(t, s, hasty())
	o, _ := object([]byte("bytes"))
	f, err := record(t.Context(), c, folder, location, o)
	if err != nil {
		t.Fatal(err)
	}
	secret := "a-very-private-walk"
	for name, change := range map[string]func(*synapse.File){
		"a name":         func(f *synapse.File) { f.Name = secret + "#.zip" },
		"no annotations": func(f *synapse.File) { f.Annotations = nil },
		"a key": func(f *synapse.File) {
			f.Annotations = synapse.Annotations{"a b": {Type: "STRING", Value: []string{secret}}}
		},
		"a long value": func(f *synapse.File) {
			f.Annotations = synapse.Annotations{"a": {Type: "STRING", Value: []string{strings.Repeat(secret, 50)}}}
		},
	} {
		bad := f
		change(&bad)
		calls := len(s.Calls())
		if _, err := c.PutFile(t.Context(), bad); !errors.Is(err, synapse.ErrInvalid) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
		if len(s.Calls()) != calls {
			t.Errorf("%s was sent", name)
		}
	}
	for name, reason := range map[string]string{
		"an echo":         "Invalid: " + secret + ".zip is not good",
		"a quote":         "Value associated is not valid: '" + annotations["healthCode"].Value[0] + "'",
		"a bare echo":     "Not valid: " + annotations["healthCode"].Value[0],
		"a link":          "See https://proddata.s3/key?X-Amz-Signature=" + secret,
		"the credentials": "Bearer " + synapsetest.Token,
	} {
		s.Inject(synapsetest.Refused(400, reason).At("POST", "/repo/v1/entity/bundle2/create"))
		other := f
		other.Name = secret + ".zip"
		_, err := c.PutFile(t.Context(), other)
		if !errors.Is(err, synapse.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		for _, hidden := range []string{secret, annotations["healthCode"].Value[0], synapsetest.Token, "Signature"} {
			if err != nil && strings.Contains(err.Error(), hidden) {
				t.Errorf("%s: the error tells %q: %v", name, hidden, err)
			}
		}
	}
	// What the account lacks is told by the repository's code.
	s.AddUser(synapsetest.User{Name: "exporter", Token: synapsetest.Token})
	other := f
	other.Name = "other.zip"
	var refused *synapse.Error
	if _, err := c.PutFile(t.Context(), other); !errors.As(err, &refused) || refused.Kind != synapse.ErrRefused || refused.Code != "USER_CERTIFICATION_REQUIRED" {
		t.Errorf("a file of one who is not certified: %v", err)
	}
	s.AddUser(synapsetest.User{Name: "exporter", Token: synapsetest.Token, Certified: true})
	// A container that is full takes no other file, but the one that it has.
	second := f
	second.Name = "second.zip"
	if _, err := c.PutFile(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	third := f
	third.Name = "third.zip"
	if _, err := c.PutFile(t.Context(), third); !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("a third file: %v", err)
	}
	if _, err := c.PutFile(t.Context(), second); err != nil {
		t.Errorf("the second file again: %v", err)
	}
	// A handle that went away is not a project that did.
	third.Parent, third.Handle = folder, "99999"
	if _, err := c.PutFile(t.Context(), third); !errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrOtherRepository) {
		t.Errorf("a handle that is not there: %v", err)
	}
}

// Bytes that are in the study's own bucket are adopted, not sent.
func TestAdopt(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	p, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("in the bucket")
	stored := synapse.Stored{Bucket: "study", Key: "app/sleep/2026-11-20/" + fileName, Location: p.location, Name: fileName, ContentType: "application/zip", Digest: digest(data)}
	if _, err := c.Adopt(t.Context(), stored); !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("an object that is not there: %v", err)
	}
	s.PutObject(stored.Bucket, stored.Key, data[1:])
	if _, err := c.Adopt(t.Context(), stored); !errors.Is(err, core.ErrDigestMismatch) {
		t.Errorf("an object of another size: %v", err)
	}
	s.PutObject(stored.Bucket, stored.Key, data)
	for range 2 {
		handle, err := c.Adopt(t.Context(), stored)
		if err != nil {
			t.Fatal(err)
		}
		f := synapse.File{Parent: p.folder, Name: fileName, Handle: handle, Digest: stored.Digest, Annotations: annotations}
		if _, err := c.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := c.Verify(t.Context(), f); err != nil {
			t.Error(err)
		}
	}
	if n := len(s.Effects("file", "update")); n != 1 {
		t.Errorf("the file was written %d times", n)
	}
}
