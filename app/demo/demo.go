package demo

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/app/device"
	"footbridge/app/door"
	"footbridge/core/account"
	"footbridge/ui/view"
)

const (
	app      = "demo-app"
	study    = "walking"
	stepTime = 10 * time.Second // how long a step may take
)

// demo is a running demonstration.
type demo struct {
	home     string
	out      io.Writer
	client   *control.Client
	door     door.Door
	password string // of the participant
	bundle   string // path of the device's file
	digest   string // hex SHA-256 of the bundle before encryption
	upload   device.Result
	place    string // of the exported file
}

// Run shows the main job on loopback, in a home that it makes in the folder
// scratch, and fails with the first step that is wrong.
func Run(ctx context.Context, out io.Writer, scratch string) error {
	d := &demo{home: filepath.Join(scratch, "home"), out: out}
	if err := d.makeHome(ctx); err != nil {
		return err
	}
	a, err := appliance.Open(ctx, d.home, nil)
	if err != nil {
		return err
	}
	defer a.Close()
	if d.door, err = door.Open(door.Place{Address: "127.0.0.1:0"}, a.Identity); err != nil {
		return err
	}
	defer d.door.Listener.Close()
	err = a.Run(ctx, func(ctx context.Context, client *control.Client) error {
		d.client = client
		return d.steps(ctx, scratch)
	}, d.door.Listener)
	return errors.Join(err, a.Close())
}

func (d *demo) makeHome(ctx context.Context) error {
	made, err := appliance.Make(ctx, d.home, appliance.Plan{
		App: app, Study: study, AdminEmail: "admin@example.org", Password: account.NewPassword(), Repository: "folder:repository",
	})
	if err = errors.Join(err, made.NoProject); err != nil {
		return err
	}
	d.say(1, "A site", "A new home with its own keys, an administrator, the study %q and its project in a folder.", study)
	return nil
}

func (d *demo) steps(ctx context.Context, scratch string) error {
	d.say(2, "It serves", "Devices reach it at %s, and know it by its certificate %s…", d.door.URL(), door.Grouped(d.door.Fingerprint)[:23])
	for _, step := range []func(context.Context, string) error{
		d.enrol, d.pack, d.send, d.exported, d.seeFile, d.seeAnnotations, d.seeVersions, d.seeJoins,
	} {
		if err := step(ctx, scratch); err != nil {
			return err
		}
	}
	return nil
}

// say prints one step.
func (d *demo) say(n int, title, format string, args ...any) {
	fmt.Fprintf(d.out, "\n%d. %s\n   %s\n", n, title, fmt.Sprintf(format, args...))
}

func (d *demo) enrol(ctx context.Context, _ string) error {
	d.password = account.NewPassword()
	asked := map[string]any{
		"externalIds": map[string]string{study: "walker-1"}, "password": d.password,
		"sharingScope": "sponsors_and_partners", "dataGroups": []string{"morning"}, "languages": []string{"en"},
	}
	if err := d.client.Call(ctx, http.MethodPost, "/v5/studies/"+study+"/participants", asked, nil); err != nil {
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
	d.say(4, "A device packs a bundle", "walk.zip, %s, SHA-256 %s…", (view.Reader{}).Bytes(int64(text.Len())), d.digest[:16])
	return os.WriteFile(d.bundle, text.Bytes(), 0o600)
}

// send lets a device encrypt and upload the bundle in three steps.
func (d *demo) send(ctx context.Context, _ string) error {
	certificate, err := d.certificate(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*stepTime)
	defer cancel()
	client := device.New(device.Config{
		BaseURL: d.door.URL(), AppID: app, ExternalID: "walker-1", Password: d.password,
		Fingerprint: d.door.Fingerprint, Patience: stepTime, Wait: true, UserAgent: "Walker/3 (Pixel 9; Android/16)",
	})
	begun := time.Now()
	if d.upload, err = client.Send(ctx, device.File{Path: d.bundle, Encrypt: certificate, Metadata: map[string]any{"taskRunId": "first-walk"}}); err != nil {
		return err
	}
	if d.upload.Status != "succeeded" {
		return fmt.Errorf("the upload is %s: %s", d.upload.Status, strings.Join(d.upload.Messages, " "))
	}
	d.say(5, "It encrypts and uploads it: slot, PUT, complete", "%s of CMS enveloped data, stored before it was acknowledged, opened, checked:\n   %s after %d ms, record %s",
		(view.Reader{}).Bytes(d.upload.Bytes), d.upload.Status, time.Since(begun).Milliseconds(), d.upload.ID)
	return nil
}

// certificate is what the site gives apps to encrypt to.
func (d *demo) certificate(ctx context.Context) (*x509.Certificate, error) {
	var answer struct{ PublicKey string }
	if err := d.client.Call(ctx, http.MethodGet, "/v1/apps/self/publicKey", nil, &answer); err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(answer.PublicKey))
	if block == nil {
		return nil, errors.New("the site gives no certificate to encrypt to")
	}
	return x509.ParseCertificate(block.Bytes)
}
