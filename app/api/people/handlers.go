package people

import (
	"context"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/participant"
)

// Store finds accounts. Safe for concurrent use.
type Store interface {
	call.Accounts

	// Accounts gives every account of a study, by age.
	Accounts(ctx context.Context, study core.StudyID) ([]core.Account, error)

	// Consents gives every signature of an account, VersionsOf every version of a
	// participant, the oldest first.
	Consents(ctx context.Context, id core.UserID) ([]core.Consent, error)
	VersionsOf(ctx context.Context, code core.HealthCode) ([]core.ParticipantVersion, error)

	// Study finds a study. Errors: core.ErrNotFound.
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
}

// Handlers answers the routes about accounts. Safe for concurrent use.
type Handlers struct {
	call.Door
	Roster *participant.Roster
	Store  Store
}

// Routes lists the routes.
func (h *Handlers) Routes() []call.Route {
	return []call.Route{
		{Pattern: "POST /v3/auth/signIn", Answer: h.signIn},
		{Pattern: "POST /v4/auth/signIn", Answer: h.signIn},
		{Pattern: "POST /api/v1/auth/signIn", Answer: h.signIn, Deprecated: true},
		{Pattern: "POST /v3/auth/reauth", Answer: h.reauth},
		{Pattern: "POST /v3/auth/signOut", Answer: h.signOut, Deprecated: true},
		{Pattern: "POST /v4/auth/signOut", Answer: h.signOut},

		{Pattern: "GET /v3/participants/self", Answer: h.ownPage},
		{Pattern: "POST /v3/participants/self", Answer: h.editSelf},
		{Pattern: "POST /v3/users/self/dataSharing", Answer: h.share},
		{Pattern: "POST /v3/subpopulations/{group}/consents/signature", Answer: h.sign},
		{Pattern: "POST /v3/subpopulations/{group}/consents/signature/withdraw", Answer: h.withdrawConsent},
		{Pattern: "POST /v3/consents/signature/withdraw", Answer: h.withdrawConsent},

		{Pattern: "POST /v3/participants", Answer: h.createParticipant, Deed: core.DeedParticipantCreated},
		{Pattern: "GET /v3/participants/{user}", Answer: h.participant},
		{Pattern: "POST /v3/participants/{user}", Answer: h.updateParticipant, Deed: core.DeedParticipantChanged},
		{Pattern: "POST /v5/studies/{study}/participants", Answer: h.createParticipant, Deed: core.DeedParticipantCreated},
		{Pattern: "GET /v5/studies/{study}/participants", Answer: h.participants},
		{Pattern: "GET /v5/studies/{study}/participants/{user}", Answer: h.participant},
		{Pattern: "POST /v5/studies/{study}/participants/{user}", Answer: h.updateParticipant, Deed: core.DeedParticipantChanged},
		{Pattern: "POST /v5/studies/{study}/enrollments", Answer: h.enrol, Deed: core.DeedParticipantEnrolled},
		{Pattern: "GET /v5/studies/{study}/enrollments", Answer: h.enrollments},
		{Pattern: "DELETE /v5/studies/{study}/enrollments/{user}", Answer: h.withdraw, Deed: core.DeedParticipantWithdrawn},

		{Pattern: "POST /v3/participants/self/demographics", Answer: h.keepDemographics},
		{Pattern: "GET /v3/participants/self/demographics", Answer: h.demographics},
		{Pattern: "DELETE /v3/participants/self/demographics", Answer: h.forgetDemographics},
		{Pattern: "DELETE /v3/participants/self/demographics/{demographic}", Answer: h.forgetDemographics},
		{Pattern: "GET /v3/participants/demographics", Answer: h.allDemographics},
		{Pattern: "POST /v3/participants/{user}/demographics", Answer: h.keepDemographics, Deed: core.DeedParticipantChanged},
		{Pattern: "GET /v3/participants/{user}/demographics", Answer: h.demographics},
		{Pattern: "DELETE /v3/participants/{user}/demographics", Answer: h.forgetDemographics, Deed: core.DeedParticipantChanged},
		{Pattern: "DELETE /v3/participants/{user}/demographics/{demographic}", Answer: h.forgetDemographics, Deed: core.DeedParticipantChanged},
		{Pattern: "POST /v5/studies/{study}/participants/self/demographics", Answer: h.keepDemographics},
		{Pattern: "GET /v5/studies/{study}/participants/self/demographics", Answer: h.demographics},
		{Pattern: "DELETE /v5/studies/{study}/participants/self/demographics", Answer: h.forgetDemographics},
		{Pattern: "DELETE /v5/studies/{study}/participants/self/demographics/{demographic}", Answer: h.forgetDemographics},
		{Pattern: "GET /v5/studies/{study}/participants/demographics", Answer: h.allDemographics},
		{Pattern: "POST /v5/studies/{study}/participants/{user}/demographics", Answer: h.keepDemographics, Deed: core.DeedParticipantChanged},
		{Pattern: "GET /v5/studies/{study}/participants/{user}/demographics", Answer: h.demographics},
		{Pattern: "DELETE /v5/studies/{study}/participants/{user}/demographics", Answer: h.forgetDemographics, Deed: core.DeedParticipantChanged},
		{Pattern: "DELETE /v5/studies/{study}/participants/{user}/demographics/{demographic}", Answer: h.forgetDemographics, Deed: core.DeedParticipantChanged},

		{Pattern: "GET /v1/apps/{app}/participants/{user}", Answer: h.participantWithCode},
		{Pattern: "GET /v1/apps/{app}/participants/{user}/versions", Answer: h.versions},
		{Pattern: "GET /v1/apps/{app}/participants/{user}/versions/latest", Answer: h.latestVersion},
		{Pattern: "GET /v1/apps/{app}/participants/{user}/versions/{version}", Answer: h.version},
		{Pattern: "POST /v1/apps/{app}/participants/{user}/exporter3/versions/backfill", Answer: h.backfill, Deed: core.DeedVersionBackfilled},
	}
}
