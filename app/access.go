package main

import (
	"context"
	"fmt"
	"net/http"
	"text/tabwriter"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
)

// studyRequestAccess asks for access to a study's project.
type studyRequestAccess struct {
	Study   string `arg:"" help:"The study."`
	Account string `required:"" help:"The account of the repository that is to manage the project: a user name, a team name or its number."`
	JSON    bool   `name:"json" help:"Print the result as JSON."`
}

// Run keeps the request.
func (c *studyRequestAccess) Run(ctx context.Context, s *session) error {
	return changeAccess(ctx, s, c.Study, "requests", c.Account, c.JSON)
}

// studyGrant gives access to a study's project.
type studyGrant struct {
	Study   string `arg:"" help:"The study."`
	Account string `required:"" help:"The account of the repository: a user name, a team name or its number."`
	JSON    bool   `name:"json" help:"Print the result as JSON."`
}

// Run gives it.
func (c *studyGrant) Run(ctx context.Context, s *session) error {
	return changeAccess(ctx, s, c.Study, "grants", c.Account, c.JSON)
}

func accessPath(study string) string { return "/local/v1" + studyPath(study)[len("/v5"):] + "/access" }

func changeAccess(ctx context.Context, s *session, study, what, account string, asJSON bool) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var access appliance.Access
		if err := client.Call(ctx, http.MethodPost, accessPath(study)+"/"+what, map[string]string{"account": account}, &access); err != nil {
			return err
		}
		if asJSON {
			return s.printJSON(access)
		}
		fmt.Fprintln(s.out, access.Sentence)
		return nil
	})
}

// studyAccess lists who asked for access and who has it.
type studyAccess struct {
	Study string `arg:"" help:"The study."`
	JSON  bool   `name:"json" help:"Print the result as JSON."`
}

// Run lists them.
func (c *studyAccess) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all []appliance.Access
		if err := client.Call(ctx, http.MethodGet, accessPath(c.Study), nil, &all); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(all)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "ACCOUNT\tASKED\tGIVEN")
		for _, access := range all {
			fmt.Fprintf(lines, "%s\t%s\t%s\n", access.Account, dated(access.RequestedOn), dated(access.GrantedOn))
		}
		return lines.Flush()
	})
}

func dated(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// credentialsCommand gives temporary credentials for direct storage access.
type credentialsCommand struct {
	Study  string `required:"" help:"The study."`
	Format string `enum:"env,aws,rclone,json" default:"env" help:"env (for a shell), aws (a profile), rclone (a remote) or json."`
}

// storageCredentials are what the repository's token service gives.
type storageCredentials struct {
	Bucket          string    `json:"bucket"`
	BaseKey         string    `json:"baseKey"`
	AccessKeyID     string    `json:"accessKeyId"`
	SecretAccessKey string    `json:"secretAccessKey"`
	SessionToken    string    `json:"sessionToken"`
	Expiration      time.Time `json:"expiration"`
}

// Run prints the credentials.
func (c *credentialsCommand) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var given storageCredentials
		if err := client.Call(ctx, http.MethodPost, "/local/v1"+studyPath(c.Study)[len("/v5"):]+"/credentials", nil, &given); err != nil {
			return err
		}
		place := given.Bucket
		if given.BaseKey != "" {
			place += "/" + given.BaseKey
		}
		switch c.Format {
		case "json":
			return s.printJSON(given)
		case "aws":
			fmt.Fprintf(s.out, "# s3://%s, until %s\n[footbridge-%s]\naws_access_key_id = %s\naws_secret_access_key = %s\naws_session_token = %s\n",
				place, dated(given.Expiration), c.Study, given.AccessKeyID, given.SecretAccessKey, given.SessionToken)
		case "rclone":
			fmt.Fprintf(s.out, "# footbridge-%s:%s, until %s\n[footbridge-%s]\ntype = s3\nprovider = AWS\naccess_key_id = %s\nsecret_access_key = %s\nsession_token = %s\n",
				c.Study, place, dated(given.Expiration), c.Study, given.AccessKeyID, given.SecretAccessKey, given.SessionToken)
		default:
			fmt.Fprintf(s.out, "# s3://%s, until %s\nexport AWS_ACCESS_KEY_ID='%s'\nexport AWS_SECRET_ACCESS_KEY='%s'\nexport AWS_SESSION_TOKEN='%s'\n",
				place, dated(given.Expiration), given.AccessKeyID, given.SecretAccessKey, given.SessionToken)
		}
		return nil
	})
}
