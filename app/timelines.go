package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"footbridge/app/control"
)

// timelineCommand looks after what participants are to do.
type timelineCommand struct {
	Import timelineImport `cmd:"" help:"Make a Timeline document a study's timeline."`
	Show   timelineShow   `cmd:"" help:"Show a study's timeline."`
}

// timelineDocument is what commands read of a timeline.
type timelineDocument struct {
	ScheduleGUID string `json:"scheduleGuid"`
	ModifiedOn   any    `json:"modifiedOn"` // as it was submitted
	Schedule     []struct {
		Assessments []struct{} `json:"assessments"`
	} `json:"schedule"`
	Sessions []struct{} `json:"sessions"`
}

// counted says how much there is to do.
func (t timelineDocument) counted() string {
	assessments := 0
	for _, session := range t.Schedule {
		assessments += len(session.Assessments)
	}
	return fmt.Sprintf("%s at %s, with %s",
		plural(len(t.Sessions), "session"), plural(len(t.Schedule), "time"), plural(assessments, "assessment"))
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func timelinePath(study string) string { return studyPath(study) + "/timeline" }

// timelineImport puts a timeline in place.
type timelineImport struct {
	File  string `arg:"" type:"path" help:"The document, a JSON file."`
	Study string `required:"" help:"The study."`
	JSON  bool   `name:"json" help:"Print the timeline as it is stored."`
}

// Run puts the timeline in place.
func (c *timelineImport) Run(ctx context.Context, s *session) error {
	document, err := os.ReadFile(c.File)
	if err != nil {
		return fmt.Errorf("read the timeline: %w", err)
	}
	if !json.Valid(document) {
		return fmt.Errorf("%s is no JSON; export the timeline again", c.File)
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		return printTimeline(ctx, s, client, http.MethodPut, c.Study, json.RawMessage(document), c.JSON, func(t timelineDocument) {
			fmt.Fprintf(s.out, "The timeline of study %s is in place: %s. Devices get it when they next ask.\n", c.Study, t.counted())
		})
	})
}

// timelineShow shows a timeline.
type timelineShow struct {
	Study string `required:"" help:"The study."`
	JSON  bool   `name:"json" help:"Print the whole document."`
}

// Run shows the timeline.
func (c *timelineShow) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		return printTimeline(ctx, s, client, http.MethodGet, c.Study, nil, c.JSON, func(t timelineDocument) {
			fmt.Fprintf(s.out, "The timeline of study %s: %s.\nSchedule %s, modified on %v.\n", c.Study, t.counted(), t.ScheduleGUID, t.ModifiedOn)
		})
	})
}

// printTimeline asks for a study's timeline and prints it: as it came, or as say
// puts it.
func printTimeline(ctx context.Context, s *session, client *control.Client, method, study string, in any, asJSON bool, say func(timelineDocument)) error {
	var document json.RawMessage
	if err := client.Call(ctx, method, timelinePath(study), in, &document); err != nil {
		return err
	}
	if asJSON {
		return s.printJSON(document)
	}
	var t timelineDocument
	if err := json.Unmarshal(document, &t); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	say(t)
	return nil
}
