package view_test

import (
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

func TestExportLines(t *testing.T) {
	at := time.Date(2026, 11, 20, 18, 0, 0, 123_456_789, time.UTC)
	kept := time.Date(2026, 11, 20, 18, 0, 0, 123e6, time.UTC)
	for want, e := range map[string]core.Export{
		"Sent to sleep.":       {State: core.ExportExported, Step: core.StepRecorded},
		"On its way to sleep.": {State: core.ExportWaiting, Step: core.StepPut},
		"Waiting to be sent to sleep: the repository cannot be reached; it is tried again at 18:00:00 UTC on 2026-11-20.": {State: core.ExportWaiting, Reason: core.ReasonRepositoryAway, NextTry: at},
		"Waiting to be sent to sleep: the stored bytes are damaged.":                                                      {State: core.ExportWaiting, Reason: core.ReasonBytesDamaged},
		"Not sent to sleep: the participant shares with nobody at present.":                                               {State: core.ExportWithheld, Reason: core.ReasonNoSharingNow},
		"Not sent to sleep, and a person is needed: the key that opens it is gone from this site.":                        {State: core.ExportParked, Reason: core.ReasonNeedsKey},
	} {
		e.Destination, e.Since = "sleep", at
		line := view.ExportLine{Destination: "sleep", ExportState: e.State, ExportReason: e.Reason, Sentence: want, Step: e.Step, Since: &kept}
		if !e.NextTry.IsZero() {
			line.NextTry = &kept
		}
		if diff := cmp.Diff([]view.ExportLine{line}, view.NewExportLines([]core.Export{e})); diff != "" {
			t.Error(diff)
		}
	}
	if got := view.NewExportLines(nil); got == nil || len(got) > 0 {
		t.Errorf("%v", got)
	}
}
