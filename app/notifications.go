package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// notificationCommand looks after who is told of what.
type notificationCommand struct {
	List      notificationList      `cmd:"" help:"List who is told of what, and how that goes."`
	Subscribe notificationSubscribe `cmd:"" help:"Tell a receiver of records that reached the repository, or of new studies."`
	Delete    notificationDelete    `cmd:"" help:"Tell a receiver nothing more."`
	Watch     notificationWatch     `cmd:"" help:"Print what happens as it happens, one JSON object a line."`
}

// notificationList lists subscriptions.
type notificationList struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run lists them.
func (c *notificationList) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all []view.SubscriptionLine
		if err := client.Call(ctx, http.MethodGet, "/local/v1/subscriptions", nil, &all); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(all)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "SUBSCRIPTION\tTOPIC\tENDPOINT\tSTATE\tWAITING\t")
		for _, line := range all {
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%d\t%s\n", line.ID, line.Topic, line.Endpoint, line.State, line.Waiting, line.Sentence)
		}
		return lines.Flush()
	})
}

// notificationSubscribe subscribes a receiver.
type notificationSubscribe struct {
	Endpoint   string `arg:"" help:"Where notices are POSTed: https://…, or http://… on this machine or a private network."`
	Study      string `help:"Tell of this study's exports; else of those that reached all of their destinations." xor:"topic"`
	NewStudies bool   `name:"new-studies" help:"Tell of studies whose project is made, instead of exports." xor:"topic"`
	JSON       bool   `name:"json" help:"Print the result as JSON."`
}

// Run subscribes it.
func (c *notificationSubscribe) Run(ctx context.Context, s *session) error {
	path := "/v1/apps/self/exporter3/notifications/export/subscribe"
	switch {
	case c.NewStudies:
		path = "/v1/apps/self/exporter3/notifications/study/subscribe"
	case c.Study != "":
		path = studyPath(c.Study) + "/exporter3/notifications/export/subscribe"
	}
	protocol, _, _ := strings.Cut(c.Endpoint, ":")
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var made struct {
			ID     string `json:"subscriptionArn"`
			Secret string `json:"secret,omitempty"`
		}
		if err := client.Call(ctx, http.MethodPost, path, map[string]string{"endpoint": c.Endpoint, "protocol": protocol}, &made); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(made)
		}
		fmt.Fprintf(s.out, "Subscription %s.\n", made.ID)
		if made.Secret == "" {
			fmt.Fprintln(s.out, "It was there already. Its secret was shown when it was made; to get another one, delete it and subscribe again.")
			return nil
		}
		fmt.Fprintf(s.out, "Notices are signed with this secret, which is shown this once: %s\n", made.Secret)
		return nil
	})
}

// notificationDelete deletes a subscription.
type notificationDelete struct {
	ID   string `arg:"" help:"The subscription."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run deletes it.
func (c *notificationDelete) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var done struct {
			Message string `json:"message"`
		}
		if err := client.Call(ctx, http.MethodDelete, "/local/v1/subscriptions/"+url.PathEscape(c.ID), nil, &done); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(done)
		}
		fmt.Fprintln(s.out, done.Message)
		return nil
	})
}

// notificationWatch prints what happens.
type notificationWatch struct {
	After string `help:"Begin behind the notice with this id." placeholder:"ID"`
}

// Run prints until it is stopped, or the appliance is.
func (c *notificationWatch) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		stream, err := client.Open(ctx, http.MethodGet, "/local/v1/events?after="+url.QueryEscape(c.After), nil)
		if err != nil {
			return err
		}
		defer stream.Close()
		if err := printEvents(s.out, stream); err != nil || ctx.Err() != nil {
			return err // whoever stops it has seen enough
		}
		return errors.New("the appliance ended; watch again once it runs, with --after and the last id")
	})
}

// printEvents prints each event's id and data as a line until the stream ends, in
// whatever way.
func printEvents(out io.Writer, stream io.Reader) error {
	var id string
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "id":
			id = value
		case "data":
			line, err := json.Marshal(struct {
				ID   string          `json:"id"`
				Data json.RawMessage `json:"data"`
			}{id, json.RawMessage(value)})
			if err != nil {
				return fmt.Errorf("read an event: %w", err)
			}
			if _, err := fmt.Fprintf(out, "%s\n", line); err != nil {
				return fmt.Errorf("print an event: %w", err)
			}
		}
	}
	return nil
}
