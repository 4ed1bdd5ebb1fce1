package study

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
)

// Studies has the studies. Safe for concurrent use. Errors: those of whoever answers,
// as a sentence for people.
type Studies interface {
	// Study gives one. Errors: that there is none.
	Study(ctx context.Context, id core.StudyID) (view.StudyDetail, error)

	// CreateStudy makes one. Errors: that there is one of that id.
	CreateStudy(ctx context.Context, id core.StudyID, name string) error

	// AskProject has a study's project made, and waits for nothing. Idempotent.
	AskProject(ctx context.Context, id core.StudyID) error

	// PublicKey gives the certificate that apps encrypt with, as PEM.
	PublicKey(ctx context.Context) (string, error)
}

// Access knows who may see a study's project. Safe for concurrent use; its commands
// are idempotent. Errors: as of Studies.
type Access interface {
	// RequestAccess keeps that an account of the repository asks for it.
	RequestAccess(ctx context.Context, id core.StudyID, account string) error

	// GrantAccess gives it, and says what came of that.
	GrantAccess(ctx context.Context, id core.StudyID, account string) (string, error)
}

// Documents takes what describes uploads. Safe for concurrent use. Errors: what is
// wrong in the document, as a sentence for people.
type Documents interface {
	// ImportSchema makes a revision of a schema.
	ImportSchema(ctx context.Context, document []byte) (view.SchemaLine, error)

	// ImportKey keeps a private key with its certificate, as PEM, and gives its serial
	// number. Devices are given the same key as before.
	ImportKey(ctx context.Context, pem []byte) (string, error)

	// ImportTimeline makes a document a study's timeline.
	ImportTimeline(ctx context.Context, id core.StudyID, document []byte) (view.TimelineLine, error)
}
