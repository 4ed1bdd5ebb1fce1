package analysis_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/push"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

var (
	_ push.Repository      = (*analysis.Repository)(nil)
	_ reconcile.Repository = (*analysis.Repository)(nil)
)

// memory is one that outlasts repositories.
type memory struct {
	parts core.RepositoryConfig
	sent  map[int]bool
	table string // that holds what is sent
	memos map[string][]byte
	told  []string

	bucket analysis.Bucket // of the settings
}

func (m *memory) Parts(context.Context, core.Destination) (core.RepositoryConfig, error) {
	return m.parts, nil
}

func (m *memory) Unsent(_ context.Context, _ core.DestinationID, table string, versions []core.ParticipantVersion) ([]core.ParticipantVersion, error) {
	return slices.DeleteFunc(slices.Clone(versions), func(v core.ParticipantVersion) bool { return m.table == table && m.sent[v.Version] }), nil
}

func (m *memory) Sent(_ context.Context, _ core.DestinationID, table string, versions []core.ParticipantVersion) error {
	m.table = table
	for _, v := range versions {
		m.sent[v.Version] = true
	}
	return nil
}

func (m *memory) Memo(_ context.Context, name string) []byte { return m.memos[name] }

func (m *memory) Keep(_ context.Context, name string, text []byte) error {
	m.memos[name] = text
	return nil
}

func (m *memory) tell(_ context.Context, _ core.UploadID, reasons []core.Reason) error {
	for _, r := range reasons {
		m.told = append(m.told, r.Code)
	}
	return nil
}

var sleepStudy = core.Destination{ID: "sleep", App: "walk", Study: "sleep"}

// open gives a repository that remembers nothing itself.
func open(t *testing.T, server *synapsetest.Server, m *memory) *analysis.Repository {
	t.Helper()
	client, err := synapse.Open(server.URL, synapse.Config{Token: func(context.Context) (string, error) { return synapsetest.Token, nil }, Rate: -1, Wait: time.Millisecond, Poll: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	r := analysis.New(client, m, m.tell, func() analysis.Bucket { return m.bucket })
	t.Cleanup(func() { r.Close() })
	return r
}

// project is a repository with a project.
func project(t *testing.T, config synapsetest.Config) (*synapsetest.Server, *memory, *analysis.Repository) {
	t.Helper()
	config.Polls, config.PerMinute = -1, 100_000
	server, m := synapsetest.Start(t, config), &memory{sent: map[int]bool{}, memos: map[string][]byte{}}
	r := open(t, server, m)
	makeProject(t, m, r)
	return server, m, r
}

// makeProject makes what the project lacks.
func makeProject(t *testing.T, m *memory, r *analysis.Repository) {
	t.Helper()
	_, err := r.MakeProject(t.Context(), analysis.Plan{Name: "Sleep & more", Token: "abcde", BaseKey: "walk/sleep", Parts: m.parts, Save: func(_ context.Context, parts core.RepositoryConfig) error {
		m.parts = parts
		return nil
	}})
	if err != nil || !m.parts.Complete() {
		t.Fatalf("%+v, %v", m.parts, err)
	}
}

func object(name string) core.Object {
	body := []byte("bytes of " + name)
	return core.Object{Path: "raw-data/2026-11-20/" + name, Digest: export.DigestOf(body), ContentType: "text/plain",
		Metadata: map[string]string{"recordId": name, "healthCode": "code"},
		Open:     func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }}
}

func put(t *testing.T, r *analysis.Repository, o core.Object) string {
	t.Helper()
	receipt, err := r.Put(t.Context(), sleepStudy, o)
	if err != nil {
		t.Fatal(err)
	}
	id, err := r.Describe(t.Context(), sleepStudy, o, receipt)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A date that has more files than a folder takes has further folders. A file that is
// there stays where it is, is found there, and is taken out of there.
func TestADateWithManyFiles(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{Children: 8})
	ids := map[string]string{}
	for i := range 20 {
		o := object(fmt.Sprintf("r%02d-walk", i))
		ids[o.Path] = put(t, r, o)
	}
	again := open(t, server, m)
	for i := range 20 {
		o := object(fmt.Sprintf("r%02d-walk", i))
		if id := put(t, again, o); id != ids[o.Path] {
			t.Errorf("%s was %s and is %s", o.Path, ids[o.Path], id)
		}
		if err := again.Check(t.Context(), sleepStudy, o); err != nil {
			t.Errorf("%s: %v", o.Path, err)
		}
	}
	dates := server.Children(m.parts.RawDataFolder)
	if len(dates) != 3 || dates["2026-11-20-03"] == "" || len(server.Children(dates["2026-11-20"])) != 8 {
		t.Errorf("the folders are %v", dates)
	}
	last := object("r19-walk")
	for range 2 {
		if err := again.Remove(t.Context(), sleepStudy, last); err != nil {
			t.Fatal(err)
		}
	}
	if err := again.Check(t.Context(), sleepStudy, last); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("after it was removed: %v", err)
	}
	if len(server.Bare()) > 0 {
		t.Errorf("files without annotations: %v", server.Bare())
	}
}

// A folder that a person moved to the trash is made anew; nothing is held up.
func TestAFolderThatIsGone(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	put(t, r, object("r1-walk"))
	server.Trash(server.Children(m.parts.RawDataFolder)["2026-11-20"])
	put(t, r, object("r2-walk"))
	if files := server.Children(server.Children(m.parts.RawDataFolder)["2026-11-20"]); len(files) != 1 {
		t.Errorf("the new folder has %v", files)
	}
}

// What is gone of a project is made anew, and the rest stays; without the project,
// all of it is, also in another repository.
func TestAProjectThatIsGone(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	before := m.parts
	makeProject(t, m, r)
	if m.parts != before {
		t.Errorf("%+v became %+v", before, m.parts)
	}
	server.Trash(before.RawDataFolder)
	makeProject(t, m, r)
	if m.parts.RawDataFolder == before.RawDataFolder || m.parts.StorageLocation == before.StorageLocation || m.parts.Project != before.Project || m.parts.ParticipantVersionTable != before.ParticipantVersionTable {
		t.Errorf("%+v became %+v", before, m.parts)
	}
	put(t, r, object("r1-walk"))
	server.Trash(before.Project)
	makeProject(t, m, r)
	if m.parts.Project == before.Project || m.parts.ParticipantVersionTable == before.ParticipantVersionTable {
		t.Errorf("%+v became %+v", before, m.parts)
	}
	put(t, r, object("r1-walk"))
	other := open(t, synapsetest.Start(t, synapsetest.Config{Polls: -1, PerMinute: 100_000}), m)
	makeProject(t, m, other)
	put(t, other, object("r1-walk"))
}

// A version is in the table once, however often it is put, and one that the table
// never takes is told and holds up no other.
func TestVersions(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	versions := []core.ParticipantVersion{{HealthCode: "code", Version: 1}, {HealthCode: "code", Version: 2, ClientTimeZone: string(bytes.Repeat([]byte("x"), 50))}, {HealthCode: "code", Version: 3}}
	for range 3 {
		if err := r.PutVersions(t.Context(), sleepStudy, versions); err != nil {
			t.Fatal(err)
		}
		m.sent = map[int]bool{} // all but the table forgets it
	}
	rows, err := r.Rows(t.Context(), sleepStudy, versions)
	if err != nil || rows[reconcile.Row{HealthCode: "code", Version: 1}] != 1 || rows[reconcile.Row{HealthCode: "code", Version: 3}] != 1 {
		t.Errorf("%v, %v", rows, err)
	}
	if n := len(server.Rows(m.parts.ParticipantVersionTable)); n != 2 || !slices.Contains(m.told, "version_refused") {
		t.Errorf("%d rows, told %v", n, m.told)
	}
}

// What the tables of a project held that is gone is in those of the new one.
func TestVersionsOfAProjectThatIsGone(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	put := func() {
		t.Helper()
		if err := r.PutVersions(t.Context(), sleepStudy, described()); err != nil {
			t.Fatal(err)
		}
		if versions, demographics := len(server.Rows(m.parts.ParticipantVersionTable)), len(server.Rows(m.parts.DemographicsTable)); versions != 2 || demographics != 4 {
			t.Errorf("there are %d rows of versions and %d of demographics", versions, demographics)
		}
	}
	put()
	for _, gone := range []string{m.parts.Project, m.parts.DemographicsTable} {
		server.Trash(gone)
		makeProject(t, m, r)
		put()
	}
}

// Where there is no project, nobody gets into it.
func TestNoAccessWithoutAProject(t *testing.T) {
	server := synapsetest.Start(t, synapsetest.Config{Polls: -1, PerMinute: 100_000})
	r := open(t, server, &memory{sent: map[int]bool{}, memos: map[string][]byte{}})
	server.AddUser(synapsetest.User{Name: "jo", Token: "of-jo"})
	if _, err := r.Grant(t.Context(), sleepStudy, "jo"); !errors.Is(err, core.ErrProjectPending) {
		t.Errorf("access is given: %v", err)
	}
	if _, err := r.Credentials(t.Context(), sleepStudy); !errors.Is(err, core.ErrProjectPending) {
		t.Errorf("credentials are given: %v", err)
	}
}
