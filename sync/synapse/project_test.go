package synapse_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

// parts are those of a project.
type parts struct {
	project, folder, table, view synapse.EntityID
	team, location               int64
}

// build makes a project as an operator's tool does, step by step.
func build(ctx context.Context, c *synapse.Client) (p parts, err error) {
	if p.team, err = c.MakeTeam(ctx, "Sleep Access Team x7k2p"); err != nil {
		return p, err
	}
	if p.project, err = c.MakeProject(ctx, "Sleep Project x7k2p"); err != nil {
		return p, err
	}
	if err = c.Grant(ctx, p.project, p.team, synapse.Read()); err != nil {
		return p, err
	}
	if p.table, err = c.MakeTable(ctx, p.project, "Participant Versions", synapse.VersionColumns()); err != nil {
		return p, err
	}
	if p.view, err = c.MakeView(ctx, p.project, "Latest", `SELECT "healthCode" FROM `+string(p.table)); err != nil {
		return p, err
	}
	if p.folder, err = c.MakeFolder(ctx, p.project, "Bridge Raw Data"); err != nil {
		return p, err
	}
	p.location, err = c.MakeStorage(ctx, p.folder, synapse.Storage{Bucket: "study", BaseKey: "app/sleep"})
	return p, err
}

// made counts what is in the repository, by kind. Orphans that go away by
// themselves are left out.
func made(s *synapsetest.Server) map[string]int {
	count := map[string]int{}
	for _, e := range s.Effects("project", "folder", "file", "table", "view", "team", "setting", "row") {
		count[e.Kind]++
	}
	return count
}

func TestProject(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	first, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	effects := len(s.Effects())
	again, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if first != again {
		t.Errorf("made %+v, then %+v", first, again)
	}
	if more := s.Effects()[effects:]; len(more) != 0 {
		t.Errorf("the second time changed %v", more)
	}
	if diff := cmp.Diff([]string{"DOWNLOAD", "READ"}, s.Grants(string(first.project))[first.team]); diff != "" {
		t.Error(diff)
	}
	columns, err := c.Table(t.Context(), first.table)
	if err != nil {
		t.Fatal(err)
	}
	for i := range columns.Columns {
		columns.Columns[i].ID = ""
	}
	if diff := cmp.Diff(synapse.VersionColumns(), columns.Columns); diff != "" {
		t.Error(diff)
	}
}

// A project is whole and once there, whichever call was the last of a run that
// broke off, and whether or not that call had its effect.
func TestProjectAfterACrashAtAnyCall(t *testing.T) {
	whole := synapsetest.Start(t, synapsetest.Config{Polls: -1})
	if _, err := build(t.Context(), open(t, whole, once())); err != nil {
		t.Fatal(err)
	}
	calls := len(whole.Calls())
	for at := 1; at <= calls; at++ {
		for name, fault := range map[string]synapsetest.Fault{"before": {Cut: true}, "after": {DropReply: true}} {
			s := synapsetest.Start(t, synapsetest.Config{Polls: -1})
			fault.Nth = at
			s.Inject(fault)
			_, broken := build(t.Context(), open(t, s, once()))
			if _, err := build(t.Context(), open(t, s, once())); err != nil {
				t.Fatalf("%s call %d (%v): %v", name, at, broken, err)
			}
			if diff := cmp.Diff(made(whole), made(s)); diff != "" {
				t.Errorf("broken off %s call %d (%v), there is (-want +got):\n%s", name, at, broken, diff)
			}
		}
	}
}

// A part that is not there any more is told apart from what was never there.
func TestLostParts(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	p, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Child(t.Context(), p.folder, "2026-11-20"); !errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrOtherRepository) {
		t.Errorf("a child that never was: %v", err)
	}
	s.Trash(string(p.folder))
	s.Trash(string(p.table))
	_, folder := c.MakeFolder(t.Context(), p.folder, "2026-11-20")
	_, table := c.Table(t.Context(), p.table)
	_, rows := c.Rows(t.Context(), synapse.Table{ID: p.table}, []core.HealthCode{"x"})
	_, storage := c.MakeStorage(t.Context(), p.folder, synapse.Storage{})
	_, credentials := c.Credentials(t.Context(), p.folder, false)
	_, file := c.PutFile(t.Context(), synapse.File{Parent: p.folder, Name: "f", Handle: "1", Annotations: annotations})
	for name, err := range map[string]error{
		"folder": folder, "table": table, "rows": rows, "storage": storage, "credentials": credentials, "file": file,
		"present": c.Present(t.Context(), p.folder), "grants": c.SetGrants(t.Context(), p.folder, synapse.Grants{1: synapse.Read()}),
	} {
		if !errors.Is(err, core.ErrOtherRepository) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Names that are not ours to use are not used.
func TestNamesOfOthers(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	s.AddUser(synapsetest.User{Name: "stranger", Token: "pat-of-a-stranger", Certified: true})
	theirs := hasty()
	theirs.Token = func(context.Context) (string, error) { return "pat-of-a-stranger", nil }
	if _, err := open(t, s, theirs).MakeProject(t.Context(), "Sleep"); err != nil {
		t.Fatal(err)
	}
	c := open(t, s, hasty())
	if id, err := c.MakeProject(t.Context(), "Sleep"); !errors.Is(err, synapse.ErrRefused) {
		t.Errorf("a stranger's project: %v, %v", id, err)
	}
	mine, err := c.MakeProject(t.Context(), "Mine")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.MakeFolder(t.Context(), mine, "data"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.MakeTable(t.Context(), mine, "data", synapse.VersionColumns()); !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("a table of a folder's name: %v", err)
	}
	for _, name := range []string{"", " x", "x ", "a/b", "a#b", strings.Repeat("x", 257), "é"} {
		calls := len(s.Calls())
		if _, err := c.MakeFolder(t.Context(), mine, name); !errors.Is(err, synapse.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
		if len(s.Calls()) != calls {
			t.Errorf("%q was sent", name)
		}
	}
}

// A table that lacks columns gets them, and keeps those that it has.
func TestColumnsAreAdded(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	project, err := c.MakeProject(t.Context(), "Sleep")
	if err != nil {
		t.Fatal(err)
	}
	old := []synapse.Column{{Name: "languages", Type: synapse.Text, Size: 100}, {Name: "healthCode", Type: synapse.Text, Size: 50}}
	id, err := c.MakeTable(t.Context(), project, "Versions", old)
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.MakeTable(t.Context(), project, "Versions", synapse.VersionColumns())
	if err != nil || again != id {
		t.Fatal(again, err)
	}
	table, err := c.Table(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range table.Columns {
		names = append(names, column.Name)
	}
	want := []string{"languages", "healthCode", "participantVersion", "createdOn", "modifiedOn", "dataGroups", "sharingScope", "studyMemberships", "clientTimeZone"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if table.Columns[0].Type != synapse.Text {
		t.Errorf("languages became %v", table.Columns[0].Type)
	}
}

// Permissions are added beside others, even when somebody else changes them at
// the same time.
func TestGrants(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	researcher := s.AddUser(synapsetest.User{Name: "researcher", Token: "r"})
	c := open(t, s, hasty())
	p, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	s.Inject(synapsetest.Refused(412, "Object was updated since").At("PUT", "/repo/v1/entity/*/acl"))
	if err := c.Grant(t.Context(), p.project, researcher, synapse.Read()); err != nil {
		t.Fatal(err)
	}
	held := s.Grants(string(p.project))
	if len(held) != 3 || !slices.Equal(held[researcher], []string{"DOWNLOAD", "READ"}) {
		t.Errorf("the project has %v", held)
	}
	if grants, err := c.Grants(t.Context(), p.folder); grants != nil || err != nil {
		t.Errorf("a folder that inherits has %v, %v", grants, err)
	}
	me, err := c.Me(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetGrants(t.Context(), p.folder, synapse.Grants{me.ID: synapse.Administer(), researcher: synapse.Read()}); err != nil {
		t.Fatal(err)
	}
	if grants, err := c.Grants(t.Context(), p.folder); len(grants) != 2 || err != nil {
		t.Errorf("the folder has %v, %v", grants, err)
	}
	if err := c.SetGrants(t.Context(), p.folder, synapse.Grants{researcher: synapse.Read()}); !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("locked oneself out: %v", err)
	}
	for name, want := range map[string]int64{"researcher": researcher, "Sleep Access Team x7k2p": p.team, "4711": 4711} {
		if id, err := c.Principal(t.Context(), name); id != want || err != nil {
			t.Errorf("Principal(%q) = %d, %v; want %d", name, id, err, want)
		}
	}
	if _, err := c.Principal(t.Context(), "nobody"); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("Principal of nobody: %v", err)
	}
}

// A bucket is taken once its owner named the account, and what a location is, it
// tells to whoever made it.
func TestTheOwnerOfABucket(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	p, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	wanted := synapse.Storage{Bucket: "naps", BaseKey: "app/naps", Endpoint: "https://s3.example.org"}
	folder, err := c.MakeFolder(t.Context(), p.project, "Naps")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.MakeStorage(t.Context(), folder, wanted); !errors.Is(err, synapse.ErrBucket) || !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("a bucket of nobody: %v", err)
	}
	s.PutObject("naps", "app/naps/owner.txt", []byte("exporter"))
	location, err := c.MakeStorage(t.Context(), folder, wanted)
	if err != nil {
		t.Fatal(err)
	}
	if held, err := c.Storage(t.Context(), location); held != wanted || err != nil {
		t.Errorf("the location is %+v, %v", held, err)
	}
	if _, err := c.Storage(t.Context(), 4711); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("a location that is not there: %v", err)
	}
	s.AddUser(synapsetest.User{Name: "other", Token: "other"})
	config := hasty()
	config.Token = func(context.Context) (string, error) { return "other", nil }
	if _, err := open(t, s, config).Storage(t.Context(), location); !errors.Is(err, synapse.ErrRefused) {
		t.Errorf("another's location: %v", err)
	}
	_, err = c.MakeStorage(t.Context(), p.project, wanted)
	if !errors.Is(err, synapse.ErrInvalid) || errors.Is(err, synapse.ErrBucket) {
		t.Errorf("of a project: %v", err)
	}
	own, err := c.MakeFolder(t.Context(), p.project, "Own")
	if err != nil {
		t.Fatal(err)
	}
	if location, err = c.MakeStorage(t.Context(), own, synapse.Storage{}); err != nil {
		t.Fatal(err)
	}
	if held, err := c.Storage(t.Context(), location); held != (synapse.Storage{}) || err != nil {
		t.Errorf("the repository's own is %+v, %v", held, err)
	}
}

// Direct access is there from the beginning, for reading anyway, and credentials
// tell nothing of themselves.
func TestCredentials(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	p, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	given, err := c.Credentials(t.Context(), p.folder, true)
	if err != nil {
		t.Fatal(err)
	}
	if given.Bucket != "study" || given.BaseKey != "app/sleep" || given.Expiration.IsZero() {
		t.Errorf("credentials for %s/%s until %v", given.Bucket, given.BaseKey, given.Expiration)
	}
	if text := printed(given); strings.Contains(text, given.SecretAccessKey) || strings.Contains(text, given.SessionToken) {
		t.Errorf("they print as %s", text)
	}
	own, err := c.MakeFolder(t.Context(), p.project, "Own")
	if err != nil {
		t.Fatal(err)
	}
	location, err := c.MakeStorage(t.Context(), own, synapse.Storage{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.MakeStorage(t.Context(), own, synapse.Storage{}); again != location || err != nil {
		t.Errorf("made location %d, then %d, %v", location, again, err)
	}
	if _, err := c.Credentials(t.Context(), own, false); err != nil {
		t.Error(err)
	}
	if _, err := c.Credentials(t.Context(), own, true); !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("writing to the repository's own bucket: %v", err)
	}
}
