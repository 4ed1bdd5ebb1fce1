package view

import (
	"maps"
	"slices"
	"time"

	"footbridge/core"
)

// Dossier is what is known of an upload's record.
type Dossier struct {
	CreatedOn   time.Time         `json:"createdOn"`
	Bytes       int64             `json:"bytes"` // as they were before a device sealed them
	MD5         string            `json:"md5"`
	Schema      string            `json:"schema,omitempty"`
	Attachments int               `json:"attachments,omitempty"`
	Annotations map[string]string `json:"annotations"`
	Journals    []Journal         `json:"journals"`
}

// Journal is how far a record's way to one destination is.
type Journal struct {
	Destination core.DestinationID `json:"destination"`
	Steps       []JournalStep      `json:"steps"`
	Attempts    int                `json:"attempts,omitempty"` // failed in a row
	Place       string             `json:"place,omitempty"`    // of the file in the repository; empty where it is not there
	Folder      string             `json:"folder,omitempty"`   // of this computer, in which it lies; empty where it is elsewhere
}

// JournalStep is one step of a journal.
type JournalStep struct {
	Step core.ExportStep `json:"step"`
	Done bool            `json:"done"`
	At   *time.Time      `json:"at,omitempty"` // where the journal has it: of the first and of the last
}

// NewJournal tells the steps of an export. Its place is another's to say.
func NewJournal(e core.Export) Journal {
	steps := []core.ExportStep{core.StepPlanned, core.StepPut, core.StepVerified, core.StepAnnotated, core.StepRecorded}
	j := Journal{Destination: e.Destination, Attempts: e.Attempts, Steps: make([]JournalStep, len(steps))}
	done := e.Step != core.StepNone
	for i, step := range steps {
		j.Steps[i] = JournalStep{Step: step, Done: done}
		switch {
		case step == core.StepPlanned && done:
			j.Steps[i].At = stated(e.ExportedOn)
		case step == core.StepRecorded && done && e.State == core.ExportExported:
			j.Steps[i].At = stated(e.Since)
		}
		if step == e.Step {
			done = false
		}
	}
	return j
}

// RecordFacts says on one line what a record is.
func (r Reader) RecordFacts(d Dossier) string {
	text := r.Say("record.facts", "bytes", r.Bytes(d.Bytes), "when", r.When(d.CreatedOn), "md5", d.MD5)
	if d.Schema != "" {
		text += " " + r.Say("record.schema", "schema", d.Schema)
	}
	if d.Attachments > 0 {
		text += " " + r.Count("record.attachments", d.Attachments)
	}
	return text
}

// Annotations are those of a record, one on each line, by name.
func (r Reader) Annotations(d Dossier) []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(d.Annotations)) {
		all = append(all, key+": "+d.Annotations[key])
	}
	return all
}

// Steps are those of a journal, one on each line, and what else it says.
func (r Reader) Steps(j Journal) []string {
	var all []string
	for _, step := range j.Steps {
		name, state := r.Say("step."+string(step.Step)), r.Say("steps.open")
		switch {
		case step.At != nil:
			state = r.Say("steps.at", "when", r.When(*step.At))
		case step.Done:
			state = r.Say("steps.done")
		}
		all = append(all, name+": "+state)
	}
	if j.Attempts > 0 {
		all = append(all, r.Count("steps.failed", j.Attempts))
	}
	if j.Place != "" {
		all = append(all, r.Say("steps.place", "place", j.Place))
	}
	return all
}

// Shown is where the file of a record may be looked at: a folder of this computer, or a
// place elsewhere; both are empty where it is not in the repository.
func (d *Dossier) Shown() (folder, place string) {
	if d == nil {
		return "", ""
	}
	for _, j := range d.Journals {
		if j.Folder != "" {
			return j.Folder, j.Place
		}
		if place == "" {
			place = j.Place
		}
	}
	return "", place
}
