package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// What the window says of codes and devices, in every language.
func TestDevicesInWords(t *testing.T) {
	at := func(ago time.Duration) *time.Time {
		then := reader.Now.Add(-ago)
		return &then
	}
	ahead, slow, good := 7200, -130, 5
	lines := []view.DeviceLine{
		{Name: "Ward 3", State: view.DeviceActive, Participant: "P-17", LastSeen: at(0), PairedOn: at(2 * time.Minute), Address: "10.0.0.7", Uploads: 1, LastUpload: at(time.Minute), Ahead: &good},
		{State: view.DeviceEnded, LastSeen: at(59 * time.Minute), Uploads: 7, LastUpload: at(time.Hour), Address: "10.0.0.8", UserAgent: "Walker/7", Ahead: &ahead},
		{Name: "never here", State: view.DeviceActive, Participant: "P-18", Ahead: &slow},
		{Name: "long ago", State: view.DeviceActive, Participant: "P-19", LastSeen: at(26 * time.Hour), PairedOn: at(23 * time.Hour)},
	}
	made := view.Pairing{Study: "sleep", Participant: "P-17", State: view.PairingOpen, ExpiresOn: reader.Now.Add(14*time.Minute + time.Second), Code: "KXRD-7M4W", URL: "the link", Serving: true, BaseURLs: []string{"https://10.0.0.7:8443"}}
	with := func(change func(*view.Pairing)) view.Pairing {
		p := made
		change(&p)
		return p
	}
	pairings := [][2]view.Pairing{
		{made, made},
		{with(func(p *view.Pairing) {
			p.Replaces, p.BaseURLs, p.ExpiresOn = true, append(p.BaseURLs, "https://10.1.0.7:8443", "https://10.2.0.7:8443"), reader.Now.Add(time.Second)
		}), with(func(p *view.Pairing) { p.Serving = false })},
		{made, with(func(p *view.Pairing) { p.State = view.PairingExpired })},
		{with(func(p *view.Pairing) { p.ExpiresOn = reader.Now }), made},
		{made, with(func(p *view.Pairing) { p.State, p.Device = view.PairingRedeemed, &lines[2] })},
		{made, with(func(p *view.Pairing) { p.State, p.Device = view.PairingRedeemed, &lines[0] })},
		{made, with(func(p *view.Pairing) {
			p.State, p.Device = view.PairingRedeemed, &view.DeviceLine{Name: "here before", PairedOn: at(time.Minute), LastUpload: at(time.Hour)}
		})},
		{made, with(func(p *view.Pairing) { p.State = view.PairingRedeemed })},
	}
	var got strings.Builder
	for _, language := range tongue.Languages() {
		r := reader
		r.Tongue = tongue.In(language.Code)
		fmt.Fprintf(&got, "== %s\n", language.Code)
		for _, line := range lines {
			c := r.Device(line)
			fmt.Fprintf(&got, "%s | %s | %s | %s | %s\n", c.Name, c.Who, c.Seen, c.Uploads, c.State)
			for _, fact := range c.Facts {
				fmt.Fprintf(&got, "  %s\n", fact)
			}
		}
		for _, p := range pairings {
			c := r.Pairing(p[0], p[1])
			fmt.Fprintf(&got, "%s %s %s ended: %v\n", c.Code, c.Address, c.URL, c.Ended)
			for _, text := range append(append([]string{c.Left, c.Others, c.Waits}, c.Cares...), c.News...) {
				if text != "" {
					fmt.Fprintf(&got, "  %s\n", text)
				}
			}
		}
	}
	golden(t, "devices.txt", got.String())
}

// A device can send while its password is that of its participant.
func TestDeviceLines(t *testing.T) {
	left := time.Now()
	a := core.Account{ID: "u", PasswordHash: "hash", Enrollments: map[core.StudyID]core.Enrollment{
		"walk": {ExternalID: "w-1"}, "sleep": {ExternalID: "s-1"}, "gait": {ExternalID: "a-1", WithdrawnOn: &left}, "rest": {},
	}}
	d := core.FieldDevice{ID: "d", User: "u", Kind: "Walker", Credential: a.Credential()}
	line := view.NewDeviceLine(d, a)
	if line.State != view.DeviceActive || line.Participant != "s-1" || fmt.Sprint(line.Studies) != "[rest sleep walk]" || line.Name != "Walker" || line.LastSeen != nil {
		t.Errorf("described as %+v", line)
	}
	gone := core.Account{ID: "u", Enrollments: map[core.StudyID]core.Enrollment{"walk": {WithdrawnOn: &left}, "gait": {ExternalID: "a-1", WithdrawnOn: &left}}}
	if line := view.NewDeviceLine(d, gone); line.Participant != "a-1" || len(line.Studies) > 0 {
		t.Errorf("of who left it is described as %+v", line)
	}
	for name, change := range map[string]func(*core.FieldDevice, *core.Account){
		"another password": func(_ *core.FieldDevice, a *core.Account) { a.PasswordHash = "other" },
		"none":             func(d *core.FieldDevice, a *core.Account) { d.Credential, a.PasswordHash = "", "" },
		"disabled":         func(_ *core.FieldDevice, a *core.Account) { a.Status = core.StatusDisabled },
		"no account":       func(_ *core.FieldDevice, a *core.Account) { *a = core.Account{} },
	} {
		d, a := d, a
		change(&d, &a)
		if line := view.NewDeviceLine(d, a); line.State != view.DeviceEnded {
			t.Errorf("%s: %+v", name, line)
		}
	}
}
