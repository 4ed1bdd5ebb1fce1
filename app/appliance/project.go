package appliance

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// The rules here are: a project is made once, in the repository and then in the
// store; making it again changes nothing. A repository that has held a project
// and holds it no more is another one, such as the empty mount point of a disk
// that was unplugged: nothing is written there until a person makes the project
// anew.

// project is what project.json says.
type project struct {
	AppID     core.AppID   `json:"appId"`
	StudyID   core.StudyID `json:"studyId,omitempty"`
	Name      string       `json:"name"`
	CreatedOn time.Time    `json:"createdOn"`
	Layout    int          `json:"layout"` // of the project's folders; 1
}

// CreateForStudy makes a study's project and enables its export (api.Projects).
func (a *Appliance) CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error) {
	study, err := a.store.Study(ctx, id)
	if err != nil {
		return study, err
	}
	if err := a.makeProject(ctx, a.studyProject(study)); err != nil {
		return study, err
	}
	crash.Point("project.made")
	study, err = a.store.UpdateStudy(ctx, id, func(s *core.Study) error {
		s.Export, s.Made, s.Repository = true, true, completed(s.Repository, string(id))
		s.ModifiedOn = time.Now().UTC()
		return nil
	})
	if err != nil {
		return study, err
	}
	crash.Point("project.noted")
	return study, a.Configured(ctx, id)
}

// CreateForApp makes the app-wide project and enables its export (api.Projects).
func (a *Appliance) CreateForApp(ctx context.Context) (core.App, error) {
	app, err := a.store.App(ctx, a.app)
	if err != nil {
		return app, err
	}
	if err := a.makeProject(ctx, a.appProject(app)); err != nil {
		return app, err
	}
	app, err = a.store.SaveApp(ctx, a.app, func(app *core.App) error {
		app.Export, app.Made, app.Repository = true, true, completed(app.Repository, string(app.ID))
		return nil
	})
	if err != nil {
		return app, err
	}
	return app, a.backfill(ctx, "")
}

// Configured makes participant versions from now on, also of a study that was
// configured by hand (api.Projects).
func (a *Appliance) Configured(ctx context.Context, id core.StudyID) error {
	_, err := a.store.SaveApp(ctx, a.app, func(app *core.App) error {
		app.Export = true
		return nil
	})
	if err != nil {
		return err
	}
	crash.Point("project.enabled")
	return a.backfill(ctx, id)
}

func (a *Appliance) studyProject(s core.Study) project {
	return project{AppID: a.app, StudyID: s.ID, Name: s.Name, CreatedOn: s.CreatedOn.Truncate(time.Millisecond), Layout: 1}
}

func (a *Appliance) appProject(app core.App) project {
	return project{AppID: a.app, Name: string(app.ID), CreatedOn: app.CreatedOn.Truncate(time.Millisecond), Layout: 1}
}

// root is the project's folder in the repository.
func (p project) root() string {
	if p.StudyID != "" {
		return string(p.StudyID)
	}
	return string(p.AppID)
}

func (a *Appliance) makeProject(ctx context.Context, p project) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("describe the project: %w", err)
	}
	if err := a.repository.make(ctx); err != nil {
		return fmt.Errorf("make the repository: %w", err)
	}
	if err := a.repository.PutBytes(ctx, path.Join(p.root(), export.ProjectPath), append(text, '\n'), "application/json"); err != nil {
		return fmt.Errorf("make the project: %w", err)
	}
	return nil
}

// stands makes sure that a destination's project is in the repository before
// anything is written there. One that was configured by hand is made now.
func (a *Appliance) stands(ctx context.Context, id core.DestinationID) error {
	p, made, err := a.projectOf(ctx, id)
	if err != nil {
		return err
	}
	there, err := a.repository.exists(ctx, path.Join(p.root(), export.ProjectPath))
	switch {
	case err != nil && made:
		return err
	case there && made:
		return nil
	case made:
		return fmt.Errorf("write into the project of %s: %w", id, core.ErrOtherRepository)
	case !there:
		if err := a.makeProject(ctx, p); err != nil {
			return err
		}
	}
	return a.noteMade(ctx, p)
}

// projectOf gives what is known of a destination's project, and whether the
// repository has held it.
func (a *Appliance) projectOf(ctx context.Context, id core.DestinationID) (project, bool, error) {
	if string(id) == string(a.app) {
		app, err := a.store.App(ctx, a.app)
		return a.appProject(app), app.Made, err
	}
	study, err := a.store.Study(ctx, core.StudyID(id))
	return a.studyProject(study), study.Made, err
}

// destination gives a configured destination.
func (a *Appliance) destination(ctx context.Context, id core.DestinationID) (core.Destination, bool) {
	if string(id) == string(a.app) {
		app, err := a.store.App(ctx, a.app)
		return core.Destination{ID: id, App: a.app}, err == nil && app.Export && app.Repository.Complete()
	}
	study, err := a.store.Study(ctx, core.StudyID(id))
	return core.Destination{ID: id, App: a.app, Study: study.ID}, err == nil && study.Configured()
}

func (a *Appliance) noteMade(ctx context.Context, p project) error {
	if p.StudyID == "" {
		_, err := a.store.SaveApp(ctx, a.app, func(app *core.App) error { app.Made = true; return nil })
		return err
	}
	_, err := a.store.UpdateStudy(ctx, p.StudyID, func(s *core.Study) error { s.Made = true; return nil })
	return err
}

// completed fills in the parts that a configuration lacks; those that are there
// are someone's own and stay.
func completed(c core.RepositoryConfig, root string) core.RepositoryConfig {
	if c.Project == "" {
		c.Project = root
	}
	if c.RawDataFolder == "" {
		c.RawDataFolder = path.Join(root, export.RawDataFolder)
	}
	if c.ParticipantVersionTable == "" {
		c.ParticipantVersionTable = path.Join(root, export.VersionsTable)
	}
	if c.DataAccessTeam == 0 {
		c.DataAccessTeam = 1 // a folder knows no teams: whoever may read it
	}
	if c.StorageLocation == 0 {
		c.StorageLocation = 1 // the repository itself
	}
	return c
}

// backfill gives every participant of a study the version that they lack.
func (a *Appliance) backfill(ctx context.Context, study core.StudyID) error {
	accounts, err := a.store.Accounts(ctx, study)
	if err != nil {
		return err
	}
	for _, account := range accounts {
		if err := a.roster.Backfill(ctx, account.ID); err != nil {
			return err
		}
	}
	return nil
}
