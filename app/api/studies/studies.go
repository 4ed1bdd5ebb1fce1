package studies

import (
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
)

// studyWire is a Study.
type studyWire struct {
	Identifier       core.StudyID `json:"identifier"`
	Name             string       `json:"name"`
	AppID            core.AppID   `json:"appId"`
	Exporter3Enabled bool         `json:"exporter3Enabled"`
	Exporter3        *exporter3   `json:"exporter3Configuration,omitempty"`
	CreatedOn        call.Time    `json:"createdOn"`
	ModifiedOn       call.Time    `json:"modifiedOn"`
	Version          int          `json:"version"`
	Type             string       `json:"type"`
}

// exporter3 is an Exporter3Configuration.
type exporter3 struct {
	core.RepositoryConfig
	Configured bool   `json:"configured"`
	Type       string `json:"type"`
}

func newExporter3(c core.RepositoryConfig) *exporter3 {
	return &exporter3{c, c.Complete(), "Exporter3Configuration"}
}

func newStudy(study core.Study) studyWire {
	wire := studyWire{
		Identifier: study.ID, Name: study.Name, AppID: study.App, Exporter3Enabled: study.Export,
		CreatedOn: call.Time(study.CreatedOn), ModifiedOn: call.Time(study.ModifiedOn), Version: study.Version, Type: "Study",
	}
	if study.Repository != (core.RepositoryConfig{}) {
		wire.Exporter3 = newExporter3(study.Repository)
	}
	return wire
}

const nameMax = 255 // characters

// studyRequest is what a caller may say of a study.
type studyRequest struct {
	Identifier       core.StudyID           `json:"identifier"`
	Name             string                 `json:"name"`
	Exporter3Enabled *bool                  `json:"exporter3Enabled"`
	Exporter3        *core.RepositoryConfig `json:"exporter3Configuration"`
	Version          *int                   `json:"version"` // that the caller read
}

// apply writes what was asked into a study. Filling in the last of the five ids
// enables the export, whatever the flag of the form that the caller read says.
func (q studyRequest) apply(study *core.Study) {
	if q.Name != "" {
		study.Name = q.Name
	}
	if q.Exporter3Enabled != nil {
		study.Export = *q.Exporter3Enabled
	}
	if q.Exporter3 != nil {
		was := study.Repository
		study.Repository = *q.Exporter3
		if study.Repository.ExportNotification == "" { // subscribing names the topic, once
			study.Repository.ExportNotification = was.ExportNotification
		}
		if study.Repository.Project != was.Project {
			study.Place = "" // whoever names another project means the repository of the settings
		}
		study.Export = study.Export || !was.Complete() && study.Repository.Complete()
	}
}

// check says what is wrong with a name, or nothing.
func (q studyRequest) check(invalid *core.Invalid) error {
	if len([]rune(q.Name)) > nameMax {
		invalid.Complain("name", "must be at most %d characters", nameMax)
	}
	return invalid.Err()
}

// keyHolder is what making and changing a study gives back.
type keyHolder struct {
	Identifier core.StudyID `json:"identifier"`
	Version    int          `json:"version"`
	Type       string       `json:"type"`
}

// DoneWith names the study (call.Accountable).
func (k keyHolder) DoneWith() (map[string]string, bool) {
	return map[string]string{"study": string(k.Identifier)}, true
}

func (h *Handlers) createStudy(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	var asked studyRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	invalid := &core.Invalid{Entity: "Study"}
	switch {
	case asked.Identifier == "":
		invalid.Complain("identifier", "is required")
	case !core.ValidIdentifier(string(asked.Identifier)):
		invalid.Complain("identifier", "must have 2 to 60 characters of a-z, 0-9 and -, and begin with a letter or digit")
	case string(asked.Identifier) == string(h.App):
		invalid.Complain("identifier", "is the app's identifier; choose another")
	}
	if err := asked.check(invalid); err != nil {
		return err
	}
	now := h.Now().UTC()
	study := core.Study{ID: asked.Identifier, App: h.App, Name: string(asked.Identifier), CreatedOn: now, ModifiedOn: now}
	asked.apply(&study)
	study, err := h.Store.CreateStudy(r.Context(), study)
	if err != nil {
		return call.Taken(err, "Study", "There is a study with this identifier already. Choose another identifier, or change that study.")
	}
	if err := h.configured(r, study); err != nil {
		return err
	}
	call.Write(w, http.StatusCreated, keyHolder{study.ID, study.Version, "VersionHolder"})
	return nil
}

func (h *Handlers) updateStudy(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	var asked studyRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	if err := asked.check(&core.Invalid{Entity: "Study"}); err != nil {
		return err
	}
	study, err := h.Store.UpdateStudy(r.Context(), core.StudyID(r.PathValue("study")), func(study *core.Study) error {
		if asked.Version != nil && *asked.Version != study.Version {
			return core.ErrConflict
		}
		asked.apply(study)
		study.ModifiedOn = h.Now().UTC()
		return nil
	})
	if err != nil {
		return err
	}
	if err := h.configured(r, study); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, keyHolder{study.ID, study.Version, "VersionHolder"})
	return nil
}

// configured lets the participants of a study that was configured by hand have
// their versions.
func (h *Handlers) configured(r *http.Request, study core.Study) error {
	if !study.Configured() {
		return nil
	}
	return h.Projects.Configured(r.Context(), study.ID)
}

func (h *Handlers) study(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Caller(r)
	if err != nil {
		return err
	}
	id := core.StudyID(r.PathValue("study"))
	if e, member := caller.Enrollments[id]; (!member || !e.Active()) && (len(caller.Roles) == 0 || !account.Reaches(caller, id)) {
		return fmt.Errorf("the caller is not in this study: %w", core.ErrForbidden)
	}
	study, err := h.Store.Study(r.Context(), id)
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, newStudy(study))
	return nil
}

func (h *Handlers) studies(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Caller(r)
	if err == nil {
		err = account.Require(caller, core.RoleResearcher, core.RoleDeveloper, core.RoleStudyCoordinator, core.RoleWorker)
	}
	if err != nil {
		return err
	}
	all, err := h.Store.Studies(r.Context())
	if err != nil {
		return err
	}
	items := []studyWire{}
	for _, study := range all {
		if account.Reaches(caller, study.ID) {
			items = append(items, newStudy(study))
		}
	}
	return call.WritePage(w, r, items)
}

func (h *Handlers) createStudyProject(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	study, err := h.Projects.CreateForStudy(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return h.projectError(r, err)
	}
	call.Write(w, http.StatusCreated, newExporter3(study.Repository))
	return nil
}

func (h *Handlers) createAppProject(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	app, err := h.Projects.CreateForApp(r.Context())
	if err != nil {
		return h.projectError(r, err)
	}
	call.Write(w, http.StatusCreated, newExporter3(app.Repository))
	return nil
}

// projectError is what is said when the repository did not make a project.
func (h *Handlers) projectError(r *http.Request, err error) error {
	if errors.Is(err, core.ErrNotFound) || call.Describe(err).StatusCode != http.StatusInternalServerError {
		return err
	}
	h.Failed(r, err)
	return &call.Error{Status: http.StatusServiceUnavailable, Kind: "ServiceUnavailableException",
		Text: "The repository did not take the project: " + err.Error() + ". What is there already stays; try again."}
}
