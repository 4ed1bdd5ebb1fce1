package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"text/tabwriter"

	"footbridge/app/control"
)

// studyCommand looks after studies.
type studyCommand struct {
	Create        studyCreate        `cmd:"" help:"Create a study."`
	List          studyList          `cmd:"" help:"List the studies."`
	CreateProject studyProject       `cmd:"" help:"Make a study's project in the repository and enable its export."`
	RequestAccess studyRequestAccess `cmd:"" help:"Ask for access to a study's project."`
	Grant         studyGrant         `cmd:"" help:"Give an account of the repository access to a study's project."`
	Access        studyAccess        `cmd:"" help:"List who asked for access to a study's project and who has it."`
}

// studyLine is a study as commands print it.
type studyLine struct {
	Identifier       string         `json:"identifier"`
	Name             string         `json:"name"`
	Exporter3Enabled bool           `json:"exporter3Enabled"`
	Exporter3        map[string]any `json:"exporter3Configuration,omitempty"`
}

func studyPath(id string) string { return "/v5/studies/" + url.PathEscape(id) }

// studyCreate creates a study.
type studyCreate struct {
	Study string `arg:"" help:"The new study's identifier."`
	Name  string `help:"Its name; else the identifier."`
	JSON  bool   `name:"json" help:"Print the result as JSON."`
}

// Run creates the study.
func (c *studyCreate) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		if err := client.Call(ctx, http.MethodPost, "/v5/studies", map[string]string{"identifier": c.Study, "name": c.Name}, nil); err != nil {
			return err
		}
		var line studyLine
		if err := client.Call(ctx, http.MethodGet, studyPath(c.Study), nil, &line); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(line)
		}
		fmt.Fprintf(s.out, "Study %s. It exports nothing yet; when it should: footbridge study create-project %s\n", c.Study, c.Study)
		return nil
	})
}

// studyList lists studies.
type studyList struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run lists the studies.
func (c *studyList) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all struct {
			Items []studyLine `json:"items"`
		}
		if err := client.Call(ctx, http.MethodGet, "/v5/studies", nil, &all); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(all.Items)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "STUDY\tNAME\tEXPORT")
		for _, study := range all.Items {
			export := "not configured"
			if configured, _ := study.Exporter3["configured"].(bool); configured && study.Exporter3Enabled {
				export = "configured"
			}
			fmt.Fprintf(lines, "%s\t%s\t%s\n", study.Identifier, study.Name, export)
		}
		return lines.Flush()
	})
}

// studyProject makes a study's project.
type studyProject struct {
	Study string `arg:"" help:"The study."`
	JSON  bool   `name:"json" help:"Print the result as JSON."`
}

// Run makes the project.
func (c *studyProject) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var made map[string]any
		if err := client.Call(ctx, http.MethodPost, studyPath(c.Study)+"/exporter3", nil, &made); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(made)
		}
		fmt.Fprintf(s.out, "The project of study %s is there: %v. Uploads of its participants are exported from now on.\n", c.Study, made["projectId"])
		return nil
	})
}
