package projects

import (
	"context"
	"errors"
	"fmt"
	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
	"path"
	"strings"
)

// The rules here are: that a project is wanted is kept before the repository is
// asked for anything, so that it is made when it answers, and its records wait for
// it. A project is made once, part by part; making it again changes nothing. A
// repository that has held a project and holds it no more is another one, such as
// the empty mount point of a disk that was unplugged: nothing is written there until
// a person makes the project anew.

// CreateForStudy makes a study's project and enables its export (api.Projects).
func (k *Keeper) CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error) {
	study, err := k.want(ctx, id)
	if err != nil {
		return study, err
	}
	crash.Point("project.asked")
	p, err := k.Project(ctx, core.DestinationID(id))
	if err == nil {
		err = k.finish(ctx, p)
	}
	if err != nil {
		return study, err
	}
	if study, err = k.config.Store.Study(ctx, id); err != nil {
		return study, err
	}
	return study, k.backfill(ctx, id)
}

// Ask has a study's project made, by whoever makes the projects that are pending, and
// waits for nothing. One that failed is tried again at once. Errors: core.ErrNotFound.
func (k *Keeper) Ask(ctx context.Context, id core.StudyID) error {
	k.attempts.made(core.DestinationID(id)) // it is another attempt
	_, err := k.want(ctx, id)
	return err
}

// want keeps that a study's project is wanted, and enables its export.
func (k *Keeper) want(ctx context.Context, id core.StudyID) (core.Study, error) {
	study, err := k.config.Store.UpdateStudy(ctx, id, func(s *core.Study) error {
		s.Export, s.Pending, s.NameToken = true, true, token(s.NameToken)
		return nil
	})
	if err != nil {
		return study, err
	}
	return study, k.enable(ctx)
}

// CreateForApp makes the app-wide project and enables its export (api.Projects).
func (k *Keeper) CreateForApp(ctx context.Context) (core.App, error) {
	app, err := k.config.Store.SaveApp(ctx, k.config.App, func(app *core.App) error {
		app.Export, app.Pending, app.NameToken = true, true, token(app.NameToken)
		return nil
	})
	if err != nil {
		return app, err
	}
	p, err := k.Project(ctx, core.DestinationID(k.config.App))
	if err == nil {
		err = k.finish(ctx, p)
	}
	if err != nil {
		return app, err
	}
	if app, err = k.config.Store.App(ctx, k.config.App); err != nil {
		return app, err
	}
	return app, k.backfill(ctx, "")
}

// token is what makes a project's name its own: five characters, kept for good.
func token(known string) string {
	if known != "" {
		return known
	}
	code := strings.ReplaceAll(string(core.NewHealthCode()), "-", "")
	return code[:5]
}

// Configured makes participant versions from now on, also of a study that was
// configured by hand (api.Projects).
func (k *Keeper) Configured(ctx context.Context, id core.StudyID) error {
	if err := k.enable(ctx); err != nil {
		return err
	}
	return k.backfill(ctx, id)
}

// enable lets participant versions be made.
func (k *Keeper) enable(ctx context.Context) error {
	_, err := k.config.Store.SaveApp(ctx, k.config.App, func(app *core.App) error {
		app.Export = true
		return nil
	})
	crash.Point("project.enabled")
	return err
}

// backfill gives every participant of a study the version that they lack.
func (k *Keeper) backfill(ctx context.Context, study core.StudyID) error {
	accounts, err := k.config.Store.Accounts(ctx, study)
	if err != nil {
		return err
	}
	for _, account := range accounts {
		if err := k.config.Backfill(ctx, account.ID); err != nil {
			return err
		}
	}
	return nil
}

// MakePending makes the next project that is asked for and not made yet, and was not
// tried just now.
func (k *Keeper) MakePending(ctx context.Context) (bool, error) {
	studies, err := k.config.Store.Studies(ctx)
	if err != nil {
		return false, err
	}
	app, err := k.config.Store.App(ctx, k.config.App)
	if err != nil {
		return false, err
	}
	var wanted []core.DestinationID
	for _, study := range studies {
		if study.Pending {
			wanted = append(wanted, core.DestinationID(study.ID))
		}
	}
	if app.Pending {
		wanted = append(wanted, core.DestinationID(k.config.App))
	}
	next, ok := k.attempts.due(wanted)
	switch {
	case !ok:
		return false, nil
	case string(next) == string(k.config.App):
		_, err = k.CreateForApp(ctx)
	default:
		_, err = k.CreateForStudy(ctx, core.StudyID(next))
	}
	return err == nil || errors.Is(err, core.ErrProjectPending), err
}

// finish makes what a project that is pending lacks. Errors: core.ErrProjectPending
// and why.
func (k *Keeper) finish(ctx context.Context, p Project) error {
	k.making.Lock() // one at a time: each would make its own
	defer k.making.Unlock()
	p, err := k.Project(ctx, p.ID)
	if err != nil || !p.Pending {
		return err
	}
	parts, err := k.makeParts(ctx, p)
	k.noteRefusal(ctx, p.ID, err)
	if err != nil {
		if ctx.Err() == nil {
			k.attempts.failed(p.ID, err)
		}
		return fmt.Errorf("%w: %w", core.ErrProjectPending, err)
	}
	crash.Point("project.made")
	if err := k.saveProject(ctx, p, parts, true); err != nil {
		return err
	}
	crash.Point("project.noted")
	k.attempts.made(p.ID)
	k.config.Made()
	return nil
}

// makeParts makes what a project lacks in the repository of the settings.
func (k *Keeper) makeParts(ctx context.Context, p Project) (core.RepositoryConfig, error) {
	r, err := k.Synapse()
	if err == ErrNoSynapse {
		return completed(p.Parts, string(p.ID)), k.makeFolder(ctx, p)
	}
	if err != nil {
		return p.Parts, err
	}
	return r.MakeProject(ctx, analysis.Plan{
		Name: p.Name, Token: p.Token, Parts: k.ours(p), BaseKey: k.baseKey(p.ID),
		Save: func(ctx context.Context, parts core.RepositoryConfig) error {
			return k.saveProject(ctx, p, parts, false)
		},
	})
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
