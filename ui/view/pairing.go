package view

import (
	"strings"
	"time"

	"footbridge/core"
)

// PairingForm is what a person says of a device that is to be paired.
type PairingForm struct {
	Study       core.StudyID
	Participant string            // external id
	New         bool              // the participant is to be created,
	Scope       core.SharingScope // and agreed to this
}

// PairingCard is a code as the window shows it.
type PairingCard struct {
	Code    string
	Address string
	Others  string   // a sentence on further addresses; empty: there are none
	URL     string   // for the QR code
	Left    string   // how long it is good
	Cares   []string // what to know before it is used
	Waits   string   // what is waited for; empty: nothing is
	News    []string // what came of it
	Ended   bool     // no device can use it any more
}

// Pairing describes a pairing to the reader: made as it was made, now as it stands.
func (r Reader) Pairing(made, now Pairing) PairingCard {
	c := PairingCard{Code: made.Code, URL: made.URL}
	if len(made.BaseURLs) > 0 {
		c.Address = made.BaseURLs[0]
	}
	if len(made.BaseURLs) > 1 {
		c.Others = r.Say("pairing.others", "others", strings.Join(made.BaseURLs[1:], "   "))
	}
	left := made.ExpiresOn.Sub(r.Now)
	switch {
	case now.State == PairingRedeemed:
		c.Ended = true
		c.News, c.Waits = r.pairingNews(now)
		return c
	case now.State == PairingExpired || left <= 0:
		c.Ended, c.Left = true, r.Say("pairing.expired")
		return c
	}
	c.Left = r.Count("pairing.left", int((left+time.Minute-1)/time.Minute))
	c.Waits = r.Say("pairing.waiting")
	if made.Replaces {
		c.Cares = append(c.Cares, r.Say("pairing.replaces", "who", made.Participant))
	}
	if !now.Serving {
		c.Cares = append(c.Cares, r.Say("pairing.closed"))
	}
	return c
}

// pairingNews says what the device that was paired did, and what is waited for.
func (r Reader) pairingNews(p Pairing) (news []string, waits string) {
	if p.Device == nil { // it is forgotten already
		return []string{r.Say("pairing.redeemed", "name", r.Say("devices.unnamed"))}, ""
	}
	news = []string{r.Say("pairing.redeemed", "name", r.deviceName(*p.Device))}
	d := p.Device
	if d.LastUpload == nil || d.PairedOn != nil && d.LastUpload.Before(*d.PairedOn) {
		return news, r.Say("pairing.first_waits")
	}
	return append(news, r.Say("pairing.first")), ""
}

// DeviceCard is a device as the window shows it.
type DeviceCard struct {
	ID      core.DeviceID
	Name    string
	Who     string
	Seen    string // when it was here last
	Uploads string
	State   string   // whether it can send, as a sentence
	Facts   []string // sentences
}

// Device describes a device to the reader.
func (r Reader) Device(d DeviceLine) DeviceCard {
	c := DeviceCard{ID: d.ID, Name: r.deviceName(d), Who: d.Participant, Seen: r.Say("devices.never"), Uploads: r.Count("count.upload", d.Uploads)}
	if c.Who == "" {
		c.Who = r.Say("uploads.nobody")
	}
	c.State = r.Say("devices." + string(d.State))
	if d.LastSeen != nil {
		c.Seen = r.Ago(*d.LastSeen)
	}
	if d.LastSeen != nil && d.Address != "" {
		c.Facts = append(c.Facts, r.Say("devices.seen_at", "when", c.Seen, "address", d.Address))
	}
	if d.PairedOn != nil {
		c.Facts = append(c.Facts, r.Say("devices.paired", "when", r.Ago(*d.PairedOn)))
	}
	if d.LastUpload != nil {
		c.Facts = append(c.Facts, r.Count("devices.sent", d.Uploads, "when", r.Ago(*d.LastUpload)))
	} else {
		c.Facts = append(c.Facts, r.Say("devices.sent_none"))
	}
	if d.UserAgent != "" {
		c.Facts = append(c.Facts, r.Say("devices.app", "app", d.UserAgent))
	}
	if d.Ahead != nil && *d.Ahead >= clockCare {
		c.Facts = append(c.Facts, r.Count("devices.clock_ahead", *d.Ahead/60))
	} else if d.Ahead != nil && *d.Ahead <= -clockCare {
		c.Facts = append(c.Facts, r.Count("devices.clock_behind", -*d.Ahead/60))
	}
	return c
}

// clockCare is how wrong a device's clock may be before someone should set it, in
// seconds.
const clockCare = 120

func (r Reader) deviceName(d DeviceLine) string {
	if d.Name == "" {
		return r.Say("devices.unnamed")
	}
	return d.Name
}

// Ago says how long ago something was, as people say it: by the clock where it is
// longer ago than a day.
func (r Reader) Ago(t time.Time) string {
	switch ago := r.Now.Sub(t); {
	case ago < time.Minute:
		return r.Say("ago.now")
	case ago < time.Hour:
		return r.Count("ago.minutes", int(ago/time.Minute))
	case ago < 24*time.Hour:
		return r.Count("ago.hours", int(ago/time.Hour))
	}
	return r.When(t)
}
