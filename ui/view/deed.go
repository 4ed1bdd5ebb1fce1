package view

import (
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// DeedLine says on one line when who did what.
func DeedLine(d core.Deed) string {
	who := "the operator"
	if d.Who != "" {
		who = string(d.Who)
		if d.Address != "" {
			who += " at " + d.Address
		}
	}
	line := d.At.UTC().Format(time.RFC3339) + "  " + who + " " + Deed(d.Did)
	var with []string
	for name, value := range d.With {
		with = append(with, name+" "+value)
	}
	if slices.Sort(with); len(with) > 0 {
		line += ": " + strings.Join(with, ", ")
	}
	return line
}

// Deed says in words what was done; it follows who did it.
func Deed(did core.DeedKind) string {
	words, known := map[core.DeedKind]string{
		core.DeedSiteMade:             "made this site",
		core.DeedSettingsChanged:      "changed settings",
		core.DeedKeyCreated:           "made a key for devices to encrypt to",
		core.DeedKeyImported:          "imported a key that files are encrypted to",
		core.DeedStudyCreated:         "created a study",
		core.DeedStudyChanged:         "changed a study",
		core.DeedProjectMade:          "had a project made in the repository",
		core.DeedTimelineChanged:      "put a study's timeline in place",
		core.DeedSchemaCreated:        "created a schema",
		core.DeedSchemaChanged:        "changed a schema",
		core.DeedSchemaDeleted:        "deleted a schema",
		core.DeedSurveyCreated:        "created a survey",
		core.DeedSurveyChanged:        "changed a survey",
		core.DeedSurveyPublished:      "published a survey",
		core.DeedSurveyDeleted:        "deleted a survey",
		core.DeedParticipantCreated:   "created an account",
		core.DeedParticipantChanged:   "changed an account",
		core.DeedParticipantEnrolled:  "enrolled a participant",
		core.DeedParticipantWithdrawn: "withdrew a participant from a study",
		core.DeedVersionBackfilled:    "had a missing participant version made",
		core.DeedAdherenceChanged:     "changed adherence records",
		core.DeedUploadsRedriven:      "had uploads processed and sent again",
		core.DeedUploadsRetried:       "had records sent again that needed a person",
		core.DeedRecordsWithdrawn:     "took records back, or decided that they stay",
		core.DeedAttachmentRead:       "read a file of a record",
		core.DeedViewRead:             "read a study's records and participant versions",
		core.DeedAccessRequested:      "asked for access to a study's project",
		core.DeedAccessGranted:        "gave access to a study's project",
		core.DeedCredentialsGiven:     "was given credentials that read a study's storage",
		core.DeedRepositoryMended:     "had the repository mended",
		core.DeedSyncPaused:           "paused sending",
		core.DeedSyncResumed:          "resumed sending",
		core.DeedReceiverSubscribed:   "subscribed a receiver to notices",
		core.DeedReceiverEnded:        "ended a receiver's subscription",
		core.DeedPairingMade:          "made a code that pairs a device",
		core.DeedDevicePaired:         "paired a device",
		core.DeedDeviceForgotten:      "had a device forgotten",
	}[did]
	if !known {
		return "did what this version has no words for (" + string(did) + ")"
	}
	return words
}
