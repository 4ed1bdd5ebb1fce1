package main

import (
	"context"
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

// sendCommand is a device. It sends as it was paired; or with --to, where the password
// comes from FOOTBRIDGE_PASSWORD.
type sendCommand struct {
	Files       []string          `arg:"" optional:"" name:"file" type:"path" help:"The files to send, one upload each."`
	Pair        string            `help:"Pair this device first, by the link that footbridge pair printed; what it is given is kept for the next time." placeholder:"LINK" xor:"where"`
	Paired      string            `type:"path" help:"Where that is kept; else footbridge/paired.json in the user's folder of settings." placeholder:"FILE"`
	To          string            `help:"The site, such as https://192.168.1.20:8443; else the one that this device is paired with." placeholder:"URL" xor:"where"`
	AppID       string            `name:"app-id" help:"With --to, the app to sign in to."`
	ExternalID  string            `name:"external-id" help:"With --to, the participant to sign in as. The password comes from FOOTBRIDGE_PASSWORD."`
	Key         string            `type:"path" help:"Encrypt to this certificate (footbridge key public prints it); a paired device has it." placeholder:"CERT.pem"`
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
	to, certificate, err := c.site(ctx, s)
	if err != nil {
		return err
	}
	var failed error
	sent := []sentFile{}
	for i, name := range c.Files {
		bar := newBar(s.errors, name)
		to.Progress, to.Notify = bar.Progress, bar.Notify
		client := device.New(to)
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
