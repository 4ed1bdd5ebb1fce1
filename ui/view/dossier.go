package view

import (
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
