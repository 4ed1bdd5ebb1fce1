package view

import (
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// StudyDetail is one study with all that its page shows.
type StudyDetail struct {
	ID            core.StudyID          `json:"identifier"`
	Name          string                `json:"name"`
	App           core.AppID            `json:"appId"`
	Export        bool                  `json:"exporter3Enabled"`
	Configuration core.RepositoryConfig `json:"exporter3Configuration"`
	Project       ProjectLine           `json:"-"`
	Access        []AccessLine          `json:"-"` // in the order in which they came
}

// AccessLine is one account's access to a study's project.
type AccessLine struct {
	Account     string    `json:"account"`
	RequestedOn time.Time `json:"requestedOn"`
	GrantedOn   time.Time `json:"grantedOn"`
	Sentence    string    `json:"sentence"` // what the last word on it led to
}

// Configured reports whether the study is configured for v3.
func (d StudyDetail) Configured() bool { return d.Export && d.Configuration.Complete() }

// Accountless reports whether the project lies where there are no accounts: in a folder or
// on a remote, where it is called after its study.
func (d StudyDetail) Accountless() bool { return d.ID != "" && d.Configuration.Project == string(d.ID) }

// StudyStanding says whether a study is configured for v3 export, and what that means.
func (r Reader) StudyStanding(d StudyDetail) string {
	switch {
	case d.Configured():
		return r.Say("study.configured")
	case d.Project.State == "making" || d.Project.State == "waiting":
		return r.Say("study.pending")
	case d.Configuration.Complete():
		return r.Say("study.disabled")
	}
	return r.Say("study.not_configured")
}

// ConfigField is one field of a study's configuration.
type ConfigField struct {
	Key   string // as the API calls it
	Words string
	Value string // empty: it is not there yet
}

// ConfigFields are those of a study: the five that v3 export needs, and of the others
// those that are there.
func (r Reader) ConfigFields(d StudyDetail) []ConfigField {
	c := d.Configuration
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	all := []ConfigField{
		{"projectId", r.Say("study.field.project"), c.Project},
		{"rawDataFolderId", r.Say("study.field.raw"), c.RawDataFolder},
		{"participantVersionTableId", r.Say("study.field.versions"), c.ParticipantVersionTable},
		{"dataAccessTeamId", r.Say("study.field.team"), number(c.DataAccessTeam)},
		{"storageLocationId", r.Say("study.field.storage"), number(c.StorageLocation)},
	}
	for _, f := range []ConfigField{
		{"participantVersionDemographicsTableId", r.Say("study.field.demographics"), c.DemographicsTable},
		{"participantVersionDemographicsViewId", r.Say("study.field.view"), c.DemographicsView},
		{"createStudyNotificationTopicArn", r.Say("study.field.create_notice"), c.CreateNotification},
		{"exportNotificationTopicArn", r.Say("study.field.export_notice"), c.ExportNotification},
		{"wikiPageId", r.Say("study.field.wiki"), c.WikiPage},
	} {
		if f.Value != "" {
			all = append(all, f)
		}
	}
	return all
}

// ProjectStep says a step of a project: its state, and what it makes.
func (r Reader) ProjectStep(s ProjectStep) string {
	return r.Say("study.step.state."+s.State) + ": " + r.Say("study.step."+s.Name)
}

// ProjectSentence says how far a project is, and what keeps it from being made.
func (r Reader) ProjectSentence(p ProjectLine) string {
	switch p.State {
	case "making":
		return r.Say("study.making")
	case "waiting":
		sentence := r.Say("study.waiting", "why", r.Reason(p.Cause))
		if p.Refusal != "" {
			sentence = r.Say("study.waiting", "why", p.Refusal)
		}
		if p.NextTry != nil && p.NextTry.After(r.Now) {
			sentence += " " + r.Say("study.next_try", "when", r.When(*p.NextTry))
		}
		return sentence
	}
	return ""
}

// AccessText is what a study's owner sends to whoever runs the repository.
func (r Reader) AccessText(d StudyDetail, account string) string {
	if account = strings.TrimSpace(account); account == "" {
		account = "…"
	}
	project := d.Configuration.Project
	if project == "" {
		project = r.Say("study.no_project")
	}
	return r.Say("study.access.text", "account", account, "study", d.ID, "app", d.App, "project", project)
}

// Access says who asked for access to a study's project, and whether it was given; where
// the repository has no accounts that is noted alone.
func (r Reader) Access(d StudyDetail, a AccessLine) string {
	switch {
	case a.GrantedOn.IsZero():
		return r.Say("study.access.asked", "account", a.Account, "when", r.When(a.RequestedOn))
	case d.Accountless():
		return r.Say("study.access.noted", "account", a.Account, "given", r.When(a.GrantedOn))
	case a.RequestedOn.IsZero():
		return r.Say("study.access.given", "account", a.Account, "given", r.When(a.GrantedOn))
	}
	return r.Say("study.access.both", "account", a.Account, "when", r.When(a.RequestedOn), "given", r.When(a.GrantedOn))
}

// SchemaLine is a schema that was taken.
type SchemaLine struct {
	ID       string     `json:"schemaId"`
	Revision int        `json:"revision"`
	Fields   []struct{} `json:"fieldDefinitions"`
}

// TimelineLine is a timeline that was taken.
type TimelineLine struct {
	Schedule []struct{} `json:"schedule"`
	Sessions []struct{} `json:"sessions"`
}

// SchemaTaken says what came of the import of a schema.
func (r Reader) SchemaTaken(s SchemaLine) string {
	return r.Say("study.schema.taken", "schema", s.ID, "revision", s.Revision, "fields", r.Count("count.field", len(s.Fields)))
}

// TimelineTaken says what came of the import of a study's timeline.
func (r Reader) TimelineTaken(study core.StudyID, t TimelineLine) string {
	return r.Say("study.timeline.taken", "study", study, "sessions", r.Count("count.session", len(t.Sessions)), "times", r.Count("count.time", len(t.Schedule)))
}

// StudyIDWrong says what is wrong with the id of a new study; empty: nothing is.
func (r Reader) StudyIDWrong(id string, known []core.StudyID) string {
	if !core.ValidIdentifier(id) {
		return r.Say("study.new.wrong")
	}
	for _, other := range known {
		if string(other) == id {
			return r.Say("study.new.taken")
		}
	}
	return ""
}
