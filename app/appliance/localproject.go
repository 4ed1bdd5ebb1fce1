package appliance

import (
	"errors"
	"net/http"

	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/ui/view"
)

// localProject says how far a study's project is.
func (a *Appliance) localProject(r *http.Request) (any, error) {
	study, err := a.store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return nil, err
	}
	id := core.DestinationID(study.ID)
	_, err = a.projects.Synapse()
	p := view.Project{Study: study, Synapse: !errors.Is(err, projects.ErrNoSynapse)}
	if tried, ok := a.projects.Tried(id); ok {
		p.Failed, p.Cause, p.NextTry = true, tried.Cause, tried.Next
		p.Refusal = a.projects.Refusals(r.Context(), []core.Study{study})[id]
	}
	return view.NewProjectLine(p), nil
}

// localProjectAsk has a study's project made, and says how far it is.
func (a *Appliance) localProjectAsk(r *http.Request) (any, error) {
	if err := a.projects.Ask(r.Context(), core.StudyID(r.PathValue("study"))); err != nil {
		return nil, err
	}
	return a.localProject(r)
}
