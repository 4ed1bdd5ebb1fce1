package appliance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// The rules here are: that a project is wanted is kept before the repository is
// asked for anything, so that it is made when it answers, and its records wait for
// it. A project is made once, part by part; making it again changes nothing. A
// repository that has held a project and holds it no more is another one, such as
// the empty mount point of a disk that was unplugged: nothing is written there until
// a person makes the project anew.

// project is a destination's project as it stands.
type project struct {
	id      core.DestinationID
	study   core.StudyID // empty: of the app
	name    string
	created time.Time
	token   string
	parts   core.RepositoryConfig
	place   string // of the repository that has the parts; empty: not known
	made    bool   // the repository has held it
	pending bool   // it is asked for and not made yet
}

// projectFile is what project.json says.
type projectFile struct {
	AppID     core.AppID   `json:"appId"`
	StudyID   core.StudyID `json:"studyId,omitempty"`
	Name      string       `json:"name"`
	CreatedOn time.Time    `json:"createdOn"`
	Layout    int          `json:"layout"` // of the project's folders; 1
}

// CreateForStudy makes a study's project and enables its export (api.Projects).
func (a *Appliance) CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error) {
	study, err := a.store.UpdateStudy(ctx, id, func(s *core.Study) error {
		s.Export, s.Pending, s.NameToken = true, true, token(s.NameToken)
		return nil
	})
	if err != nil {
		return study, err
	}
	if err := a.enable(ctx); err != nil {
		return study, err
	}
	crash.Point("project.asked")
	p, err := a.projectOf(ctx, core.DestinationID(id))
	if err == nil {
		err = a.finish(ctx, p)
	}
	if err != nil {
		return study, err
	}
	if study, err = a.store.Study(ctx, id); err != nil {
		return study, err
	}
	return study, a.backfill(ctx, id)
}

// CreateForApp makes the app-wide project and enables its export (api.Projects).
func (a *Appliance) CreateForApp(ctx context.Context) (core.App, error) {
	app, err := a.store.SaveApp(ctx, a.app, func(app *core.App) error {
		app.Export, app.Pending, app.NameToken = true, true, token(app.NameToken)
		return nil
	})
	if err != nil {
		return app, err
	}
	p, err := a.projectOf(ctx, core.DestinationID(a.app))
	if err == nil {
		err = a.finish(ctx, p)
	}
	if err != nil {
		return app, err
	}
	if app, err = a.store.App(ctx, a.app); err != nil {
		return app, err
	}
	return app, a.backfill(ctx, "")
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
func (a *Appliance) Configured(ctx context.Context, id core.StudyID) error {
	if err := a.enable(ctx); err != nil {
		return err
	}
	return a.backfill(ctx, id)
}

// enable lets participant versions be made.
func (a *Appliance) enable(ctx context.Context) error {
	_, err := a.store.SaveApp(ctx, a.app, func(app *core.App) error {
		app.Export = true
		return nil
	})
	crash.Point("project.enabled")
	return err
}

// finish makes what a project that is pending lacks. Errors: core.ErrProjectPending
// and why.
func (a *Appliance) finish(ctx context.Context, p project) error {
	a.making.Lock() // one at a time: each would make its own
	defer a.making.Unlock()
	p, err := a.projectOf(ctx, p.id)
	if err != nil || !p.pending {
		return err
	}
	parts, err := a.makeParts(ctx, p)
	a.noteRefusal(ctx, p.id, err)
	if err != nil {
		if ctx.Err() == nil {
			a.unmade.failed(p.id, err)
		}
		return fmt.Errorf("%w: %w", core.ErrProjectPending, err)
	}
	crash.Point("project.made")
	if err := a.saveProject(ctx, p, parts, true); err != nil {
		return err
	}
	crash.Point("project.noted")
	a.unmade.made(p.id)
	a.hurry() // the repository answers
	return nil
}

// makeParts makes what a project lacks in the repository of the settings.
func (a *Appliance) makeParts(ctx context.Context, p project) (core.RepositoryConfig, error) {
	r, err := a.place.synapse()
	if err == errNoSynapse {
		return completed(p.parts, string(p.id)), a.makeFolder(ctx, p)
	}
	if err != nil {
		return p.parts, err
	}
	return r.MakeProject(ctx, analysis.Plan{
		Name: p.name, Token: p.token, Parts: a.ours(p), BaseKey: a.baseKey(p.id),
		Save: func(ctx context.Context, parts core.RepositoryConfig) error {
			return a.saveProject(ctx, p, parts, false)
		},
	})
}

// entity is how Synapse calls things; what is called otherwise is part of a folder,
// where the project was before.
var entity = regexp.MustCompile(`^syn[0-9]+$`)

// ours gives the parts of a project that are in the Synapse of the settings: what has
// the same id in another one is somebody else's. Who is told stays.
func (a *Appliance) ours(p project) core.RepositoryConfig {
	elsewhere := p.place != "" && p.place != a.place.identity()
	if p.parts.Project == "" || !elsewhere && entity.MatchString(p.parts.Project) {
		return p.parts
	}
	return core.RepositoryConfig{CreateNotification: p.parts.CreateNotification, ExportNotification: p.parts.ExportNotification}
}

// saveProject keeps what there is of a project; done says that it is all there.
func (a *Appliance) saveProject(ctx context.Context, p project, parts core.RepositoryConfig, done bool) error {
	if p.study == "" {
		_, err := a.store.SaveApp(ctx, a.app, func(app *core.App) error {
			app.Repository, app.Place, app.Made, app.Pending = parts, a.place.identity(), app.Made || done, !done
			return nil
		})
		return err
	}
	_, err := a.store.UpdateStudy(ctx, p.study, func(s *core.Study) error {
		s.Repository, s.Place, s.Made, s.Pending = parts, a.place.identity(), s.Made || done, !done
		s.ModifiedOn = time.Now().UTC()
		return nil
	})
	return err
}

// makeFolder makes a project that is a folder.
func (a *Appliance) makeFolder(ctx context.Context, p project) error {
	file := projectFile{AppID: a.app, StudyID: p.study, Name: p.name, CreatedOn: p.created.Truncate(time.Millisecond), Layout: 1}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("describe the project: %w", err)
	}
	return a.folders.Make(ctx, p.id, append(text, '\n'))
}

// stands makes sure that a destination's project is in a repository of files before
// anything is written there. One that was configured by hand is made now.
func (a *Appliance) stands(ctx context.Context, id core.DestinationID) error {
	p, err := a.projectOf(ctx, id)
	if err != nil {
		return err
	}
	if p.pending {
		return a.finish(ctx, p)
	}
	there, err := a.folders.Holds(ctx, id)
	switch {
	case err != nil && p.made:
		return err
	case there && p.made:
		return nil
	case p.made:
		return fmt.Errorf("write into the project of %s: %w", id, core.ErrOtherRepository)
	case !there:
		if err := a.makeFolder(ctx, p); err != nil {
			return err
		}
	}
	return a.saveProject(ctx, p, p.parts, true)
}

// projectOf gives a destination's project as it stands.
func (a *Appliance) projectOf(ctx context.Context, id core.DestinationID) (project, error) {
	if string(id) == string(a.app) {
		app, err := a.store.App(ctx, a.app)
		return project{id: id, name: string(app.ID), created: app.CreatedOn, token: app.NameToken, parts: app.Repository, place: app.Place, made: app.Made, pending: app.Pending}, err
	}
	s, err := a.store.Study(ctx, core.StudyID(id))
	return project{id: id, study: s.ID, name: s.Name, created: s.CreatedOn, token: s.NameToken, parts: s.Repository, place: s.Place, made: s.Made, pending: s.Pending}, err
}

// makePending makes the next project that is asked for and not made yet, and was not
// tried just now.
func (a *Appliance) makePending(ctx context.Context) (bool, error) {
	studies, err := a.store.Studies(ctx)
	if err != nil {
		return false, err
	}
	app, err := a.store.App(ctx, a.app)
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
		wanted = append(wanted, core.DestinationID(a.app))
	}
	next, ok := a.unmade.due(wanted)
	switch {
	case !ok:
		return false, nil
	case string(next) == string(a.app):
		_, err = a.CreateForApp(ctx)
	default:
		_, err = a.CreateForStudy(ctx, core.StudyID(next))
	}
	return err == nil || errors.Is(err, core.ErrProjectPending), err
}

// destination gives a destination that is exported to.
func (a *Appliance) destination(ctx context.Context, id core.DestinationID) (core.Destination, bool) {
	if string(id) == string(a.app) {
		app, err := a.store.App(ctx, a.app)
		return core.Destination{ID: id, App: a.app}, err == nil && app.Exports()
	}
	study, err := a.store.Study(ctx, core.StudyID(id))
	return core.Destination{ID: id, App: a.app, Study: study.ID}, err == nil && study.Exports()
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
