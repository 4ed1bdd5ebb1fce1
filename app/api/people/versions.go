package people

import (
	"fmt"
	"net/http"
	"strconv"

	"footbridge/app/api/call"
	"footbridge/core"
)

// participantVersion is a ParticipantVersion.
type participantVersion struct {
	AppID              core.AppID              `json:"appId"`
	HealthCode         core.HealthCode         `json:"healthCode"`
	ParticipantVersion int                     `json:"participantVersion"`
	CreatedOn          call.Time               `json:"createdOn"`
	ModifiedOn         call.Time               `json:"modifiedOn"`
	DataGroups         []string                `json:"dataGroups,omitempty"`
	Languages          []string                `json:"languages,omitempty"`
	SharingScope       core.SharingScope       `json:"sharingScope"`
	StudyMemberships   map[core.StudyID]string `json:"studyMemberships,omitempty"`
	TimeZone           string                  `json:"timeZone,omitempty"`
	Type               string                  `json:"type"`

	AppDemographics   map[string]demographic                  `json:"appDemographics,omitempty"`
	StudyDemographics map[core.StudyID]map[string]demographic `json:"studyDemographics,omitempty"`
}

func (h *Handlers) newVersion(v core.ParticipantVersion) participantVersion {
	wire := participantVersion{
		AppID: h.App, HealthCode: v.HealthCode, ParticipantVersion: v.Version,
		CreatedOn: call.Time(v.CreatedOn), ModifiedOn: call.Time(v.ModifiedOn),
		DataGroups: v.DataGroups, Languages: v.Languages, SharingScope: v.SharingScope,
		StudyMemberships: call.Memberships(v.StudyMemberships), TimeZone: v.ClientTimeZone, Type: "ParticipantVersion",
		AppDemographics: demographicsOf(v.AppDemographics),
	}
	for study, d := range v.StudyDemographics {
		if wire.StudyDemographics == nil {
			wire.StudyDemographics = map[core.StudyID]map[string]demographic{}
		}
		wire.StudyDemographics[study] = demographicsOf(d)
	}
	return wire
}

// versionsOf gives every version of the participant that a worker asks for.
func (h *Handlers) versionsOf(r *http.Request) ([]core.ParticipantVersion, error) {
	a, err := h.asked(r, core.RoleWorker)
	if err != nil {
		return nil, err
	}
	return h.Store.VersionsOf(r.Context(), a.HealthCode)
}

func (h *Handlers) versions(w http.ResponseWriter, r *http.Request) error {
	all, err := h.versionsOf(r)
	if err != nil {
		return err
	}
	items := []participantVersion{}
	for _, v := range all {
		items = append(items, h.newVersion(v))
	}
	call.Write(w, http.StatusOK, call.ResourceList(items, nil))
	return nil
}

func (h *Handlers) latestVersion(w http.ResponseWriter, r *http.Request) error {
	return h.oneVersion(w, r, func(all []core.ParticipantVersion) (core.ParticipantVersion, bool) {
		if len(all) == 0 {
			return core.ParticipantVersion{}, false
		}
		return all[len(all)-1], true
	})
}

func (h *Handlers) version(w http.ResponseWriter, r *http.Request) error {
	text := r.PathValue("version")
	n, err := strconv.Atoi(text)
	if err != nil {
		if _, err := h.asked(r, core.RoleWorker); err != nil {
			return err
		}
		return call.BadRequest(fmt.Sprintf("Invalid version %q: it must be a whole number.", text))
	}
	return h.oneVersion(w, r, func(all []core.ParticipantVersion) (core.ParticipantVersion, bool) {
		if n < 1 || n > len(all) {
			return core.ParticipantVersion{}, false
		}
		return all[n-1], true // they count from 1 without a gap
	})
}

func (h *Handlers) oneVersion(w http.ResponseWriter, r *http.Request, choose func([]core.ParticipantVersion) (core.ParticipantVersion, bool)) error {
	all, err := h.versionsOf(r)
	if err != nil {
		return err
	}
	v, ok := choose(all)
	if !ok {
		return call.NotFound("ParticipantVersion", "This participant has no such version.")
	}
	call.Write(w, http.StatusOK, h.newVersion(v))
	return nil
}

// backfill gives a participant the version that they lack.
func (h *Handlers) backfill(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r, core.RoleWorker)
	if err != nil {
		return err
	}
	if err := h.Roster.Backfill(r.Context(), a.ID); err != nil {
		return err
	}
	call.Write(w, http.StatusCreated, call.StatusMessage("Participant version backfilled."))
	return nil
}
