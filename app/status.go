package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"footbridge/app/board"
	"footbridge/app/control"
	"footbridge/app/pane"
	"footbridge/ui/view"

	"golang.org/x/term"
)

// statusCommand shows how the appliance is doing.
type statusCommand struct {
	Watch bool `help:"Go on showing it as it changes, until Ctrl-C: in place on a terminal, else as one block after the other."`
	JSON  bool `name:"json" help:"Print the result as JSON; with --watch one object on each line."`
}

// Run prints the overview.
func (c *statusCommand) Run(ctx context.Context, s *session) error {
	if c.Watch {
		return c.watch(ctx, s)
	}
	site, err := glance(ctx, s)
	if err != nil {
		return err
	}
	if c.JSON {
		return s.printJSON(site.Overview)
	}
	fmt.Fprint(s.out, board.Text(site, s.reader(), 0))
	return nil
}

// glance asks once, whether an appliance runs or not.
func glance(ctx context.Context, s *session) (view.Site, error) {
	var site view.Site
	err := withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		if err := client.Call(ctx, http.MethodGet, "/local/v1/status", nil, &site.Overview); err != nil {
			return err
		}
		return client.Call(ctx, http.MethodGet, "/local/v1/traffic", nil, &site.Traffic)
	})
	return site, err
}

// watch prints the overview whenever it changes, until ctx ends. Where no appliance
// runs it shows how things are on the disk, and waits for one: it starts none that
// would have the home for as long as somebody watches.
func (c *statusCommand) watch(ctx context.Context, s *session) error {
	var first board.Look
	if _, runs := control.Dial(s.home); !runs {
		site, err := glance(ctx, s)
		if err != nil {
			return err
		}
		first = board.Look{At: time.Now(), Overview: site.Overview, Traffic: site.Traffic}
	}
	sight := pane.New(control.NewClient(control.Line(s.home)), s.reader())
	show, done := c.shown(s)
	ctx, stop := context.WithCancel(ctx)
	var listening sync.WaitGroup
	listening.Go(func() { sight.Listen(ctx) })
	err := board.Watch(ctx, sight, first, show)
	stop()
	listening.Wait()
	return errors.Join(err, done())
}

// shown is how looks are shown, and what ends that.
func (c *statusCommand) shown(s *session) (show func(board.Look) error, done func() error) {
	if c.JSON {
		return func(l board.Look) error { return printLook(s, l) }, func() error { return nil }
	}
	reader := s.reader()
	if file, ok := terminal(s.out); ok {
		screen := board.NewScreen(s.out, func() (columns, lines int) {
			columns, lines, _ = term.GetSize(int(file.Fd())) // none is told as 0, 0
			return columns, lines
		}, func(lines int) string { return reader.Count("status.more", lines) })
		show = func(l board.Look) error {
			return screen.Show(func(columns int) string { return l.Text(reader, columns) })
		}
		return show, screen.Close
	}
	show = func(l board.Look) error {
		if !l.Changed {
			return nil
		}
		_, err := fmt.Fprintf(s.out, "%s\n", l.Text(reader, 0))
		return err
	}
	return show, func() error { return nil }
}

// printLook prints an overview that changed as a line for programs. What keeps it from
// being seen goes to people.
func printLook(s *session, l board.Look) error {
	switch {
	case !l.Changed:
		return nil
	case l.Trouble != nil:
		fmt.Fprintf(s.errors, "footbridge: %s\n", l.Words(s.reader()))
		return nil
	}
	line, err := json.Marshal(l.Overview)
	if err == nil {
		_, err = fmt.Fprintf(s.out, "%s\n", line)
	}
	if err != nil {
		return fmt.Errorf("print the overview: %w", err)
	}
	return nil
}

// terminal gives the terminal behind a writer that can be drawn on.
func terminal(out io.Writer) (*os.File, bool) {
	if p, ok := out.(*printer); ok {
		out = p.to
	}
	file, ok := out.(*os.File)
	dumb := os.Getenv("TERM") == "dumb" || runtime.GOOS == "windows" // its terminal draws only where it was told to
	return file, ok && !dumb && term.IsTerminal(int(file.Fd()))
}
