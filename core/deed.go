package core

import "time"

// DeedKind is what a person did. Stable, for programs.
type DeedKind string

// The deeds that the audit keeps.
const (
	DeedSiteMade             DeedKind = "site_made"
	DeedSettingsChanged      DeedKind = "settings_changed"
	DeedRepositoryKeyGiven   DeedKind = "repository_key_given"
	DeedKeyCreated           DeedKind = "key_created"
	DeedKeyImported          DeedKind = "key_imported"
	DeedStudyCreated         DeedKind = "study_created"
	DeedStudyChanged         DeedKind = "study_changed"
	DeedProjectMade          DeedKind = "project_made"
	DeedTimelineChanged      DeedKind = "timeline_changed"
	DeedSchemaCreated        DeedKind = "schema_created"
	DeedSchemaChanged        DeedKind = "schema_changed"
	DeedSchemaDeleted        DeedKind = "schema_deleted"
	DeedSurveyCreated        DeedKind = "survey_created"
	DeedSurveyChanged        DeedKind = "survey_changed"
	DeedSurveyPublished      DeedKind = "survey_published"
	DeedSurveyDeleted        DeedKind = "survey_deleted"
	DeedParticipantCreated   DeedKind = "participant_created"
	DeedParticipantChanged   DeedKind = "participant_changed"
	DeedParticipantEnrolled  DeedKind = "participant_enrolled"
	DeedParticipantWithdrawn DeedKind = "participant_withdrawn"
	DeedVersionBackfilled    DeedKind = "version_backfilled"
	DeedAdherenceChanged     DeedKind = "adherence_changed"
	DeedUploadsRedriven      DeedKind = "uploads_redriven"
	DeedUploadsRetried       DeedKind = "uploads_retried"
	DeedRecordsWithdrawn     DeedKind = "records_withdrawn"
	DeedAttachmentRead       DeedKind = "attachment_read"
	DeedViewRead             DeedKind = "view_read"
	DeedAccessRequested      DeedKind = "access_requested"
	DeedAccessGranted        DeedKind = "access_granted"
	DeedCredentialsGiven     DeedKind = "credentials_given"
	DeedRepositoryMended     DeedKind = "repository_mended"
	DeedSyncPaused           DeedKind = "sync_paused"
	DeedSyncResumed          DeedKind = "sync_resumed"
	DeedReceiverSubscribed   DeedKind = "receiver_subscribed"
	DeedReceiverEnded        DeedKind = "receiver_ended"
	DeedPairingMade          DeedKind = "pairing_made"
	DeedDevicePaired         DeedKind = "device_paired"
	DeedDeviceForgotten      DeedKind = "device_forgotten"
)

// Deed is what a person did on this site, as the audit keeps it for good.
type Deed struct {
	At      time.Time         `json:"at"`
	Who     UserID            `json:"who,omitempty"`     // empty: the operator, on this machine
	Address string            `json:"address,omitempty"` // where they were, on the network
	Did     DeedKind          `json:"did"`
	With    map[string]string `json:"with,omitempty"` // what it was done with: ids and accounts, by the name of each
}
