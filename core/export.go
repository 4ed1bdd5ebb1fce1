package core

import "time"

// ExportState is where a record stands at one destination.
type ExportState string

// The export states.
const (
	ExportWaiting  ExportState = "waiting"  // it will be sent without anyone's help
	ExportExported ExportState = "exported" // the repository holds it, annotated
	ExportWithheld ExportState = "withheld" // consent or configuration forbids sending
	ExportParked   ExportState = "parked"   // a person is needed
)

// ExportReason says why a record is not exported. Stable, for programs.
type ExportReason string

// The export reasons.
const (
	ReasonNone              ExportReason = ""
	ReasonNoSharingAtUpload ExportReason = "no_sharing_at_upload"
	ReasonNoSharingNow      ExportReason = "no_sharing_now"
	ReasonWithdrawn         ExportReason = "withdrawn" // a person took it back; never sent again
	ReasonNoStudyConfigured ExportReason = "no_study_configured"
	ReasonProjectPending    ExportReason = "project_pending" // it is made as soon as the repository answers
	ReasonRepositoryAway    ExportReason = "repository_unreachable"
	ReasonThrottled         ExportReason = "repository_throttled"   // it asks for a pause
	ReasonMaintenance       ExportReason = "repository_maintenance" // it says so itself
	ReasonImpostor          ExportReason = "repository_impostor"    // something else answers in its place, such as a network's sign-in page
	ReasonNeedsToken        ExportReason = "needs_token"            // there is none, or the repository does not take it
	ReasonRepositoryRefused ExportReason = "repository_refused"
	ReasonRepositoryMissing ExportReason = "repository_missing" // the folder of this machine that it is: its disk is away
	ReasonRepositoryFile    ExportReason = "repository_file"    // a file is where that folder should be
	ReasonRepositoryLocked  ExportReason = "repository_locked"  // that folder may not be written to
	ReasonRepositoryChanged ExportReason = "repository_changed"
	ReasonRepositoryInvalid ExportReason = "repository_invalid" // it does not take this record, table or project as it is
	ReasonBytesDamaged      ExportReason = "bytes_damaged"
	ReasonNeedsKey          ExportReason = "needs_key"
	ReasonVersionPending    ExportReason = "version_pending"   // its participant version goes first
	ReasonPaused            ExportReason = "paused"            // a person said so
	ReasonOutsideHours      ExportReason = "outside_hours"     // the settings say when
	ReasonValidationFailed  ExportReason = "validation_failed" // the upload was refused; its messages say why
)

// ExportStep is the last finished step of an export. Each step may be run
// again without a second effect.
type ExportStep string

// The steps, in order.
const (
	StepNone      ExportStep = ""
	StepPlanned   ExportStep = "planned"   // place and time of export are fixed
	StepPut       ExportStep = "put"       // the bytes are at their place
	StepVerified  ExportStep = "verified"  // the repository confirmed size and hash
	StepAnnotated ExportStep = "annotated" // the annotations are beside them
	StepRecorded  ExportStep = "recorded"  // the file view lists the file
)

// Export is the journal of one record at one destination.
type Export struct {
	Record      UploadID      `json:"record"`
	Destination DestinationID `json:"destination"`
	State       ExportState   `json:"state"`
	Reason      ExportReason  `json:"reason,omitempty"`
	Cause       ExportReason  `json:"cause,omitempty"` // why the project is not made, where that is the reason
	Step        ExportStep    `json:"step,omitempty"`
	ExportedOn  time.Time     `json:"exportedOn,omitzero"` // frozen when planned
	Since       time.Time     `json:"since"`               // of State, Reason and Cause
	NextTry     time.Time     `json:"nextTry,omitzero"`
	Attempts    int           `json:"attempts,omitempty"` // failed in a row

	// Why is what the repository said of a record that it does not take, without
	// anything that it was sent.
	Why string `json:"why,omitempty"`

	// Receipt is what the repository gave for the bytes, until the file is made of
	// them.
	Receipt string `json:"receipt,omitempty"`

	// Place identifies the repository that it was planned for.
	Place string `json:"place,omitempty"`

	// File is what the repository calls the file of the record; empty where its path
	// says all.
	File string `json:"file,omitempty"`

	// Attachments counts those of a legacy record that the repository confirmed,
	// in their order, before the bytes of the upload itself are put.
	Attachments int `json:"attachments,omitempty"`
}

// Destination is one project in the repository and the folder that holds it.
type Destination struct {
	ID    DestinationID
	Study StudyID // empty for the app-wide project
	App   AppID
}

// FileViewRow is one exported file as the file view shows it.
type FileViewRow struct {
	Path        string            // within the destination, slash-separated
	Size        int64             // bytes
	MD5         string            // lower-case hex
	Annotations map[string]string // participantVersion as decimal text
}
