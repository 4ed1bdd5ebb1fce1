package devices

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
)

// Pairer pairs devices. Safe for concurrent use. Errors: those of whoever answers, as a
// sentence for people.
type Pairer interface {
	// Pair makes a code. Errors: core.ErrNotFound where the participant is none of the
	// study, and is not to be created. Not idempotent: each call makes another code.
	Pair(ctx context.Context, asked view.PairingForm) (view.Pairing, error)

	// Pairing says what came of a code. Errors: that there is none.
	Pairing(ctx context.Context, id core.PairingID) (view.Pairing, error)

	// ParticipantIDs gives the external ids of a study's participants, the newest
	// first; of very many, not all.
	ParticipantIDs(ctx context.Context, study core.StudyID) ([]string, error)
}

// Source has the devices. Safe for concurrent use. Errors: as of Pairer.
type Source interface {
	Pairer

	// Devices gives the devices, those that were here last first.
	Devices(ctx context.Context) ([]view.DeviceLine, error)

	// Forget lets go of a device: it can send nothing more. Errors: that there is none.
	Forget(ctx context.Context, id core.DeviceID) error
}
