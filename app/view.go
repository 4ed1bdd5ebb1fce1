package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"footbridge/app/control"
)

// viewCommand prints the file view of a study joined with Participant Versions.
type viewCommand struct {
	Study  string `required:"" help:"The study; or the app, for its own project."`
	Join   string `enum:"submitted,latest" default:"submitted" help:"The participant version at the upload (submitted), or the newest (latest)."`
	Format string `enum:"csv,json,parquet" default:"csv" help:"csv, json or parquet."`
	JSON   bool   `name:"json" help:"The same as --format json."`
	Out    string `help:"Write to this file instead of stdout." type:"path" placeholder:"FILE"`
}

// Run prints the view.
func (c *viewCommand) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		if c.JSON {
			c.Format = "json"
		}
		query := url.Values{"join": {c.Join}, "format": {c.Format}}
		path := "/local/v1/studies/" + url.PathEscape(c.Study) + "/view?" + query.Encode()
		table, err := client.Open(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		defer table.Close()
		if c.Out == "" {
			_, err = io.Copy(s.out, table)
		} else {
			err = writeOut(c.Out, table)
		}
		if err != nil {
			return fmt.Errorf("write the view: %w", err)
		}
		return nil
	})
}

// writeOut writes a file that holds people's data: nobody else may read it.
func writeOut(name string, from io.Reader) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, from); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
