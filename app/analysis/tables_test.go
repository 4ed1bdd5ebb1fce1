package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"

	"github.com/google/go-cmp/cmp"
)

// described gives two versions of somebody in two studies, of whom this and that is
// known.
func described() []core.ParticipantVersion {
	member := map[core.StudyID]string{"sleep": "", "gait": ""}
	return []core.ParticipantVersion{
		{HealthCode: "code", Version: 1, StudyMemberships: member},
		{HealthCode: "code", Version: 2, StudyMemberships: member,
			AppDemographics: core.Demographics{"ethnicity": {Multiple: true, Values: []core.DemographicValue{{Value: "asian"}, {Value: "white"}}}, "pets": {Multiple: true}},
			StudyDemographics: map[core.StudyID]core.Demographics{
				"sleep": {"age": {Values: []core.DemographicValue{{Value: "410", Invalidity: "larger than 120"}}, Units: "years"}},
				"gait":  {"age": {Values: []core.DemographicValue{{Value: "41"}}, Units: "years"}},
			}},
	}
}

// demographics gives the rows of a table as text, sorted.
func demographics(server *synapsetest.Server, table string) (all []string) {
	for _, row := range server.Rows(table) {
		all = append(all, fmt.Sprintf("%s/%s %s:%s=%s %s %s", row["healthCode"], row["participantVersion"], row["studyId"], row["demographicCategoryName"], row["demographicValue"], row["demographicUnits"], row["demographicInvalidity"]))
	}
	slices.Sort(all)
	return all
}

func TestDemographics(t *testing.T) {
	inStudy := []string{"code/2 :ethnicity=asian  ", "code/2 :ethnicity=white  ", "code/2 :pets=  ", "code/2 sleep:age=410 years larger than 120"}
	for name, test := range map[string]struct {
		destination core.Destination
		want        []string
	}{
		"of a study":  {sleepStudy, inStudy},
		"of the app":  {core.Destination{ID: "walk", App: "walk"}, append([]string{"code/2 gait:age=41 years "}, inStudy...)},
		"of no study": {core.Destination{ID: "other", App: "walk", Study: "other"}, inStudy[:3]},
	} {
		t.Run(name, func(t *testing.T) {
			server, m, r := project(t, synapsetest.Config{})
			for range 3 {
				if err := r.PutVersions(t.Context(), test.destination, described()); err != nil {
					t.Fatal(err)
				}
				m.sent = map[int]bool{} // all but the tables forgets it
			}
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, demographics(server, m.parts.DemographicsTable)); diff != "" || len(m.told) > 0 {
				t.Error(diff, m.told)
			}
		})
	}
}

// A row that its table does not take is told once; the others are there.
func TestDemographicsThatDoNotFit(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	versions := described()
	for _, category := range []string{"a", "b"} {
		versions[1].AppDemographics[category] = core.Demographic{Values: []core.DemographicValue{{Value: "1"}}, Units: strings.Repeat("x", 256)}
	}
	if err := r.PutVersions(t.Context(), sleepStudy, versions); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"demographics_refused"}, m.told); diff != "" || !m.sent[2] {
		t.Error(diff)
	}
	if got := demographics(server, m.parts.DemographicsTable); len(got) != 4 {
		t.Errorf("the table has %v", got)
	}
}

// A project that someone made without a table of demographics is left alone.
func TestAProjectWithoutDemographics(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	table := m.parts.DemographicsTable
	m.parts.DemographicsTable, m.parts.DemographicsView = "", ""
	if err := r.PutVersions(t.Context(), sleepStudy, described()); err != nil {
		t.Fatal(err)
	}
	if rows := server.Rows(table); len(rows) > 0 || len(server.Rows(m.parts.ParticipantVersionTable)) != 2 {
		t.Errorf("the table has %v", rows)
	}
	if rows, err := r.Rows(t.Context(), sleepStudy, described()); err != nil || rows[reconcile.Row{HealthCode: "code", Version: 2}] != 1 {
		t.Errorf("%v, %v", rows, err)
	}
}

// A version is held when all of its demographics are, and held twice when one of them
// is.
func TestDemographicsAreCounted(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	counts := func(want ...int) {
		t.Helper()
		rows, err := r.Rows(t.Context(), sleepStudy, described())
		if got := []int{rows[reconcile.Row{HealthCode: "code", Version: 1}], rows[reconcile.Row{HealthCode: "code", Version: 2}]}; err != nil || !slices.Equal(got, want) {
			t.Errorf("they are held %v times, want %v (%v)", got, want, err)
		}
	}
	counts(0, 0)
	less := described()
	delete(less[1].AppDemographics, "pets")
	if err := r.PutVersions(t.Context(), sleepStudy, less); err != nil {
		t.Fatal(err)
	}
	counts(1, 0)
	m.sent = map[int]bool{1: true}
	if err := r.PutVersions(t.Context(), sleepStudy, described()); err != nil {
		t.Fatal(err)
	}
	counts(1, 1)
	server.AppendRow(m.parts.DemographicsTable, map[string]string{"healthCode": "code", "participantVersion": "2", "demographicCategoryName": "pets"})
	counts(1, 2)
}

// Tables that are made anew are filled, and the view that joins them reads them from
// then on; it stays the same one, with all that others may do with it.
func TestTablesThatAreGone(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	put := func() {
		t.Helper()
		if err := r.PutVersions(t.Context(), sleepStudy, described()); err != nil {
			t.Fatal(err)
		}
	}
	reads := func(tables ...string) {
		t.Helper()
		sql := server.Definition(m.parts.DemographicsView)
		for _, table := range tables {
			if !strings.Contains(sql, table+" AS ") {
				t.Errorf("the view does not read %s: %s", table, sql)
			}
		}
	}
	put()
	jo := server.AddUser(synapsetest.User{Name: "jo", Token: "of-jo"})
	if _, err := r.Grant(t.Context(), sleepStudy, "jo"); err != nil {
		t.Fatal(err)
	}
	before := m.parts
	reads(before.ParticipantVersionTable, before.DemographicsTable)
	for _, part := range []*string{&m.parts.ParticipantVersionTable, &m.parts.DemographicsTable} {
		server.Trash(*part)
		gone := *part
		makeProject(t, m, r)
		if *part == gone || m.parts.DemographicsView != before.DemographicsView {
			t.Errorf("%+v became %+v", before, m.parts)
		}
		reads(m.parts.ParticipantVersionTable, m.parts.DemographicsTable)
		m.sent = map[int]bool{}
		put()
	}
	if versions, rows := server.Rows(m.parts.ParticipantVersionTable), demographics(server, m.parts.DemographicsTable); len(versions) != 2 || len(rows) != 4 {
		t.Errorf("the tables have %v and %v", versions, rows)
	}
	if !slices.Contains(server.Grants(m.parts.DemographicsView)[jo], "READ") {
		t.Error("whoever could read the view cannot any more")
	}

	own := "SELECT age FROM " + m.parts.ParticipantVersionTable + " AS p JOIN " + m.parts.DemographicsTable + " AS d ON (p.healthCode = d.healthCode)"
	server.Redefine(m.parts.DemographicsView, own)
	makeProject(t, m, r)
	if sql := server.Definition(m.parts.DemographicsView); sql != own {
		t.Errorf("a view that someone changed is made %s", sql)
	}
	server.Trash(m.parts.DemographicsView)
	makeProject(t, m, r)
	if m.parts.DemographicsView == before.DemographicsView {
		t.Error("the view that is gone is not made anew")
	}
	reads(m.parts.ParticipantVersionTable, m.parts.DemographicsTable)
}

// Each version and each value is there once, whichever call was the last of a run that
// broke off, and whether or not that call had its effect.
func TestVersionsAfterACrashAtAnyCall(t *testing.T) {
	whole, m, _ := project(t, synapsetest.Config{})
	before := len(whole.Calls())
	if err := hasty(t, whole, m).PutVersions(t.Context(), sleepStudy, described()); err != nil {
		t.Fatal(err)
	}
	want, calls := demographics(whole, m.parts.DemographicsTable), len(whole.Calls())-before
	for at := 1; at <= calls; at++ {
		for name, fault := range map[string]synapsetest.Fault{"before": {Cut: true}, "after": {DropReply: true}} {
			server, m, _ := project(t, synapsetest.Config{})
			fault.Nth = at
			server.Inject(fault)
			broken := hasty(t, server, m).PutVersions(t.Context(), sleepStudy, described())
			for again := hasty(t, server, m); ; {
				err := again.PutVersions(t.Context(), sleepStudy, described())
				if err == nil {
					break
				}
				if !errors.As(err, new(*core.Later)) {
					t.Fatalf("%s call %d (%v): %v", name, at, broken, err)
				}
			}
			if diff := cmp.Diff(want, demographics(server, m.parts.DemographicsTable)); diff != "" || len(server.Rows(m.parts.ParticipantVersionTable)) != 2 {
				t.Errorf("%s call %d (%v): %s", name, at, broken, diff)
			}
		}
	}
}

// hasty gives a repository that tries each call once, and takes a millisecond for the
// time in which an append of which nothing was heard must have ended.
func hasty(t *testing.T, server *synapsetest.Server, m *memory) *analysis.Repository {
	t.Helper()
	client, err := synapse.Open(server.URL, synapse.Config{Token: func(context.Context) (string, error) { return synapsetest.Token, nil },
		Rate: -1, Wait: time.Millisecond, Poll: time.Millisecond, Settle: time.Millisecond, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := analysis.New(client, m, m.tell, func() analysis.Bucket { return m.bucket })
	t.Cleanup(func() { r.Close() })
	return r
}
