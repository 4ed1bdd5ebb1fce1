package main

import (
	"context"
	"fmt"
	"net/http"
	"text/tabwriter"
	"time"

	"footbridge/app/control"
	"footbridge/app/local/studies"
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
		var access studies.Access
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
		var all []studies.Access
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
	JSON   bool   `name:"json" help:"The same as --format json."`
}

// Run prints the credentials.
func (c *credentialsCommand) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var given studies.Credentials
		if err := client.Call(ctx, http.MethodPost, "/local/v1"+studyPath(c.Study)[len("/v5"):]+"/credentials", nil, &given); err != nil {
			return err
		}
		if c.JSON || c.Format == "json" {
			return s.printJSON(given)
		}
		fmt.Fprint(s.out, c.written(given))
		return nil
	})
}

// written gives credentials as a program reads them.
func (c *credentialsCommand) written(given studies.Credentials) string {
	place := given.Bucket
	if given.BaseKey != "" {
		place += "/" + given.BaseKey
	}
	head, line, names := "# s3://"+place, "export %s='%s'\n", []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_ENDPOINT_URL_S3"}
	section := fmt.Sprintf("[footbridge-%s]\n", c.Study)
	switch c.Format {
	case "aws":
		line, names = "%s = %s\n", []string{"aws_access_key_id", "aws_secret_access_key", "aws_session_token", "region", "endpoint_url"}
	case "rclone":
		head, line, names = fmt.Sprintf("# footbridge-%s:%s", c.Study, place), "%s = %s\n", []string{"access_key_id", "secret_access_key", "session_token", "region", "endpoint"}
		section += "type = s3\nprovider = " + given.Provider + "\n"
	default:
		section = ""
	}
	text := fmt.Sprintf("%s, until %s\n%s", head, dated(given.Expiration), section)
	for i, value := range []string{given.AccessKeyID, given.SecretAccessKey, given.SessionToken, given.Region, given.Endpoint} {
		if value != "" {
			text += fmt.Sprintf(line, names[i], value)
		}
	}
	return text
}
