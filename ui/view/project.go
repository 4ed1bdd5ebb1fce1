package view

import (
	"time"

	"footbridge/core"
)

// Project is a study's project as it stands in the repository.
type Project struct {
	Study   core.Study
	Synapse bool // the repository is Synapse; else it keeps files
	Failed  bool // the last attempt to make it did

	Cause   core.ExportReason // why it failed
	Refusal string            // what a person has to do first; empty: nothing
	NextTry time.Time
}

// ProjectLine says how far a project is.
type ProjectLine struct {
	State   string            `json:"state"` // none, making, waiting or made
	Steps   []ProjectStep     `json:"steps"`
	Cause   core.ExportReason `json:"cause,omitempty"`
	Refusal string            `json:"refusal,omitempty"`
	NextTry *time.Time        `json:"nextTry,omitempty"`
}

// ProjectStep is one part of a project.
type ProjectStep struct {
	Name  string `json:"name"`  // team, project, versions, demographics, view, raw, storage; of files: folder
	State string `json:"state"` // done, now, ahead or stopped
}

// NewProjectLine describes a project. Its parts are made in the order of the steps.
func NewProjectLine(p Project) ProjectLine {
	s := p.Study
	line := ProjectLine{State: "none", Steps: []ProjectStep{}}
	switch {
	case s.Pending && p.Failed:
		line.State, line.Cause, line.Refusal, line.NextTry = "waiting", p.Cause, p.Refusal, stated(p.NextTry)
	case s.Pending:
		line.State = "making"
	case s.Repository.Complete():
		line.State = "made"
	}
	going := map[string]string{"none": "ahead", "making": "now", "waiting": "stopped"}[line.State]
	for _, part := range parts(p) {
		step := ProjectStep{part.name, "done"}
		if !part.there && line.State != "made" {
			step.State, going = going, "ahead"
		}
		line.Steps = append(line.Steps, step)
	}
	return line
}

// part is one part of a project, and whether it is there.
type part struct {
	name  string
	there bool
}

func parts(p Project) []part {
	c := p.Study.Repository
	if !p.Synapse {
		return []part{{"folder", !p.Study.Pending && c.Complete()}}
	}
	return []part{
		{"team", c.DataAccessTeam != 0}, {"project", c.Project != ""}, {"versions", c.ParticipantVersionTable != ""},
		{"demographics", c.DemographicsTable != ""}, {"view", c.DemographicsView != ""}, {"raw", c.RawDataFolder != ""}, {"storage", c.StorageLocation != 0},
	}
}
