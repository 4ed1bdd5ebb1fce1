package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"text/tabwriter"

	"footbridge/app/control"
)

// surveyCommand looks after surveys.
type surveyCommand struct {
	Create  surveyCreate  `cmd:"" help:"Make a survey."`
	Publish surveyPublish `cmd:"" help:"Publish a version of a survey, with the schema that takes its answers."`
	Version surveyVersion `cmd:"" help:"Make a new version of a survey."`
	Update  surveyUpdate  `cmd:"" help:"Change a version of a survey that is not published."`
	Delete  surveyDelete  `cmd:"" help:"Delete a version of a survey; bundles that name it still find it."`
	List    surveyList    `cmd:"" help:"List the surveys, each with its newest version."`
	Show    surveyShow    `cmd:"" help:"Show a survey."`
}

// surveyLine is a version of a survey as commands print it.
type surveyLine struct {
	GUID           string `json:"guid"`
	CreatedOn      string `json:"createdOn"`
	Identifier     string `json:"identifier"`
	Name           string `json:"name"`
	Published      bool   `json:"published"`
	SchemaRevision int    `json:"schemaRevision,omitempty"`
	Version        int    `json:"version"`
}

// surveyDocument is what commands read of a survey.
type surveyDocument struct {
	surveyLine
	Deleted  bool `json:"deleted"`
	Elements []struct {
		Type       string `json:"type"`
		Identifier string `json:"identifier"`
	} `json:"elements"`
}

// stands says whether the version is published.
func (l surveyLine) stands() string {
	if !l.Published {
		return "not published"
	}
	return fmt.Sprintf("published, its answers go to schema %s revision %d", l.Identifier, l.SchemaRevision)
}

const surveysPath = "/v3/surveys"

// surveyPath is the path of a version; with an empty createdOn of the newest one.
func surveyPath(guid, createdOn string) string {
	if createdOn == "" {
		createdOn = "recent"
	}
	return surveysPath + "/" + url.PathEscape(guid) + "/revisions/" + url.PathEscape(createdOn)
}

// path is the path of the version.
func (l surveyLine) path() string { return surveyPath(l.GUID, l.CreatedOn) }

// printSurvey prints a version under its path, where apps need its name.
func printSurvey(ctx context.Context, s *session, client *control.Client, path string, asJSON bool) error {
	var line surveyLine
	if err := client.Call(ctx, http.MethodGet, path, nil, &line); err != nil {
		return err
	}
	if asJSON {
		return s.printJSON(line)
	}
	fmt.Fprintf(s.out, "Survey %s: %s.\nApps name it by\n  guid       %s\n  createdOn  %s\n", line.Identifier, line.stands(), line.GUID, line.CreatedOn)
	return nil
}

// withdrawn takes a version back that could not be finished, so that the command
// can be given again.
func withdrawn(ctx context.Context, client *control.Client, made surveyLine, why error) error {
	if err := client.Call(context.WithoutCancel(ctx), http.MethodDelete, made.path()+"?physical=true", nil, nil); err != nil {
		return fmt.Errorf("%w (the version of %s was made and could not be taken back: %w)", why, made.CreatedOn, err)
	}
	return why
}

// surveyCreate makes a survey.
type surveyCreate struct {
	File    string `arg:"" type:"path" help:"The document, a JSON file."`
	Publish bool   `help:"Publish it at once."`
	JSON    bool   `name:"json" help:"Print the result as JSON."`
}

// Run makes the survey.
func (c *surveyCreate) Run(ctx context.Context, s *session) error {
	document, err := readDocument(c.File)
	if err != nil {
		return err
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var made surveyLine
		if err := client.Call(ctx, http.MethodPost, surveysPath, document, &made); err != nil {
			return err
		}
		if c.Publish {
			if err := client.Call(ctx, http.MethodPost, made.path()+"/publish", nil, nil); err != nil {
				return withdrawn(ctx, client, made, err)
			}
		}
		return printSurvey(ctx, s, client, made.path(), c.JSON)
	})
}

// surveyPublish publishes a version.
type surveyPublish struct {
	GUID              string `arg:"" name:"guid" help:"The survey."`
	CreatedOn         string `name:"created-on" help:"The version; else the newest." placeholder:"TIME"`
	NewSchemaRevision bool   `name:"new-schema-revision" help:"Make a new revision of the schema when the version is published, where the one that is there would do, too."`
	JSON              bool   `name:"json" help:"Print the result as JSON."`
}

// Run publishes the version.
func (c *surveyPublish) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var line surveyLine
		if err := client.Call(ctx, http.MethodGet, surveyPath(c.GUID, c.CreatedOn), nil, &line); err != nil {
			return err
		}
		if line.Published && c.NewSchemaRevision {
			return fmt.Errorf("this version is published already, and stays as it is; make another with footbridge survey version %s", c.GUID)
		}
		if err := client.Call(ctx, http.MethodPost, fmt.Sprintf("%s/publish?newSchemaRev=%t", line.path(), c.NewSchemaRevision), nil, nil); err != nil {
			return err
		}
		return printSurvey(ctx, s, client, line.path(), c.JSON)
	})
}

// surveyVersion makes a new version.
type surveyVersion struct {
	GUID string `arg:"" name:"guid" help:"The survey."`
	File string `arg:"" optional:"" type:"path" help:"The new version's document; else it is like the newest one."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run makes the version.
func (c *surveyVersion) Run(ctx context.Context, s *session) error {
	var document map[string]json.RawMessage
	if c.File != "" {
		text, err := readDocument(c.File)
		if err != nil {
			return err
		}
		if json.Unmarshal(text, &document) != nil {
			return fmt.Errorf("%s is no survey: it must be a JSON object", c.File)
		}
		delete(document, "version") // it counts the changes of another one
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var newest, made surveyLine
		if err := client.Call(ctx, http.MethodGet, surveyPath(c.GUID, ""), nil, &newest); err != nil {
			return err
		}
		if err := client.Call(ctx, http.MethodPost, newest.path()+"/version", nil, &made); err != nil {
			return err
		}
		if document != nil {
			if err := client.Call(ctx, http.MethodPost, made.path(), document, nil); err != nil {
				return withdrawn(ctx, client, made, err)
			}
		}
		return printSurvey(ctx, s, client, made.path(), c.JSON)
	})
}

// surveyUpdate changes a version.
type surveyUpdate struct {
	GUID      string `arg:"" name:"guid" help:"The survey."`
	File      string `arg:"" type:"path" help:"The document, a JSON file."`
	CreatedOn string `name:"created-on" help:"The version; else the newest." placeholder:"TIME"`
	JSON      bool   `name:"json" help:"Print the result as JSON."`
}

// Run changes the version.
func (c *surveyUpdate) Run(ctx context.Context, s *session) error {
	document, err := readDocument(c.File)
	if err != nil {
		return err
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var line surveyLine
		if err := client.Call(ctx, http.MethodGet, surveyPath(c.GUID, c.CreatedOn), nil, &line); err != nil {
			return err
		}
		if err := client.Call(ctx, http.MethodPost, line.path(), document, nil); err != nil {
			return err
		}
		return printSurvey(ctx, s, client, line.path(), c.JSON)
	})
}

// surveyDelete deletes a version.
type surveyDelete struct {
	GUID      string `arg:"" name:"guid" help:"The survey."`
	CreatedOn string `name:"created-on" help:"The version; else the newest." placeholder:"TIME"`
	JSON      bool   `name:"json" help:"Print the result as JSON."`
}

// Run deletes the version.
func (c *surveyDelete) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var line surveyLine
		if err := client.Call(ctx, http.MethodGet, surveyPath(c.GUID, c.CreatedOn), nil, &line); err != nil {
			return err
		}
		var answer json.RawMessage
		if err := client.Call(ctx, http.MethodDelete, line.path(), nil, &answer); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(answer)
		}
		fmt.Fprintf(s.out, "The version of survey %s of %s is deleted. It is in no list any more, but bundles that name it still find it.\n", line.Identifier, line.CreatedOn)
		return nil
	})
}

// surveyList lists surveys.
type surveyList struct {
	JSON bool `name:"json" help:"Print the surveys as they are stored."`
}

// Run lists the surveys.
func (c *surveyList) Run(ctx context.Context, s *session) error {
	return printList(ctx, s, surveysPath, c.JSON, "SURVEY\tPUBLISHED\tELEMENTS\tGUID\tCREATED ON\tNAME", func(d surveyDocument) string {
		published := "no"
		if d.Published {
			published = "yes"
		}
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%s", d.Identifier, published, len(d.Elements), d.GUID, d.CreatedOn, d.Name)
	})
}

// surveyShow shows a survey.
type surveyShow struct {
	GUID      string `arg:"" name:"guid" help:"The survey."`
	CreatedOn string `name:"created-on" help:"The version; else the newest." placeholder:"TIME"`
	JSON      bool   `name:"json" help:"Print the survey as it is stored."`
}

// Run shows the survey.
func (c *surveyShow) Run(ctx context.Context, s *session) error {
	return printAnswer(ctx, s, http.MethodGet, surveyPath(c.GUID, c.CreatedOn), nil, c.JSON, func(d surveyDocument) error {
		deleted := ""
		if d.Deleted {
			deleted = ", deleted"
		}
		fmt.Fprintf(s.out, "Survey %s of %s, version %d%s: %s.\n%s\n", d.Identifier, d.CreatedOn, d.Version, deleted, d.stands(), d.Name)
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "ELEMENT\tTYPE")
		for _, e := range d.Elements {
			fmt.Fprintf(lines, "%s\t%s\n", e.Identifier, e.Type)
		}
		return lines.Flush()
	})
}
