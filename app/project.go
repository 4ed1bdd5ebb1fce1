package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"footbridge/core"
	"footbridge/sync/export"
)

// project is what project.json says.
type project struct {
	AppID     core.AppID   `json:"appId"`
	StudyID   core.StudyID `json:"studyId,omitempty"`
	Name      string       `json:"name"`
	CreatedOn time.Time    `json:"createdOn"`
	Layout    int          `json:"layout"` // of the project's folders; 1
}

// CreateForStudy makes a study's project and enables its export (api.Projects).
// It may be run again after any failure: what it makes is always the same.
func (a *appliance) CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error) {
	study, err := a.store.Study(ctx, id)
	if err != nil {
		return study, err
	}
	root := string(id)
	err = a.makeProject(ctx, root, project{AppID: a.app, StudyID: id, Name: study.Name, CreatedOn: study.CreatedOn, Layout: 1})
	if err != nil {
		return study, err
	}
	if err := a.enableExport(ctx); err != nil {
		return study, err
	}
	study, err = a.store.UpdateStudy(ctx, id, func(s *core.Study) error {
		s.Export, s.Repository = true, completed(s.Repository, root)
		s.ModifiedOn = time.Now().UTC()
		return nil
	})
	if err != nil {
		return study, err
	}
	return study, a.backfill(ctx, id)
}

// CreateForApp makes the app-wide project and enables its export (api.Projects).
func (a *appliance) CreateForApp(ctx context.Context) (core.App, error) {
	app, err := a.store.App(ctx, a.app)
	if err != nil {
		return app, err
	}
	root := string(a.app)
	if err := a.makeProject(ctx, root, project{AppID: a.app, Name: root, CreatedOn: app.CreatedOn, Layout: 1}); err != nil {
		return app, err
	}
	app, err = a.store.SaveApp(ctx, a.app, func(app *core.App) error {
		app.Export, app.Repository = true, completed(app.Repository, root)
		return nil
	})
	if err != nil {
		return app, err
	}
	return app, a.backfill(ctx, "")
}

func (a *appliance) makeProject(ctx context.Context, root string, p project) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("describe the project: %w", err)
	}
	if err := a.repository.PutBytes(ctx, path.Join(root, export.ProjectPath), append(text, '\n'), "application/json"); err != nil {
		return fmt.Errorf("make the project: %w", err)
	}
	return nil
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

// enableExport makes participant versions from now on.
func (a *appliance) enableExport(ctx context.Context) error {
	_, err := a.store.SaveApp(ctx, a.app, func(app *core.App) error {
		app.Export = true
		return nil
	})
	return err
}

// backfill gives every participant of a study the version that they lack.
func (a *appliance) backfill(ctx context.Context, study core.StudyID) error {
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
