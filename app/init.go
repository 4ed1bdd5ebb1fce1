package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"time"

	"footbridge/app/config"
	"footbridge/app/keys"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
)

// initCommand makes a new home.
type initCommand struct {
	AppID      string `name:"app-id" required:"" help:"The app that devices name when they sign in."`
	Study      string `required:"" help:"The first study."`
	AdminEmail string `name:"admin-email" required:"" help:"The administrator's e-mail address."`
	Repository string `default:"folder:repository" help:"Where records go: folder:PATH or rclone:REMOTE." placeholder:"SPEC"`
	NoExport   bool   `name:"no-export" help:"Do not make the study's project; nothing is exported until it is made."`
	JSON       bool   `name:"json" help:"Print the result as JSON."`
}

// initResult is what init prints.
type initResult struct {
	Home       string `json:"home"`
	AppID      string `json:"appId"`
	Study      string `json:"study"`
	AdminEmail string `json:"adminEmail"`
	Password   string `json:"password,omitempty"` // only where one was made
	Repository string `json:"repository"`
	Configured bool   `json:"configured"`
	Key        string `json:"keyFingerprint"`
	TLS        string `json:"certificateFingerprint"`
	Note       string `json:"note,omitempty"` // why the project is not made yet
}

// Run makes the home. It may be run again after any failure.
func (c *initCommand) Run(ctx context.Context, s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	password, made := os.Getenv("FOOTBRIDGE_ADMIN_PASSWORD"), false
	if password == "" {
		password, made = account.NewPassword(), true
	} else if lack := account.CheckPassword(password); lack != "" {
		return fmt.Errorf("the password in FOOTBRIDGE_ADMIN_PASSWORD %s", lack)
	}
	if err := c.prepare(s.home); err != nil {
		return err
	}
	a := &appliance{home: s.home}
	defer a.close()
	if err := a.open(ctx, nil); err != nil {
		return err
	}
	result, err := c.fill(ctx, a, password)
	if err != nil {
		return err
	}
	if made {
		result.Password = password
	}
	if err := a.close(); err != nil {
		return err
	}
	return c.print(s, result)
}

// check finds what is wrong before anything is made.
func (c *initCommand) check() error {
	switch {
	case !core.ValidIdentifier(c.AppID):
		return errors.New("--app-id must have 2 to 60 characters of a-z, 0-9 and -, and begin with a letter or digit")
	case !core.ValidIdentifier(c.Study):
		return errors.New("--study must have 2 to 60 characters of a-z, 0-9 and -, and begin with a letter or digit")
	case c.AppID == c.Study:
		return errors.New("--study must differ from --app-id: each names a project in the repository")
	}
	if address, err := mail.ParseAddress(c.AdminEmail); err != nil || address.Address != c.AdminEmail {
		return errors.New("--admin-email does not appear to be an e-mail address")
	}
	if why := config.CheckRepository(c.Repository); why != "" {
		return errors.New("--repository " + why)
	}
	return nil
}

// prepare makes the home folder and its settings.
func (c *initCommand) prepare(home string) error {
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
	settings.Repository = c.Repository
	if err := os.WriteFile(path, []byte(settings.Text()), 0o600); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}

// fill makes keys, study, app, administrator and project. Each part that a run
// before has made stays as it is.
func (c *initCommand) fill(ctx context.Context, a *appliance, password string) (initResult, error) {
	result := initResult{Home: a.home, AppID: c.AppID, Study: c.Study, AdminEmail: c.AdminEmail, Repository: a.live.Settings().Repository}
	if err := c.checkUnfinished(ctx, a); err != nil {
		return result, err
	}
	var err error
	if result.TLS, result.Key, err = c.makeKeys(a); err != nil {
		return result, err
	}
	now := time.Now().UTC()
	_, err = a.store.CreateStudy(ctx, core.Study{ID: core.StudyID(c.Study), App: core.AppID(c.AppID), Name: c.Study, CreatedOn: now, ModifiedOn: now})
	if err != nil && !errors.Is(err, core.ErrExists) {
		return result, err
	}
	if _, err := a.store.SaveApp(ctx, core.AppID(c.AppID), func(app *core.App) error { app.CreatedOn = now; return nil }); err != nil {
		return result, err
	}
	a.wire(core.AppID(c.AppID))
	if _, err := a.roster.Create(ctx, "", participant.Form{Email: c.AdminEmail, Password: password, Roles: []core.Role{core.RoleAdmin}}); err != nil {
		return result, err
	}
	if c.NoExport {
		return result, nil
	}
	study, err := a.CreateForStudy(ctx, core.StudyID(c.Study))
	if err != nil {
		result.Note = "The project could not be made yet: " + err.Error() + "."
	}
	result.Configured = study.Configured()
	return result, nil
}

// checkUnfinished refuses a home that has an administrator, or another app.
func (c *initCommand) checkUnfinished(ctx context.Context, a *appliance) error {
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
	if string(apps[0].ID) != c.AppID {
		return fmt.Errorf("the home in %s was begun for the app %s; use that --app-id, or another --home", a.home, apps[0].ID)
	}
	return nil
}

// makeKeys gives the fingerprints of the site's TLS certificate and of its
// data-collection key.
func (c *initCommand) makeKeys(a *appliance) (identity, key string, err error) {
	site, err := keys.OpenIdentity(filepath.Join(a.home, "keys"), time.Now())
	if err != nil {
		return "", "", err
	}
	if known := a.ring.List(); len(known) > 0 {
		return site.Fingerprint, known[0].Fingerprint, nil
	}
	made, err := a.ring.Create(core.AppID(c.AppID), time.Now())
	return site.Fingerprint, made.Fingerprint, err
}

func (c *initCommand) print(s *session, r initResult) error {
	if c.JSON {
		return s.printJSON(r)
	}
	fmt.Fprintf(s.out, "A new Footbridge in %s for app %s, study %s.\n", r.Home, r.AppID, r.Study)
	if r.Password != "" {
		fmt.Fprintf(s.out, "Administrator %s, password %s\nWrite the password down: it is shown this once.\n", r.AdminEmail, r.Password)
	} else {
		fmt.Fprintf(s.out, "Administrator %s, with the password that you gave.\n", r.AdminEmail)
	}
	if r.Note != "" {
		fmt.Fprintln(s.out, r.Note)
	}
	if r.Configured {
		fmt.Fprintf(s.out, "Records go to %s.\n", r.Repository)
	} else {
		fmt.Fprintf(s.out, "Nothing is exported yet. When it should be: footbridge study create-project %s\n", r.Study)
	}
	fmt.Fprintln(s.out, "Next: footbridge serve")
	return nil
}
