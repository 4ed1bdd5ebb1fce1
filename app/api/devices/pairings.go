package devices

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/fleet"
	"footbridge/ui/view"
)

// pairingRequest is a PairingRequest.
type pairingRequest struct {
	Study      core.StudyID `json:"study"`
	ExternalID string       `json:"externalId"`
	Minutes    int          `json:"minutes"` // 0: fifteen
}

// madePairing is a pairing that was made just now.
type madePairing struct {
	view.Pairing
	user core.UserID
}

// DoneWith names the pairing and whose it is (call.Accountable).
func (m madePairing) DoneWith() (map[string]string, bool) {
	return map[string]string{"pairing": string(m.ID), "study": string(m.Study), "user": string(m.user)}, true
}

// pair makes a code for a participant.
func (h *Handlers) pair(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleAdmin); err != nil {
		return err
	}
	var asked pairingRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	invalid := &core.Invalid{Entity: "PairingRequest"}
	if asked.Study == "" {
		invalid.Complain("study", "is required")
	}
	if asked.ExternalID == "" {
		invalid.Complain("externalId", "is required")
	}
	call.Overlong(invalid, "externalId", asked.ExternalID)
	if asked.Minutes < 0 || asked.Minutes > int(fleet.LongestLife/time.Minute) {
		invalid.Complain("minutes", "must be from 1 to %d", fleet.LongestLife/time.Minute)
	}
	if err := invalid.Err(); err != nil {
		return err
	}
	site, err := h.Reach()
	if err != nil {
		return err
	}
	if len(site.BaseURLs) == 0 {
		return &call.Error{Status: http.StatusServiceUnavailable, Kind: "ServiceUnavailableException",
			Text: "This computer is on no network where devices could reach it. Connect it to the network of the devices, then try again."}
	}
	a, err := h.Store.AccountByLogin(r.Context(), core.ExternalLogin(asked.ExternalID))
	var p core.Pairing
	var code string
	if err == nil {
		p, code, err = h.Desk.Pair(r.Context(), a, asked.Study, time.Duration(asked.Minutes)*time.Minute)
	}
	switch {
	case errors.Is(err, core.ErrNotFound):
		return call.NotFound("Participant", "No participant of this study has that id. Check it, or create the participant first.")
	case errors.Is(err, core.ErrTooMany):
		return call.BadRequest("Too many codes are open. Wait until some are used or have expired.")
	case err != nil:
		return err
	}
	made := madePairing{view.NewPairing(p, h.Now()), a.ID}
	made.Code, made.BaseURLs, made.Serving = fleet.ShownCode(code), site.BaseURLs, site.Serving
	made.URL = fleet.Link{BaseURLs: site.BaseURLs, Code: code, Pin: site.Pin}.String()
	made.Replaces = a.PasswordHash != ""
	call.Write(w, http.StatusCreated, made)
	return nil
}

// pairing says what came of a code.
func (h *Handlers) pairing(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleAdmin); err != nil {
		return err
	}
	p, err := h.Store.Pairing(r.Context(), core.PairingID(r.PathValue("id")))
	if err != nil {
		return err
	}
	line := view.NewPairing(p, h.Now())
	if site, err := h.Reach(); err == nil {
		line.Serving = site.Serving
	}
	if p.Device != "" {
		d, err := h.find(r, p.Device)
		if err != nil && !errors.Is(err, core.ErrNotFound) { // it may be forgotten already
			return err
		}
		if err == nil {
			line.Device = &d
		}
	}
	call.Write(w, http.StatusOK, line)
	return nil
}

// redeemRequest is a RedeemRequest.
type redeemRequest struct {
	Code     string `json:"code"`
	Name     string `json:"deviceName"`
	DeviceID string `json:"deviceId"`
}

// settings are DeviceSettings: all that a device needs to send to this site.
type settings struct {
	BaseURLs   []string      `json:"baseUrls"`
	Pin        string        `json:"pin,omitempty"`
	AppID      core.AppID    `json:"appId"`
	StudyID    core.StudyID  `json:"studyId"`
	ExternalID string        `json:"externalId"`
	Password   string        `json:"password"`
	PublicKey  string        `json:"publicKey,omitempty"`
	DeviceID   core.DeviceID `json:"deviceId"`
	Type       string        `json:"type"`
}

// redeem pairs the device that has a code. It needs no session: the code is all.
func (h *Handlers) redeem(w http.ResponseWriter, r *http.Request) error {
	var asked redeemRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	site, err := h.Reach()
	if err != nil {
		return err
	}
	key, err := h.PublicKey()
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return err
	}
	done, err := h.Desk.Redeem(r.Context(), asked.Code, fleet.Newcomer{Visit: call.Visit(r), Name: asked.Name, OwnID: asked.DeviceID})
	switch {
	case errors.Is(err, fleet.ErrUsed):
		return call.NotFound("Pairing", "This code was used already. Ask the staff of the study for a new one.")
	case errors.Is(err, fleet.ErrExpired):
		return call.NotFound("Pairing", "This code has expired. Ask the staff of the study for a new one.")
	case errors.Is(err, core.ErrNotFound):
		return call.NotFound("Pairing", "This code is not right. Check each letter and digit, or ask the staff of the study for a new one.")
	case err != nil:
		return err
	}
	if h.Audit != nil {
		p := done.Pairing
		deed := core.Deed{
			At: p.RedeemedOn, Who: p.User, Address: call.Address(r), Did: core.DeedDevicePaired,
			With: map[string]string{"pairing": string(p.ID), "study": string(p.Study), "device": string(p.Device)},
		}
		if err := h.Audit(context.WithoutCancel(r.Context()), deed); err != nil { // it is paired nevertheless
			h.Failed(r, fmt.Errorf("keep a deed in the audit: %w", err))
		}
	}
	call.Write(w, http.StatusOK, settings{
		BaseURLs: site.BaseURLs, Pin: site.Pin, AppID: h.App, StudyID: done.Pairing.Study, ExternalID: done.Pairing.ExternalID,
		Password: done.Password, PublicKey: key, DeviceID: done.Device.ID, Type: "DeviceSettings",
	})
	return nil
}
