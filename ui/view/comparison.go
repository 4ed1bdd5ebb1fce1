package view

import (
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// Comparison is one with the repository, and how far it is.
type Comparison struct {
	State  string     `json:"state"` // none, running, done or failed
	Mends  bool       `json:"mends"`
	Since  *time.Time `json:"since"`
	Ended  *time.Time `json:"ended"`
	Why    string     `json:"why"` // it failed
	Clears bool       `json:"-"`   // of what it mends, that files are removed; the window knows what it asked for
	Result struct {
		Destinations []Plan `json:"destinations"`
		Repaired     int    `json:"repaired"`
	} `json:"result"`
	Known map[string]Known `json:"known"` // by the ids of records, and the names of rows
}

// Known is what people know a record or a participant version by.
type Known struct {
	File        string `json:"file,omitempty"`
	Participant string `json:"participant,omitempty"` // what staff call them
}

// Plan says what is wrong with one destination.
type Plan struct {
	Destination core.DestinationID `json:"destination"`
	Missing     []core.UploadID    `json:"missing"`
	Differing   []core.UploadID    `json:"differing"`
	Unannotated []core.UploadID    `json:"unannotated"`
	Orphans     []string           `json:"orphans"`
	Rows        struct {
		Missing   []string `json:"missing"`
		Duplicate []string `json:"duplicate"`
		Refused   []string `json:"refused"`
	} `json:"rows"`
	Tables []struct {
		Path string `json:"path"`
	} `json:"tables"`
	Unreadable int    `json:"unreadable"`
	Failed     string `json:"failed"`
}

// mendable counts what is wrong and can be sent again.
func (p Plan) mendable() int {
	return len(p.Missing) + len(p.Differing) + len(p.Unannotated) + len(p.Rows.Missing) + len(p.Rows.Duplicate) + len(p.Tables)
}

// Compared is a comparison as the window shows it.
type Compared struct {
	Text    string
	Plans   []ComparedPlan
	Running bool
	Mend    bool // something can be sent again
	Orphans int  // files that nobody knows
}

// ComparedPlan is what was found at one destination.
type ComparedPlan struct {
	Text  string   // the whole of it
	Lines []string // what is wrong
}

// Compared describes a comparison to the reader.
func (r Reader) Compared(c Comparison) Compared {
	v := Compared{Running: c.State == "running"}
	switch {
	case v.Running && c.Mends:
		v.Text = r.Say("compare.mending")
	case v.Running:
		v.Text = r.Say("compare.running")
	case c.State == "failed":
		v.Text = r.Say("compare.failed", "why", r.Message(c.Why))
	case c.State != "done":
		v.Text = r.Say("compare.none")
	default:
		v.Text = r.Say("compare.done", "when", r.When(*c.Ended))
		switch {
		case c.Clears:
			v.Text += " " + r.Count("compare.removed", c.Result.Repaired)
		case c.Mends:
			v.Text += " " + r.Count("compare.mended", c.Result.Repaired)
		}
		for _, p := range c.Result.Destinations {
			v.Plans = append(v.Plans, r.plan(p, c.Known))
			v.Mend = v.Mend || p.mendable() > 0
			v.Orphans += len(p.Orphans)
		}
	}
	return v
}

func (r Reader) plan(p Plan, known map[string]Known) ComparedPlan {
	v := ComparedPlan{Text: r.Say("plan.wrong", "destination", p.Destination)}
	var tables []string
	for _, t := range p.Tables {
		tables = append(tables, t.Path)
	}
	for _, wrong := range []struct {
		name  string
		which []string
	}{
		{"missing", names(p.Missing)}, {"differing", names(p.Differing)}, {"unannotated", names(p.Unannotated)},
		{"rows", p.Rows.Missing}, {"twice", p.Rows.Duplicate}, {"refused", p.Rows.Refused},
		{"tables", tables}, {"orphans", p.Orphans},
	} {
		if n := len(wrong.which); n > 0 {
			v.Lines = append(append(v.Lines, r.Count("plan."+wrong.name, n)), r.firstOf(wrong.which, known)...)
		}
	}
	if p.Unreadable > 0 {
		v.Lines = append(v.Lines, r.Count("plan.unread", p.Unreadable, "why", p.Failed))
	}
	if len(v.Lines) == 0 {
		v.Text = r.Say("plan.clean", "destination", p.Destination)
	}
	return v
}

// NamedMax is how many of those that are wrong are named.
const NamedMax = 10

// firstOf names the first of some things, a line each, by what is known of them and by
// their ids, and says how many more there are.
func (r Reader) firstOf(all []string, known map[string]Known) []string {
	var lines []string
	for _, name := range all[:min(len(all), NamedMax)] {
		parts := []string{known[name].File, known[name].Participant, name}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		lines = append(lines, "    "+strings.Join(parts, ", "))
	}
	if more := len(all) - NamedMax; more > 0 {
		lines = append(lines, "    "+r.Count("plan.more", more))
	}
	return lines
}

func names(ids []core.UploadID) (all []string) {
	for _, id := range ids {
		all = append(all, string(id))
	}
	return all
}

// Orphaned names the files that nobody knows, before a person has them removed.
func (r Reader) Orphaned(c Comparison) string {
	var all []string
	for _, p := range c.WithOrphans() {
		for _, at := range p.Orphans {
			all = append(all, string(p.Destination)+"/"+at)
		}
	}
	return strings.Join(append([]string{r.Count("compare.ask_why", len(all))}, r.firstOf(all, nil)...), "\n")
}

// WithOrphans are the plans that name files which nobody knows, with nothing else.
func (c Comparison) WithOrphans() (all []Plan) {
	for _, p := range c.Result.Destinations {
		if len(p.Orphans) > 0 {
			all = append(all, Plan{Destination: p.Destination, Orphans: p.Orphans})
		}
	}
	return all
}
