package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/device"

	"golang.org/x/term"
)

// sendCommand is a device. The password comes from FOOTBRIDGE_PASSWORD.
type sendCommand struct {
	Files       []string          `arg:"" name:"file" type:"path" help:"The files to send, one upload each."`
	To          string            `required:"" help:"The site, such as https://192.168.1.20:8443." placeholder:"URL"`
	AppID       string            `name:"app-id" required:"" help:"The app to sign in to."`
	ExternalID  string            `name:"external-id" required:"" help:"The participant to sign in as. The password comes from FOOTBRIDGE_PASSWORD."`
	Key         string            `type:"path" help:"Encrypt to this certificate (footbridge key public prints it)." placeholder:"CERT.pem"`
	Fingerprint string            `help:"Accept exactly the certificate with this SHA-256 fingerprint, as serve prints it."`
	Metadata    map[string]string `help:"Metadata that goes along, as KEY=VALUE; may be repeated." placeholder:"KEY=VALUE"`
	Zipped      bool              `help:"The files are zips, whatever they are called; else those that end in .zip are."`
	ContentType string            `name:"content-type" help:"The files' MIME type; else by their extension." placeholder:"TYPE"`
	Patience    time.Duration     `help:"How long each step may go on failing; else 10m, and 1m where nobody is at the address." placeholder:"DURATION"`
	NoWait      bool              `name:"no-wait" help:"Return when the site has the file, without waiting for its record."`
	JSON        bool              `name:"json" help:"Print the results as JSON."`
}

// sentFile is what send prints of a file.
type sentFile struct {
	File     string   `json:"file"`
	ID       string   `json:"id"`
	Status   string   `json:"status"`
	Messages []string `json:"messages"`
	Bytes    int64    `json:"bytes"`
	Attempts int      `json:"attempts"`
}

// Run sends every file; the exit code is 1 if one failed.
func (c *sendCommand) Run(ctx context.Context, s *session) error {
	password := os.Getenv("FOOTBRIDGE_PASSWORD")
	if password == "" {
		return errors.New("there is no password; set FOOTBRIDGE_PASSWORD to the participant's")
	}
	var certificate *x509.Certificate
	if c.Key != "" {
		var err error
		if certificate, err = readCertificate(c.Key); err != nil {
			return err
		}
	}
	var failed error
	sent := []sentFile{}
	for i, name := range c.Files {
		bar := newBar(s.errors, name)
		client := device.New(device.Config{
			BaseURL: c.To, AppID: c.AppID, ExternalID: c.ExternalID, Password: password,
			Fingerprint: c.Fingerprint, Wait: !c.NoWait, Progress: bar.Progress, Notify: bar.Notify,
			Patience: c.Patience, Search: c.Patience, // who names a time waits it out
		})
		metadata := map[string]any{}
		for key, value := range c.Metadata {
			metadata[key] = value
		}
		result, err := client.Send(ctx, device.File{
			Path: name, ContentType: c.ContentType, Encrypt: certificate, Metadata: metadata,
			Zipped: c.Zipped || strings.EqualFold(filepath.Ext(name), ".zip"),
		})
		bar.End()
		if err == nil && result.Status == "validation_failed" {
			err = fmt.Errorf("send %s: the site has it, but could not use it: %s", filepath.Base(name), strings.Join(result.Messages, " "))
		}
		if result.ID != "" {
			sent = append(sent, sentFile{name, result.ID, result.Status, append([]string{}, result.Messages...), result.Bytes, result.Attempts})
		}
		if err != nil {
			gaveUp := errors.Is(err, device.ErrGaveUp) || errors.Is(err, device.ErrNoSite)
			failed = errors.Join(failed, advised(err, len(c.Files)-i-1))
			if ctx.Err() != nil || gaveUp { // the others would fare alike
				break
			}
		}
	}
	return errors.Join(c.print(s, sent), failed)
}

// advised adds to an error what to do about a site that is not there, and says how
// many files were not tried after that.
func advised(err error, left int) error {
	switch {
	case errors.Is(err, device.ErrNoSite):
		err = fmt.Errorf("%w. Check the address, and that the site runs; --patience 8h waits for it", err)
	case !errors.Is(err, device.ErrGaveUp):
		return err
	}
	if left > 0 {
		err = fmt.Errorf("%w. Not tried: the last %s", err, plural(left, "file"))
	}
	return err
}

func (c *sendCommand) print(s *session, sent []sentFile) error {
	if c.JSON {
		return s.printJSON(sent)
	}
	for _, f := range sent {
		fmt.Fprintf(s.out, "%s  %s  %s\n", f.ID, f.Status, filepath.Base(f.File))
		for _, message := range f.Messages {
			fmt.Fprintln(s.out, "  "+message)
		}
	}
	return nil
}

// newBar draws on a terminal, and prints a line now and then elsewhere.
func newBar(w io.Writer, name string) *device.Bar {
	config := device.BarConfig{Name: filepath.Base(name)}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		config.Terminal = true
		config.Width, _, _ = term.GetSize(int(f.Fd())) // 0 where it is unknown: the bar's default
	}
	return device.NewBar(w, config)
}

func readCertificate(name string) (*x509.Certificate, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("%s holds no certificate; print one with footbridge key public", filepath.Base(name))
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a certificate", filepath.Base(name))
	}
	return certificate, nil
}
