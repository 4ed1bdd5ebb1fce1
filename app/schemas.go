package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	"footbridge/app/control"
)

// schemaCommand looks after the schemas that legacy bundles are described by.
type schemaCommand struct {
	Create schemaCreate `cmd:"" help:"Make a revision of a schema: the one that the document names, or the next."`
	Update schemaUpdate `cmd:"" help:"Change the revision of a schema that the document names."`
	List   schemaList   `cmd:"" help:"List the schemas, each with its newest revision."`
	Show   schemaShow   `cmd:"" help:"Show a schema."`
	Delete schemaDelete `cmd:"" help:"Delete a schema, or one revision of it."`
}

// schemaDocument is what commands read of a schema.
type schemaDocument struct {
	ID       string `json:"schemaId"`
	Revision int    `json:"revision"`
	Name     string `json:"name"`
	Kind     string `json:"schemaType"`
	Deleted  bool   `json:"deleted"`
	Version  int    `json:"version"`
	Fields   []struct {
		Name     string   `json:"name"`
		Type     string   `json:"type"`
		Required bool     `json:"required"`
		Choices  []string `json:"multiChoiceAnswerList"`
	} `json:"fieldDefinitions"`
}

// String names the revision.
func (d schemaDocument) String() string {
	return fmt.Sprintf("Schema %s revision %d", d.ID, d.Revision)
}

const schemasPath = "/v4/uploadschemas"

func schemaPath(id string, revision int) string {
	if revision == 0 {
		return schemasPath + "/" + url.PathEscape(id)
	}
	return fmt.Sprintf("%s/%s/revisions/%d", schemasPath, url.PathEscape(id), revision)
}

// readDocument reads a file that holds a JSON document.
func readDocument(file string) (json.RawMessage, error) {
	document, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	if !json.Valid(document) {
		return nil, fmt.Errorf("%s is no JSON; correct it and try again", file)
	}
	return document, nil
}

// printAnswer calls the API and prints its answer: as it came, or as say puts it.
func printAnswer[T any](ctx context.Context, s *session, method, path string, in any, asJSON bool, say func(T) error) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var answer json.RawMessage
		if err := client.Call(ctx, method, path, in, &answer); err != nil {
			return err
		}
		if asJSON {
			return s.printJSON(answer)
		}
		var v T
		if err := json.Unmarshal(answer, &v); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		return say(v)
	})
}

// printList is printAnswer for a list, of which only the items are printed.
func printList[T any](ctx context.Context, s *session, path string, asJSON bool, heads string, line func(T) string) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all struct {
			Items []json.RawMessage `json:"items"`
		}
		if err := client.Call(ctx, http.MethodGet, path, nil, &all); err != nil {
			return err
		}
		if asJSON {
			return s.printJSON(all.Items)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, heads)
		for _, item := range all.Items {
			var v T
			if err := json.Unmarshal(item, &v); err != nil {
				return fmt.Errorf("read the answer: %w", err)
			}
			fmt.Fprintln(lines, line(v))
		}
		return lines.Flush()
	})
}

// schemaCreate makes a revision.
type schemaCreate struct {
	File string `arg:"" type:"path" help:"The document, a JSON file."`
	JSON bool   `name:"json" help:"Print the schema as it is stored."`
}

// Run makes the revision.
func (c *schemaCreate) Run(ctx context.Context, s *session) error {
	document, err := readDocument(c.File)
	if err != nil {
		return err
	}
	return printAnswer(ctx, s, http.MethodPost, schemasPath, document, c.JSON, func(d schemaDocument) error {
		fmt.Fprintf(s.out, "%s is there, with %s.\n", d, plural(len(d.Fields), "field"))
		return nil
	})
}

// schemaUpdate changes a revision.
type schemaUpdate struct {
	File string `arg:"" type:"path" help:"The document, a JSON file with schemaId and revision."`
	JSON bool   `name:"json" help:"Print the schema as it is stored."`
}

// Run changes the revision.
func (c *schemaUpdate) Run(ctx context.Context, s *session) error {
	document, err := readDocument(c.File)
	if err != nil {
		return err
	}
	var named struct {
		ID       string `json:"schemaId"`
		Revision int    `json:"revision"`
	}
	if json.Unmarshal(document, &named) != nil || named.ID == "" || named.Revision < 1 {
		return fmt.Errorf("%s does not say which revision to change; give it schemaId and revision, or make a new revision with footbridge schema create", c.File)
	}
	return printAnswer(ctx, s, http.MethodPost, schemaPath(named.ID, named.Revision), document, c.JSON, func(d schemaDocument) error {
		fmt.Fprintf(s.out, "%s is changed: version %d, with %s.\n", d, d.Version, plural(len(d.Fields), "field"))
		return nil
	})
}

// schemaList lists schemas.
type schemaList struct {
	JSON bool `name:"json" help:"Print the schemas as they are stored."`
}

// Run lists the schemas.
func (c *schemaList) Run(ctx context.Context, s *session) error {
	return printList(ctx, s, schemasPath, c.JSON, "SCHEMA\tREVISION\tTYPE\tFIELDS\tNAME", func(d schemaDocument) string {
		return fmt.Sprintf("%s\t%d\t%s\t%d\t%s", d.ID, d.Revision, d.Kind, len(d.Fields), d.Name)
	})
}

// schemaShow shows a schema.
type schemaShow struct {
	ID       string `arg:"" name:"id" help:"The schema."`
	Revision int    `help:"The revision; else the newest." placeholder:"N"`
	JSON     bool   `name:"json" help:"Print the schema as it is stored."`
}

// Run shows the schema.
func (c *schemaShow) Run(ctx context.Context, s *session) error {
	path := schemaPath(c.ID, c.Revision)
	if c.Revision == 0 {
		path += "/recent"
	}
	return printAnswer(ctx, s, http.MethodGet, path, nil, c.JSON, func(d schemaDocument) error {
		deleted := ""
		if d.Deleted {
			deleted = ", deleted"
		}
		fmt.Fprintf(s.out, "%s, %s, version %d%s: %s\n", d, d.Kind, d.Version, deleted, d.Name)
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "FIELD\tTYPE\tREQUIRED\tCHOICES")
		for _, f := range d.Fields {
			required := "no"
			if f.Required {
				required = "yes"
			}
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", f.Name, f.Type, required, strings.Join(f.Choices, ", "))
		}
		return lines.Flush()
	})
}

// schemaDelete deletes a schema.
type schemaDelete struct {
	ID       string `arg:"" name:"id" help:"The schema."`
	Revision *int   `help:"The revision; else every one." placeholder:"N"`
	JSON     bool   `name:"json" help:"Print the result as JSON."`
}

// Run deletes the schema.
func (c *schemaDelete) Run(ctx context.Context, s *session) error {
	path, what := schemaPath(c.ID, 0), "Schema "+c.ID+" is deleted, every revision of it."
	if c.Revision != nil {
		if *c.Revision < 1 {
			return errors.New("revisions count from 1; leave --revision out to delete every one")
		}
		path, what = schemaPath(c.ID, *c.Revision), fmt.Sprintf("Schema %s revision %d is deleted.", c.ID, *c.Revision)
	}
	return printAnswer(ctx, s, http.MethodDelete, path, nil, c.JSON, func(struct{}) error {
		fmt.Fprintln(s.out, what, "It is in no list any more, but bundles that name it still find it.")
		return nil
	})
}
