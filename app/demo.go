package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/control"
	"footbridge/app/device"
	"footbridge/core/account"
	"footbridge/ui/view"
)

// demoCommand shows the main job on loopback, in a scratch home.
type demoCommand struct {
	Keep bool `help:"Keep the scratch home and say where it is."`
}

const (
	demoApp   = "demo-app"
	demoStudy = "walking"
	demoWalk  = 10 * time.Second // how long a step may take
)

// demo is a running demonstration.
type demo struct {
	home      string
	out       io.Writer
	appliance *appliance
	client    *control.Client
	door      door
	password  string // of the participant
	bundle    string // path of the device's file
	digest    string // hex SHA-256 of the bundle before encryption
	upload    device.Result
	place     string // of the exported file
}

// Run walks through every step and fails with the first that is wrong.
func (c *demoCommand) Run(ctx context.Context, s *session) error {
	begun := time.Now()
	scratch, err := os.MkdirTemp("", "footbridge-demo-")
	if err != nil {
		return fmt.Errorf("make a scratch home: %w", err)
	}
	if c.Keep {
		fmt.Fprintf(s.out, "The scratch home is %s\n\n", scratch)
	} else {
		defer os.RemoveAll(scratch)
	}
	d := &demo{home: filepath.Join(scratch, "home"), out: s.out}
	fmt.Fprintln(s.out, "Footbridge, the whole main job: device → api → upload → store → process → push → repository")
	if err := d.walk(ctx, scratch); err != nil {
		return fmt.Errorf("the demo went wrong: %w", err)
	}
	fmt.Fprintf(s.out, "\nEverything was as it should be, in %.1f seconds.\n", time.Since(begun).Seconds())
	return nil
}

func (d *demo) walk(ctx context.Context, scratch string) error {
	if err := d.makeHome(ctx); err != nil {
		return err
	}
	a, err := openAppliance(ctx, d.home, nil)
	if err != nil {
		return err
	}
	d.appliance = a
	defer a.close()
	if d.door, err = a.openDoor("127.0.0.1:0", false); err != nil {
		return err
	}
	defer d.door.listener.Close()
	err = a.during(ctx, map[net.Listener]http.Handler{d.door.listener: a.api.Handler()}, func(ctx context.Context, client *control.Client) error {
		d.client = client
		return d.steps(ctx, scratch)
	})
	return errors.Join(err, a.close())
}

func (d *demo) makeHome(ctx context.Context) error {
	quiet := &session{home: d.home, out: io.Discard, errors: io.Discard}
	made := initCommand{AppID: demoApp, Study: demoStudy, AdminEmail: "admin@example.org", Repository: "folder:repository"}
	if err := made.Run(ctx, quiet); err != nil {
		return err
	}
	d.say(1, "A site", "A new home with its own keys, an administrator, the study %q and its project in a folder.", demoStudy)
	return nil
}

func (d *demo) steps(ctx context.Context, scratch string) error {
	d.say(2, "It serves", "Devices reach it at %s, and know it by its certificate %s…", d.base(), grouped(d.door.fingerprint)[:23])
	for _, step := range []func(context.Context, string) error{
		d.enrol, d.pack, d.send, d.exported, d.seeFile, d.seeAnnotations, d.seeVersions, d.seeJoins,
	} {
		if err := step(ctx, scratch); err != nil {
			return err
		}
	}
	return nil
}

func (d *demo) base() string { return d.door.scheme + "://" + d.door.listener.Addr().String() }

// say prints one step.
func (d *demo) say(n int, title, format string, args ...any) {
	fmt.Fprintf(d.out, "\n%d. %s\n   %s\n", n, title, fmt.Sprintf(format, args...))
}

func (d *demo) enrol(ctx context.Context, _ string) error {
	d.password = account.NewPassword()
	asked := map[string]any{
		"externalIds": map[string]string{demoStudy: "walker-1"}, "password": d.password,
		"sharingScope": "sponsors_and_partners", "dataGroups": []string{"morning"}, "languages": []string{"en"},
	}
	if err := d.client.Call(ctx, http.MethodPost, studyPath(demoStudy)+"/participants", asked, nil); err != nil {
		return err
	}
	d.say(3, "A participant", "Staff enrol walker-1, in the group \"morning\". That is participant version 1.")
	return nil
}

// pack makes the bundle that a walking app would.
func (d *demo) pack(_ context.Context, scratch string) error {
	d.bundle = filepath.Join(scratch, "walk.zip")
	var text bytes.Buffer
	bundle := zip.NewWriter(&text)
	entry, err := bundle.Create("acceleration.json")
	if err != nil {
		return err
	}
	fmt.Fprintln(entry, `{"acceleration": [`)
	for range 20_000 {
		fmt.Fprintf(entry, "%.4f,\n", rand.NormFloat64())
	}
	fmt.Fprintln(entry, `0]}`)
	if err := bundle.Close(); err != nil {
		return err
	}
	sum := sha256.Sum256(text.Bytes())
	d.digest = hex.EncodeToString(sum[:])
	d.say(4, "A device packs a bundle", "walk.zip, %s, SHA-256 %s…", view.Bytes(int64(text.Len())), d.digest[:16])
	return os.WriteFile(d.bundle, text.Bytes(), 0o600)
}

// send lets a device encrypt and upload the bundle in three steps.
func (d *demo) send(ctx context.Context, _ string) error {
	key := d.appliance.ring.List()[0]
	ctx, cancel := context.WithTimeout(ctx, 3*demoWalk)
	defer cancel()
	client := device.New(device.Config{
		BaseURL: d.base(), AppID: demoApp, ExternalID: "walker-1", Password: d.password,
		Fingerprint: d.door.fingerprint, Patience: demoWalk, Wait: true, UserAgent: "Walker/3 (Pixel 9; Android/16)",
	})
	begun := time.Now()
	var err error
	if d.upload, err = client.Send(ctx, device.File{Path: d.bundle, Encrypt: key.Certificate, Metadata: map[string]any{"taskRunId": "first-walk"}}); err != nil {
		return err
	}
	if d.upload.Status != "succeeded" {
		return fmt.Errorf("the upload is %s: %s", d.upload.Status, strings.Join(d.upload.Messages, " "))
	}
	d.say(5, "It encrypts and uploads it: slot, PUT, complete", "%s of CMS enveloped data, stored before it was acknowledged, opened, checked:\n   %s after %d ms, record %s",
		view.Bytes(d.upload.Bytes), d.upload.Status, time.Since(begun).Milliseconds(), d.upload.ID)
	return nil
}
