package studies

import (
	"errors"
	"net/http"

	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/ui/view"
)

// project says how far a study's project is.
func (h *Handlers) project(r *http.Request) (any, error) {
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return nil, err
	}
	id := core.DestinationID(study.ID)
	_, err = h.Projects.Synapse()
	p := view.Project{Study: study, Synapse: !errors.Is(err, projects.ErrNoSynapse)}
	if tried, ok := h.Projects.Tried(id); ok {
		p.Failed, p.Cause, p.NextTry = true, tried.Cause, tried.Next
		p.Refusal = h.Projects.Refusals(r.Context(), []core.Study{study})[id]
	}
	return view.NewProjectLine(p), nil
}

// projectAsk has a study's project made, and says how far it is.
func (h *Handlers) projectAsk(r *http.Request) (any, error) {
	if err := h.Projects.Ask(r.Context(), core.StudyID(r.PathValue("study"))); err != nil {
		return nil, err
	}
	return h.project(r)
}
