package view

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"footbridge/core"
)

// Pairing is a code that pairs a device, as whoever made it is shown it.
type Pairing struct {
	ID          core.PairingID `json:"id"`
	State       PairingState   `json:"state"`
	Study       core.StudyID   `json:"study"`
	Participant string         `json:"externalId"`
	ExpiresOn   time.Time      `json:"expiresOn"`
	Code        string         `json:"code,omitempty"`     // ABCD-EFGH; this once, when it was made
	URL         string         `json:"url,omitempty"`      // for a QR code; likewise
	BaseURLs    []string       `json:"baseUrls,omitempty"` // where devices reach this site, the likeliest first; likewise
	Serving     bool           `json:"serving"`            // devices can reach it now
	Replaces    bool           `json:"replaces,omitempty"` // the participant has a password, which is no more then
	Device      *DeviceLine    `json:"device,omitempty"`   // that redeemed it
}

// PairingState says whether a device may redeem a code yet.
type PairingState string

// The states of a pairing.
const (
	PairingOpen     PairingState = "open"
	PairingRedeemed PairingState = "redeemed"
	PairingExpired  PairingState = "expired"
)

// NewPairing describes a pairing without its code.
func NewPairing(p core.Pairing, now time.Time) Pairing {
	line := Pairing{ID: p.ID, State: PairingExpired, Study: p.Study, Participant: p.ExternalID, ExpiresOn: p.ExpiresOn}
	switch {
	case p.Open(now):
		line.State = PairingOpen
	case !p.RedeemedOn.IsZero():
		line.State = PairingRedeemed
	}
	return line
}

// DeviceLine is a device in the field as people are shown it.
type DeviceLine struct {
	ID          core.DeviceID  `json:"id"`
	Name        string         `json:"name"` // as it calls itself, or what it is; may be empty
	State       DeviceState    `json:"state"`
	User        core.UserID    `json:"userId"`
	Participant string         `json:"externalId,omitempty"`
	Studies     []core.StudyID `json:"studies"`
	Kind        string         `json:"kind,omitempty"` // app, model and system
	UserAgent   string         `json:"userAgent,omitempty"`
	Address     string         `json:"address,omitempty"`
	PairedOn    *time.Time     `json:"pairedOn,omitempty"`
	LastSeen    *time.Time     `json:"lastSeen,omitempty"` // or paired
	Uploads     int            `json:"uploads"`            // completed
	LastUpload  *time.Time     `json:"lastUpload,omitempty"`

	// Ahead is how far its clock was ahead of this site's, in seconds; left out where
	// it never told.
	Ahead *int `json:"clockAheadSeconds,omitempty"`
}

// DeviceState says whether a device can send.
type DeviceState string

// The states of a device.
const (
	DeviceActive DeviceState = "active" // its password is that of its participant
	DeviceEnded  DeviceState = "ended"  // it is not any more: pair it again
)

// NewDeviceLine describes a device of an account.
func NewDeviceLine(d core.FieldDevice, a core.Account) DeviceLine {
	seen := d.Seen()
	line := DeviceLine{
		ID: d.ID, Name: cmp.Or(d.Name, d.Kind), State: DeviceEnded, User: d.User, Studies: []core.StudyID{}, Kind: d.Kind, UserAgent: d.UserAgent,
		Address: d.Address, PairedOn: stated(d.PairedOn), LastSeen: stated(seen), Uploads: d.Uploads, LastUpload: stated(d.LastUpload), Ahead: d.Ahead,
	}
	if d.Credential == a.Credential() && d.Credential != "" && a.Status != core.StatusDisabled {
		line.State = DeviceActive
	}
	for study, e := range a.Enrollments {
		if !e.Active() {
			continue
		}
		line.Studies = append(line.Studies, study)
		if line.Participant == "" || e.ExternalID != "" && e.ExternalID < line.Participant {
			line.Participant = e.ExternalID
		}
	}
	if line.Participant == "" { // who left is still called as they were
		for _, study := range slices.Sorted(maps.Keys(a.Enrollments)) {
			line.Participant = cmp.Or(line.Participant, a.Enrollments[study].ExternalID)
		}
	}
	slices.Sort(line.Studies)
	return line
}
