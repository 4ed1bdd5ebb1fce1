package core

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// PairingID names a pairing.
type PairingID string

// Pairing lets one device become a participant's, once and for a while. Of its code
// only a hash is kept.
type Pairing struct {
	ID         PairingID `json:"id"`
	CodeHash   string    `json:"codeHash"` // hex SHA-256
	User       UserID    `json:"user"`
	Study      StudyID   `json:"study"`
	ExternalID string    `json:"externalId"`
	MadeOn     time.Time `json:"madeOn"`
	ExpiresOn  time.Time `json:"expiresOn"`
	RedeemedOn time.Time `json:"redeemedOn,omitzero"`
	Device     DeviceID  `json:"device,omitempty"` // that redeemed it
}

// Open reports whether a device may redeem the pairing yet.
func (p Pairing) Open(now time.Time) bool { return p.RedeemedOn.IsZero() && now.Before(p.ExpiresOn) }

// DeviceID names a device in the field.
type DeviceID string

// FieldDevice is a device as staff know it: whose it is, and when it was here. It is
// known from its pairing, or from what it sends.
type FieldDevice struct {
	ID         DeviceID  `json:"id"`
	User       UserID    `json:"user"`
	Name       string    `json:"name,omitempty"`      // as it calls itself
	Kind       string    `json:"kind,omitempty"`      // app, model and system, without versions
	OwnID      string    `json:"ownId,omitempty"`     // by which it knows itself
	PairedOn   time.Time `json:"pairedOn,omitzero"`   // zero: it was given a password otherwise
	Credential string    `json:"credential"`          // Account.Credential when it was here last
	FirstSeen  time.Time `json:"firstSeen,omitzero"`  // signed in, or asking for something
	LastSeen   time.Time `json:"lastSeen,omitzero"`   // likewise; zero: not since it was paired
	Address    string    `json:"address,omitempty"`   // on the network, when it was here last
	UserAgent  string    `json:"userAgent,omitempty"` // likewise
	Uploads    int       `json:"uploads,omitempty"`   // completed
	LastUpload time.Time `json:"lastUpload,omitzero"`

	// Ahead is how far its clock was ahead of this site's, in seconds, when it last
	// told the time; nil: it never did.
	Ahead *int `json:"ahead,omitempty"`
}

// Seen is when the device was here last: also to be paired.
func (d FieldDevice) Seen() time.Time {
	if d.LastSeen.Before(d.PairedOn) {
		return d.PairedOn
	}
	return d.LastSeen
}

// Credential names the account's password without telling anything of it: another
// password has another name. Empty: there is none.
func (a Account) Credential() string {
	if a.PasswordHash == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(a.PasswordHash)) // which holds a salt
	return hex.EncodeToString(sum[:8])
}
