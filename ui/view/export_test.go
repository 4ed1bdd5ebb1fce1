package view_test

import (
	"strings"
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
		"Sent to sleep.": {State: core.ExportExported, Step: core.StepRecorded},
		"On its way to sleep since 18:00:00 UTC on 2026-11-20.": {State: core.ExportWaiting, Step: core.StepPut},
		"Waiting to be sent to sleep since 18:00:00 UTC on 2026-11-20: the repository cannot be reached; it is tried again at 18:00:00 UTC on 2026-11-20.":                 {State: core.ExportWaiting, Reason: core.ReasonRepositoryAway, NextTry: at},
		"Waiting to be sent to sleep since 18:00:00 UTC on 2026-11-20: the stored bytes are damaged.":                                                                      {State: core.ExportWaiting, Reason: core.ReasonBytesDamaged},
		"Waiting to be sent to sleep since 18:00:00 UTC on 2026-11-20: sending is paused; footbridge sync resume sends again.":                                             {State: core.ExportWaiting, Reason: core.ReasonPaused},
		"Waiting to be sent to sleep since 18:00:00 UTC on 2026-11-20: the project is not made yet; it is as soon as the repository answers.":                              {State: core.ExportWaiting, Reason: core.ReasonProjectPending},
		"Waiting to be sent to sleep since 18:00:00 UTC on 2026-11-20: the project is not made yet, because the repository is being maintained, and comes back by itself.": {State: core.ExportWaiting, Reason: core.ReasonProjectPending, Cause: core.ReasonMaintenance},
		"Withdrawn from sleep, but it may still be there: its removal is tried again until it is done.":                                                                    {State: core.ExportWithheld, Reason: core.ReasonWithdrawn, Step: core.StepRecorded},
		"Withdrawn from sleep.": {State: core.ExportWithheld, Reason: core.ReasonWithdrawn},
		"Not sent to sleep since 18:00:00 UTC on 2026-11-20: the participant shares with nobody at present; it is sent once they share again.":                                                                     {State: core.ExportWithheld, Reason: core.ReasonNoSharingNow},
		"Not sent to sleep since 18:00:00 UTC on 2026-11-20, and a person is needed: the key that opens it is gone from this site. Once that is mended, footbridge upload retry sends it.":                         {State: core.ExportParked, Reason: core.ReasonNeedsKey},
		"Not sent to sleep since 18:00:00 UTC on 2026-11-20, and a person is needed: the repository does not take it as it is (it says: Name is too long). Once that is mended, footbridge upload retry sends it.": {State: core.ExportParked, Reason: core.ReasonRepositoryInvalid, Why: "Name is too long."},
	} {
		e.Destination, e.Since = "sleep", at
		line := view.ExportLine{Destination: "sleep", ExportState: e.State, ExportReason: e.Reason, Why: e.Why, Sentence: want, Step: e.Step, Since: &kept}
		if !e.NextTry.IsZero() {
			line.NextTry = &kept
		}
		if diff := cmp.Diff([]view.ExportLine{line}, view.NewExportLines([]core.Export{e}, view.Reader{})); diff != "" {
			t.Error(diff)
		}
	}
	if got := view.NewExportLines(nil, view.Reader{}); got == nil || len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// Who has to give a token is told where, also while its want keeps the project from
// being made.
func TestWhatWaitsForATokenSaysWhereToPutIt(t *testing.T) {
	for _, e := range []core.Export{
		{State: core.ExportWaiting, Reason: core.ReasonNeedsToken},
		{State: core.ExportWaiting, Reason: core.ReasonProjectPending, Cause: core.ReasonNeedsToken},
	} {
		said := view.NewExportLines([]core.Export{e}, view.Reader{})[0].Sentence
		for _, place := range []string{"there is no token or key that the repository takes", "keys/repository.token", "FOOTBRIDGE_REPOSITORY_TOKEN", "keyring", "rclone.conf"} {
			if !strings.Contains(said, place) {
				t.Errorf("%s is not in: %s", place, said)
			}
		}
	}
}
