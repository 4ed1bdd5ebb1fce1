package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/view"
)

// whole is a configuration with every part.
var whole = core.RepositoryConfig{
	Project: "syn1", RawDataFolder: "syn2", ParticipantVersionTable: "syn3", DataAccessTeam: 4, StorageLocation: 5, DemographicsTable: "syn6", DemographicsView: "syn7",
}

// begun has the first parts of it alone.
var begun = core.RepositoryConfig{Project: "syn1", DataAccessTeam: 4}

// projects are studies on their way to a project.
var projects = []struct {
	name    string
	project view.Project
	access  []view.AccessLine
}{
	{"a new study", view.Project{Synapse: true}, nil},
	{"a new study, of files", view.Project{}, nil},
	{"begun", view.Project{Synapse: true, Study: core.Study{Export: true, Pending: true, Repository: begun}}, nil},
	{"away", view.Project{Synapse: true, Study: core.Study{Export: true, Pending: true, Repository: begun}, Failed: true, Cause: core.ReasonRepositoryAway, NextTry: noon.Add(2 * time.Hour)}, nil},
	{"tried now", view.Project{Study: core.Study{Export: true, Pending: true}, Failed: true, Cause: core.ReasonRepositoryMissing, NextTry: noon}, nil},
	{"a file is missing", view.Project{Synapse: true, Study: core.Study{Export: true, Pending: true, Repository: begun}, Failed: true, Cause: core.ReasonRepositoryRefused, Refusal: "put owner.txt into the bucket", NextTry: noon}, nil},
	{"made", view.Project{Synapse: true, Study: core.Study{Export: true, Made: true, Repository: whole}}, []view.AccessLine{
		{Account: "jo", RequestedOn: noon}, {Account: "ana", RequestedOn: noon, GrantedOn: noon.Add(30 * time.Minute)}, {Account: "42", GrantedOn: noon},
	}},
	{"made again", view.Project{Study: core.Study{Export: true, Made: true, Pending: true, Repository: whole}}, nil},
	{"by hand, before demographics", view.Project{Synapse: true, Study: core.Study{Export: true, Repository: core.RepositoryConfig{
		Project: "syn1", RawDataFolder: "syn2", ParticipantVersionTable: "syn3", DataAccessTeam: 4, StorageLocation: 5, ExportNotification: "arn"}}}, nil},
	{"switched off", view.Project{Study: core.Study{Repository: whole}}, nil},
}

// What the page says of each study.
func TestStudies(t *testing.T) {
	var got strings.Builder
	for _, c := range projects {
		d := view.StudyDetail{ID: "sleep", App: "walk", Export: c.project.Study.Export, Configuration: c.project.Study.Repository, Project: view.NewProjectLine(c.project), Access: c.access}
		fmt.Fprintf(&got, "== %s\n%s: %s\n", c.name, d.Project.State, reader.StudyStanding(d))
		for _, step := range d.Project.Steps {
			fmt.Fprintf(&got, "  %s\n", reader.ProjectStep(step))
		}
		fmt.Fprintf(&got, "  > %s\n", reader.ProjectSentence(d.Project))
		for _, f := range reader.ConfigFields(d) {
			fmt.Fprintf(&got, "  %s (%s) %s\n", f.Words, f.Key, f.Value)
		}
		for _, a := range d.Access {
			fmt.Fprintf(&got, "  %s\n", reader.Access(d, a))
		}
		fmt.Fprintf(&got, "  “%s”\n\n", reader.AccessText(d, " jo "))
	}
	golden(t, "studies.txt", got.String())
	if strings.Contains(got.String(), "study.") || strings.Contains(got.String(), "footbridge ") {
		t.Error("something has no words, or those of the command line")
	}
}

func TestStudyIDs(t *testing.T) {
	for id, right := range map[string]bool{"gait": true, "sleep": false, "": false, "My study": false} {
		if got := reader.StudyIDWrong(id, []core.StudyID{"sleep"}); (got == "") != right {
			t.Errorf("of %q it says %q", id, got)
		}
	}
}

func TestWhatCameOfDocuments(t *testing.T) {
	if got, want := reader.SchemaTaken(view.SchemaLine{ID: "walk", Revision: 2, Fields: make([]struct{}, 1)}), "Schema walk, revision 2, is there, with 1 field."; got != want {
		t.Errorf("said is %q", got)
	}
	if got, want := reader.TimelineTaken("sleep", view.TimelineLine{Sessions: make([]struct{}, 2), Schedule: make([]struct{}, 12)}), "The timeline of study sleep is in place: 2 sessions at 12 times. Devices get it when they next ask."; got != want {
		t.Errorf("said is %q", got)
	}
}

// Where the repository has no accounts, nobody is said to have been let in.
func TestAccessWhereThereAreNoAccounts(t *testing.T) {
	folder := view.StudyDetail{ID: "sleep", Configuration: core.RepositoryConfig{Project: "sleep"}}
	given := view.AccessLine{Account: "ana", RequestedOn: noon, GrantedOn: noon}
	if got := reader.Access(folder, given); !strings.HasPrefix(got, "ana: noted ") {
		t.Errorf("of a folder it says %q", got)
	}
}
