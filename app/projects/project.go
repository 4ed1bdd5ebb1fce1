package projects

import (
	"context"
	"footbridge/core"
	"regexp"
	"time"
)

// Project is a destination's project as it stands.
type Project struct {
	ID      core.DestinationID
	Study   core.StudyID // empty: of the app
	Name    string
	Created time.Time
	Token   string // makes the name its own
	Parts   core.RepositoryConfig
	Place   string // of the repository that has the parts; empty: not known
	Made    bool   // the repository has held it
	Pending bool   // it is asked for and not made yet
}

// Project gives a destination's project as it stands.
func (k *Keeper) Project(ctx context.Context, id core.DestinationID) (Project, error) {
	if string(id) == string(k.config.App) {
		app, err := k.config.Store.App(ctx, k.config.App)
		return Project{ID: id, Name: string(app.ID), Created: app.CreatedOn, Token: app.NameToken, Parts: app.Repository, Place: app.Place, Made: app.Made, Pending: app.Pending}, err
	}
	s, err := k.config.Store.Study(ctx, core.StudyID(id))
	return Project{ID: id, Study: s.ID, Name: s.Name, Created: s.CreatedOn, Token: s.NameToken, Parts: s.Repository, Place: s.Place, Made: s.Made, Pending: s.Pending}, err
}

// Destination gives a destination that is exported to.
func (k *Keeper) Destination(ctx context.Context, id core.DestinationID) (core.Destination, bool) {
	if string(id) == string(k.config.App) {
		app, err := k.config.Store.App(ctx, k.config.App)
		return core.Destination{ID: id, App: k.config.App}, err == nil && app.Exports()
	}
	study, err := k.config.Store.Study(ctx, core.StudyID(id))
	return core.Destination{ID: id, App: k.config.App, Study: study.ID}, err == nil && study.Exports()
}

// entity is how Synapse calls things; what is called otherwise is part of a folder,
// where the project was before.
var entity = regexp.MustCompile(`^syn[0-9]+$`)

// ours gives the parts of a project that are in the Synapse of the settings: what has
// the same id in another one is somebody else's. Who is told stays.
func (k *Keeper) ours(p Project) core.RepositoryConfig {
	elsewhere := p.Place != "" && p.Place != k.Identity()
	if p.Parts.Project == "" || !elsewhere && entity.MatchString(p.Parts.Project) {
		return p.Parts
	}
	return core.RepositoryConfig{CreateNotification: p.Parts.CreateNotification, ExportNotification: p.Parts.ExportNotification}
}

// saveProject keeps what there is of a project; done says that it is all there.
func (k *Keeper) saveProject(ctx context.Context, p Project, parts core.RepositoryConfig, done bool) error {
	if p.Study == "" {
		_, err := k.config.Store.SaveApp(ctx, k.config.App, func(app *core.App) error {
			app.Repository, app.Place, app.Made, app.Pending = parts, k.Identity(), app.Made || done, !done
			return nil
		})
		return err
	}
	_, err := k.config.Store.UpdateStudy(ctx, p.Study, func(s *core.Study) error {
		s.Repository, s.Place, s.Made, s.Pending = parts, k.Identity(), s.Made || done, !done
		s.ModifiedOn = time.Now().UTC()
		return nil
	})
	return err
}

// AnyEntity gives the id of a project that stands on Synapse; empty where there is
// none.
func (k *Keeper) AnyEntity(ctx context.Context) (string, error) {
	studies, err := k.config.Store.Studies(ctx)
	if err != nil {
		return "", err
	}
	ids := []core.DestinationID{}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	for _, id := range append(ids, core.DestinationID(k.config.App)) {
		if p, err := k.Project(ctx, id); err == nil && p.Made && entity.MatchString(p.Parts.Project) {
			return p.Parts.Project, nil
		}
	}
	return "", nil
}
