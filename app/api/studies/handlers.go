package studies

import (
	"context"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
)

// Store keeps studies. Safe for concurrent use.
type Store interface {
	// Study and Studies find studies. Errors: core.ErrNotFound.
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
	Studies(ctx context.Context) ([]core.Study, error)

	// CreateStudy stores a new study durably. Errors: core.ErrExists.
	CreateStudy(ctx context.Context, study core.Study) (core.Study, error)

	// UpdateStudy changes a study durably. Errors: change's own, core.ErrNotFound.
	UpdateStudy(ctx context.Context, id core.StudyID, change func(*core.Study) error) (core.Study, error)
}

// Projects makes projects in the repository. Safe for concurrent use.
type Projects interface {
	// CreateForStudy makes what a study's project lacks and enables its export;
	// CreateForApp does so for the app-wide one. Idempotent. Errors:
	// core.ErrNotFound (the study), and those of the repository.
	CreateForStudy(ctx context.Context, id core.StudyID) (core.Study, error)

	// Configured makes participant versions from now on, and gives the study's
	// participants those that they lack. Idempotent.
	Configured(ctx context.Context, id core.StudyID) error

	CreateForApp(ctx context.Context) (core.App, error)
}

// Handlers answers the routes about studies. Safe for concurrent use.
type Handlers struct {
	call.Door
	Store    Store
	Projects Projects

	Subscriptions Subscriptions

	// PublicKey gives the certificate that devices seal for, as PEM. Errors:
	// core.ErrNotFound.
	PublicKey func() (string, error)

	Now    func() time.Time
	Failed func(r *http.Request, err error) // told why the repository took no project
}

// Routes lists the routes.
func (h *Handlers) Routes() []call.Route {
	return []call.Route{
		{Pattern: "GET /v1/apps/self/publicKey", Answer: h.publicKey},
		{Pattern: "GET /v3/studies/self/publicKey", Answer: h.publicKey, Deprecated: true},
		{Pattern: "POST /v1/apps/self/exporter3", Answer: h.createAppProject, Deed: core.DeedProjectMade},

		{Pattern: "POST /v5/studies", Answer: h.createStudy, Deed: core.DeedStudyCreated},
		{Pattern: "GET /v5/studies", Answer: h.studies},
		{Pattern: "GET /v5/studies/{study}", Answer: h.study},
		{Pattern: "POST /v5/studies/{study}", Answer: h.updateStudy, Deed: core.DeedStudyChanged},
		{Pattern: "POST /v5/studies/{study}/exporter3", Answer: h.createStudyProject, Deed: core.DeedProjectMade},

		{Pattern: "POST /v1/apps/self/exporter3/notifications/study/subscribe", Answer: h.subscribeToCreations, Deed: core.DeedReceiverSubscribed},
		{Pattern: "POST /v1/apps/self/exporter3/notifications/export/subscribe", Answer: h.subscribeToExports, Deed: core.DeedReceiverSubscribed},
		{Pattern: "POST /v5/studies/{study}/exporter3/notifications/export/subscribe", Answer: h.subscribeToExports, Deed: core.DeedReceiverSubscribed},
	}
}
