package appliance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"footbridge/app/config"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
)

// Plan is what a new home is to be.
type Plan struct {
	App        core.AppID
	Study      core.StudyID // the first one; its identifier is not the app's
	AdminEmail string
	Password   string // the administrator's, strong enough
	Repository string // where records go, as settings say it
	NoExport   bool   // do not make the study's project
	Name       string // of the site, for people; may be empty

	// Patience is how long the repository may take for the project; then it is made
	// later, by itself. Without one it may take as long as it takes.
	Patience time.Duration
}

// Made is what came of a plan.
type Made struct {
	Repository  string // of the settings, which an earlier run may have written
	Key         string // fingerprint of the key that devices encrypt to
	Certificate string // fingerprint of the certificate that devices know the site by
	Configured  bool   // the study exports
	NoProject   error  // why the study's project could not be made yet
}

// Make makes a home: settings, keys, study, app, administrator and project. It
// may be run again after any failure: what a run before has made stays as it
// is. A home that has an administrator, or another app, is refused. Errors:
// ErrRunning.
func Make(ctx context.Context, home string, p Plan) (Made, error) {
	if err := prepare(home, p.Repository); err != nil {
		return Made{}, err
	}
	a := &Appliance{home: home}
	defer a.Close()
	if err := a.open(ctx, nil); err != nil {
		return Made{}, err
	}
	made, err := a.fill(ctx, p)
	if err != nil {
		return Made{}, err
	}
	return made, a.Close()
}

// prepare makes the home folder and its settings.
func prepare(home, repository string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("make the home folder: %w", err)
	}
	if err := os.Chmod(home, 0o700); err != nil { // it may have been there, open to others
		return fmt.Errorf("protect the home folder: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(home, "inbox"), 0o700); err != nil {
		return fmt.Errorf("make the home folder: %w", err)
	}
	path := filepath.Join(home, config.FileName)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	settings := config.Default()
	settings.Repository = repository
	if err := os.WriteFile(path, []byte(settings.Text()), 0o600); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}

// fill makes keys, study, app, administrator and project.
func (a *Appliance) fill(ctx context.Context, p Plan) (Made, error) {
	made := Made{Repository: a.live.Settings().Repository}
	if err := a.checkUnfinished(ctx, p.App); err != nil {
		return made, err
	}
	var err error
	if made.Certificate, made.Key, err = a.makeKeys(p.App); err != nil {
		return made, err
	}
	now := time.Now().UTC()
	_, err = a.store.CreateStudy(ctx, core.Study{ID: p.Study, App: p.App, Name: string(p.Study), CreatedOn: now, ModifiedOn: now})
	if err != nil && !errors.Is(err, core.ErrExists) {
		return made, err
	}
	if _, err := a.store.SaveApp(ctx, p.App, func(app *core.App) error { app.Name, app.CreatedOn = p.Name, now; return nil }); err != nil {
		return made, err
	}
	a.wire(p.App)
	if _, err := a.roster.Create(ctx, "", participant.Form{Email: p.AdminEmail, Password: p.Password, Roles: []core.Role{core.RoleAdmin}}); err != nil {
		return made, err
	}
	deed := core.Deed{At: time.Now().UTC().Truncate(time.Millisecond), Did: core.DeedSiteMade, With: map[string]string{"app": string(p.App), "study": string(p.Study)}}
	if err := a.store.Note(ctx, deed); err != nil {
		return made, err
	}
	if err := a.setup.Witness.Look(ctx); err != nil {
		return made, err
	}
	if p.NoExport {
		return made, nil
	}
	if p.Patience > 0 {
		patient, stop := context.WithTimeout(ctx, p.Patience)
		defer stop()
		ctx = patient
	}
	study, err := a.projects.CreateForStudy(ctx, p.Study)
	made.Configured, made.NoProject = study.Configured(), err
	return made, nil
}

// checkUnfinished refuses a home that has an administrator, or another app.
func (a *Appliance) checkUnfinished(ctx context.Context, app core.AppID) error {
	apps, err := a.store.Apps(ctx)
	if err != nil || len(apps) == 0 {
		return err
	}
	accounts, err := a.store.Accounts(ctx, "")
	if err != nil {
		return err
	}
	for _, known := range accounts {
		if account.Has(known, core.RoleAdmin) {
			return fmt.Errorf("there is a Footbridge in %s already, for the app %s", a.home, apps[0].ID)
		}
	}
	if apps[0].ID != app {
		return fmt.Errorf("the home in %s was begun for the app %s; use that --app-id, or another --home", a.home, apps[0].ID)
	}
	return nil
}

// makeKeys gives the fingerprints of the site's TLS certificate and of its
// data-collection key.
func (a *Appliance) makeKeys(app core.AppID) (certificate, key string, err error) {
	site, err := a.Identity()
	if err != nil {
		return "", "", err
	}
	if known := a.ring.List(); len(known) > 0 {
		return site.Fingerprint, known[0].Fingerprint, nil
	}
	made, err := a.ring.Create(app, time.Now())
	return site.Fingerprint, made.Fingerprint, err
}
