package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"strings"

	"footbridge/app/appliance"
	"footbridge/app/config"
	"footbridge/core"
	"footbridge/core/account"
)

// initCommand makes a new home.
type initCommand struct {
	AppID      string `name:"app-id" required:"" help:"The app that devices name when they sign in."`
	Study      string `required:"" help:"The first study."`
	AdminEmail string `name:"admin-email" required:"" help:"The administrator's e-mail address."`
	Repository string `default:"folder:repository" help:"Where records go: folder:PATH, rclone:REMOTE or synapse:ENDPOINT." placeholder:"SPEC"`
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
	home, err := appliance.Make(ctx, s.home, appliance.Plan{
		App: core.AppID(c.AppID), Study: core.StudyID(c.Study), NoExport: c.NoExport,
		AdminEmail: c.AdminEmail, Password: password, Repository: c.Repository,
	})
	if err != nil {
		return err
	}
	result := initResult{
		Home: s.home, AppID: c.AppID, Study: c.Study, AdminEmail: c.AdminEmail,
		Repository: config.Shown(home.Repository), Configured: home.Configured, Key: home.Key, TLS: home.Certificate,
	}
	if made {
		result.Password = password
	}
	if home.NoProject != nil {
		result.Note = noteOf(c.Repository, home.NoProject)
	}
	return c.print(s, result)
}

// noteOf says why there is no project yet, and what makes it.
func noteOf(repository string, err error) string {
	if strings.HasPrefix(repository, "synapse:") && errors.Is(err, core.ErrNoToken) {
		return "Exports wait for a personal access token that the repository takes (scopes view, download, modify). Put it into FOOTBRIDGE_REPOSITORY_TOKEN before Footbridge starts, " +
			"into keys/repository.token in the home folder (mode 0600), or into the keyring of the operating system (service footbridge, account: the home's path). " +
			"The project is made by itself then, while footbridge serve runs."
	}
	return "Exports wait: " + err.Error() + ". The project is made by itself as soon as footbridge serve runs and the repository answers."
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
	switch {
	case r.Note != "":
		fmt.Fprintln(s.out, r.Note)
	case r.Configured:
		fmt.Fprintf(s.out, "Records go to %s.\n", r.Repository)
	default:
		fmt.Fprintf(s.out, "Nothing is exported yet. When it should be: footbridge study create-project %s\n", r.Study)
	}
	fmt.Fprintln(s.out, "Next: footbridge serve")
	return nil
}
