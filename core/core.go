package core

import (
	"encoding/json"
	"time"
)

// AppID names the app whose devices upload here; a home serves one app.
type AppID string

// StudyID names a study of the app, 2 to 60 characters of [a-z0-9-].
type StudyID string

// UserID names an account.
type UserID string

// UploadID names an upload and the health data record made from it.
type UploadID string

// HealthCode is the de-identified code of one participant. It is the only
// participant identifier that leaves the site.
type HealthCode string

// DestinationID names one project in the repository: a study's id, or the
// app's id for the app-wide project.
type DestinationID string

// State is where an upload stands. What the wire calls
// validation_in_progress is StateCompleted: a claim is a lease in memory, so
// a crash leaves nothing to clean up.
type State string

// The states of an upload, in the order it walks through them.
const (
	StateRequested State = "requested" // a slot was issued, no bytes are here
	StateReceived  State = "received"  // bytes are durable, the device has not completed
	StateCompleted State = "completed" // facts are frozen, processing is due
	StateSucceeded State = "succeeded" // a record exists
	StateFailed    State = "failed"    // the bytes were refused; they are kept
	StateDuplicate State = "duplicate" // the same bytes came before; never processed
)

// Request is what a device says of the file it is going to send.
type Request struct {
	Name          string                     `json:"name"`
	ContentLength int64                      `json:"contentLength"` // bytes
	ContentType   string                     `json:"contentType"`
	ContentMD5    string                     `json:"contentMd5"` // base64 of 16 bytes
	Encrypted     bool                       `json:"encrypted"`
	Zipped        bool                       `json:"zipped"`
	Metadata      map[string]json.RawMessage `json:"metadata,omitempty"`
}

// Digest identifies bytes.
type Digest struct {
	Size   int64  `json:"size"`   // bytes
	MD5    string `json:"md5"`    // lower-case hex
	SHA256 string `json:"sha256"` // lower-case hex
}

// Blob is bytes that the store holds durably.
type Blob struct {
	Digest
	Place string `json:"place"` // where the store keeps them; only the store reads it
}

// Facts are frozen when an upload is completed and never computed again, so
// that the same record always lands in the same place.
type Facts struct {
	UploadedOn         time.Time          `json:"uploadedOn"`
	DateFolder         string             `json:"dateFolder"`             // YYYY-MM-DD in the site's time zone
	FileName           string             `json:"fileName"`               // name in the repository, <recordId>-<name>
	Studies            []StudyID          `json:"studies,omitempty"`      // the participant's, at completion; where the upload names an instance of their schedules, those that have it
	Destinations       []DestinationID    `json:"destinations,omitempty"` // those of them that are configured, and the app's
	ExternalID         string             `json:"externalId,omitempty"`   // the first of Memberships
	Memberships        map[StudyID]string `json:"memberships,omitempty"`  // study → external id, "" where there is none
	DataGroups         []string           `json:"dataGroups,omitempty"`
	DayInStudy         int                `json:"dayInStudy,omitempty"`         // from 1, in the site's time zone; 0: in no study
	ParticipantVersion int                `json:"participantVersion,omitempty"` // 0: the participant has none
	SharingScope       SharingScope       `json:"sharingScope"`
	ClientInfo         string             `json:"clientInfo,omitempty"` // compact JSON
	UserAgent          string             `json:"userAgent,omitempty"`
	Schemaless         bool               `json:"schemaless"` // v3: a study of the participant is configured for export

	// Timeline is the timeline metadata of the upload's instance, as it was then.
	Timeline map[string]string `json:"timeline,omitempty"`
}

// Upload is one file from one device on its way to becoming one record.
type Upload struct {
	ID          UploadID    `json:"id"`
	App         AppID       `json:"app"`
	User        UserID      `json:"user"`
	HealthCode  HealthCode  `json:"healthCode"`
	Request     Request     `json:"request"`
	ClientInfo  string      `json:"clientInfo,omitempty"` // compact JSON, from the slot request
	UserAgent   string      `json:"userAgent,omitempty"`
	State       State       `json:"state"`
	RequestedOn time.Time   `json:"requestedOn"`
	ExpiresOn   time.Time   `json:"expiresOn"` // of the newest URL
	DuplicateOf UploadID    `json:"duplicateOf,omitempty"`
	Blob        *Blob       `json:"blob,omitempty"`
	CompletedBy CompletedBy `json:"completedBy,omitempty"`
	Facts       *Facts      `json:"facts,omitempty"`
	Messages    []string    `json:"messages,omitempty"`
	Past        int         `json:"past,omitempty"`       // how many of Messages are of processing before the last
	ProcessedOn time.Time   `json:"processedOn,omitzero"` // when processing ended last; zero: it never did, or that was not noted
	GivenUp     time.Time   `json:"givenUp,omitzero"`     // when a person gave up opening it; zero: nobody did
	Envelope    string      `json:"envelope,omitempty"`   // which sealed key its message has, once an attempt was made to open it
	Record      *Record     `json:"record,omitempty"`
	Version     int         `json:"version"` // counts changes of this row
}

// CompletedBy says whose call completed an upload.
type CompletedBy string

// Who may complete an upload.
const (
	CompletedByApp     CompletedBy = "app"
	CompletedByWorker  CompletedBy = "s3_worker"
	CompletedByRedrive CompletedBy = "redrive"
)

// Verdict is what processing found.
type Verdict string

// The two verdicts. A rejected upload is not an error: its bytes are kept and
// its reasons are shown.
const (
	Accepted Verdict = "accepted"
	Rejected Verdict = "rejected"
)

// Reason says in words why an upload was refused or what looked wrong with
// it. It never carries participant data or keys.
type Reason struct {
	Code    string `json:"code"` // stable, for programs
	Message string `json:"message"`
}

// Outcome is the result of processing one upload.
type Outcome struct {
	Verdict Verdict
	Reasons []Reason // why rejected, or warnings of an accepted one
	Record  *Record  // set when accepted

	// Envelope identifies the sealed key of an encrypted message, so that
	// attempts to learn from altered copies can be counted.
	Envelope string
}

// SharingScope is how far a participant lets data travel.
type SharingScope string

// The sharing scopes, from none to widest.
const (
	NoSharing               SharingScope = "no_sharing"
	SponsorsAndPartners     SharingScope = "sponsors_and_partners"
	AllQualifiedResearchers SharingScope = "all_qualified_researchers"
)

// Allows reports whether data may leave the site under this scope.
func (s SharingScope) Allows() bool {
	return s == SponsorsAndPartners || s == AllQualifiedResearchers
}

// ParticipantVersion is one immutable row of the Participant Versions table.
type ParticipantVersion struct {
	HealthCode       HealthCode         `json:"healthCode"`
	Version          int                `json:"version"` // from 1
	CreatedOn        time.Time          `json:"createdOn"`
	ModifiedOn       time.Time          `json:"modifiedOn"`
	DataGroups       []string           `json:"dataGroups,omitempty"` // sorted
	Languages        []string           `json:"languages,omitempty"`  // in the participant's order
	SharingScope     SharingScope       `json:"sharingScope"`
	StudyMemberships map[StudyID]string `json:"studyMemberships,omitempty"` // study → external id, "" where there is none
	ClientTimeZone   string             `json:"clientTimeZone,omitempty"`

	AppDemographics   Demographics             `json:"appDemographics,omitempty"`   // values sorted
	StudyDemographics map[StudyID]Demographics `json:"studyDemographics,omitempty"` // of the studies in StudyMemberships; likewise
}

// Study is one study of the app and its place in the repository.
type Study struct {
	ID         StudyID          `json:"id"`
	App        AppID            `json:"app"`
	Name       string           `json:"name"`
	Export     bool             `json:"export"` // exporter 3 is enabled
	Repository RepositoryConfig `json:"repository"`
	Place      string           `json:"place,omitempty"`     // identifies the repository that holds it; empty: whichever it is
	Made       bool             `json:"made,omitempty"`      // the repository has held the project
	Pending    bool             `json:"pending,omitempty"`   // the project is asked for and not made yet
	NameToken  string           `json:"nameToken,omitempty"` // makes the project's name one of its own
	CreatedOn  time.Time        `json:"createdOn"`
	ModifiedOn time.Time        `json:"modifiedOn"`
	Version    int              `json:"version"`
}

// Configured reports whether the study has its project in the repository.
func (s Study) Configured() bool { return s.Export && s.Repository.Complete() }

// Exports reports whether uploads of the study's participants take the schemaless
// path and are exported: it has its project, or will have it.
func (s Study) Exports() bool { return s.Export && (s.Repository.Complete() || s.Pending) }

// App is the app that this home serves, and its app-wide project if it has one.
type App struct {
	ID         AppID            `json:"id"`
	Name       string           `json:"name,omitempty"` // of the site, for people
	Export     bool             `json:"export"`
	Repository RepositoryConfig `json:"repository"`
	Place      string           `json:"place,omitempty"`     // identifies the repository that holds it; empty: whichever it is
	Made       bool             `json:"made,omitempty"`      // the repository has held the app-wide project
	Pending    bool             `json:"pending,omitempty"`   // that is asked for and not made yet
	NameToken  string           `json:"nameToken,omitempty"` // makes the project's name one of its own
	CreatedOn  time.Time        `json:"createdOn"`
	Version    int              `json:"version"`
}

// Configured reports whether there is an app-wide project.
func (a App) Configured() bool { return a.Export && a.Repository.Complete() }

// Exports reports whether records go to the app-wide project as well, which is
// there or will be.
func (a App) Exports() bool { return a.Export && (a.Repository.Complete() || a.Pending) }

// RepositoryConfig names a project's parts in the repository.
type RepositoryConfig struct {
	DataAccessTeam          int64  `json:"dataAccessTeamId,omitempty"`
	ParticipantVersionTable string `json:"participantVersionTableId,omitempty"`
	Project                 string `json:"projectId,omitempty"`
	RawDataFolder           string `json:"rawDataFolderId,omitempty"`
	StorageLocation         int64  `json:"storageLocationId,omitempty"`

	DemographicsTable  string `json:"participantVersionDemographicsTableId,omitempty"`
	DemographicsView   string `json:"participantVersionDemographicsViewId,omitempty"`
	CreateNotification string `json:"createStudyNotificationTopicArn,omitempty"`
	ExportNotification string `json:"exportNotificationTopicArn,omitempty"`
	UploadTable        bool   `json:"uploadTableEnabled,omitempty"`
	WikiPage           string `json:"wikiPageId,omitempty"`
}

// Complete reports whether the five parts are named that an export needs.
func (c RepositoryConfig) Complete() bool {
	return c.DataAccessTeam != 0 && c.ParticipantVersionTable != "" && c.Project != "" &&
		c.RawDataFolder != "" && c.StorageLocation != 0
}
