package people

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
)

// Source has the participants. Safe for concurrent use. Errors: those of whoever
// answers, as a sentence for people.
type Source interface {
	// Participants gives a page of a study's participants.
	Participants(ctx context.Context, q view.ParticipantQuery) (view.ParticipantPage, error)

	// Participant gives a participant of a study, who is late after so many days.
	// Errors: that there is none.
	Participant(ctx context.Context, study core.StudyID, id core.UserID, days int) (view.Participant, error)
}

// Clerk does what staff ask for. Safe for concurrent use. Errors: as of Source, and what
// is wrong with a form.
type Clerk interface {
	// CreateParticipant makes a participant of a study, and gives the id, and the password
	// that was made; empty where the form has one.
	CreateParticipant(ctx context.Context, study core.StudyID, form view.ParticipantForm) (id core.UserID, made string, err error)

	// ChangeParticipant changes what the form says of a participant. Idempotent.
	ChangeParticipant(ctx context.Context, study core.StudyID, id core.UserID, form view.ParticipantForm) error

	// RecordConsent notes how far a participant agreed to share. Idempotent.
	RecordConsent(ctx context.Context, study core.StudyID, id core.UserID, scope core.SharingScope) error

	// EnrolParticipant makes a participant a member of a study. Idempotent.
	EnrolParticipant(ctx context.Context, study core.StudyID, id core.UserID, externalID string) error

	// WithdrawParticipant ends a participant's membership of a study; with stop they
	// share with nobody from then on. Errors: also where they are no member any more.
	WithdrawParticipant(ctx context.Context, study core.StudyID, id core.UserID, note string, stop bool) error
}
