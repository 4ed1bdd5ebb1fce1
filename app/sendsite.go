package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"footbridge/app/device"
	"footbridge/core"
)

// site is where the device sends to and as whom, and the certificate that it seals
// for; nil: it does not.
func (c *sendCommand) site(ctx context.Context, s *session) (device.Config, *x509.Certificate, error) {
	to, sealed, err := c.account(ctx, s)
	if err != nil {
		return to, nil, err
	}
	to.Wait, to.Patience, to.Search = !c.NoWait, c.Patience, c.Patience // who names a time waits it out
	if c.Fingerprint != "" {
		to.Fingerprint, to.Pin = c.Fingerprint, ""
	}
	if c.Key != "" {
		text, err := os.ReadFile(c.Key)
		if err != nil {
			return to, nil, fmt.Errorf("read the certificate: %w", err)
		}
		certificate, err := parseCertificate(filepath.Base(c.Key), text)
		return to, certificate, err
	}
	if sealed == "" {
		return to, nil, nil
	}
	certificate, err := parseCertificate("the pairing", []byte(sealed))
	return to, certificate, err
}

// account is where the device sends to and as whom, and the certificate that it was
// paired with.
func (c *sendCommand) account(ctx context.Context, s *session) (device.Config, string, error) {
	if len(c.Files) == 0 && c.Pair == "" {
		return device.Config{}, "", &usageError{errors.New("name a file to send, or pair this device with --pair LINK")}
	}
	if c.To != "" {
		password := os.Getenv("FOOTBRIDGE_PASSWORD")
		switch {
		case c.AppID == "" || c.ExternalID == "":
			return device.Config{}, "", &usageError{errors.New("--to needs --app-id and --external-id")}
		case password == "":
			return device.Config{}, "", errors.New("there is no password; set FOOTBRIDGE_PASSWORD to the participant's")
		}
		return device.Config{BaseURL: c.To, AppID: c.AppID, ExternalID: c.ExternalID, Password: password}, "", nil
	}
	paired, err := c.paired(ctx, s)
	if err != nil {
		return device.Config{}, "", err
	}
	return paired.Config(ctx), paired.PublicKey, nil
}

// paired is what this device was given when it was paired, which is now with --pair.
func (c *sendCommand) paired(ctx context.Context, s *session) (device.Paired, error) {
	file := c.Paired
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return device.Paired{}, errors.New("there is no place to keep a pairing; name one with --paired FILE")
		}
		file = filepath.Join(dir, "footbridge", "paired.json")
	}
	if c.Pair == "" {
		p, err := device.ReadPaired(file)
		if errors.Is(err, core.ErrNotFound) {
			return p, errors.New("this device is not paired: pair it with --pair LINK, or name a site with --to URL")
		}
		return p, err
	}
	name, _ := os.Hostname() // it may have none
	p, err := device.Redeem(ctx, device.Config{}, c.Pair, name)
	if err != nil {
		return p, err
	}
	if err := p.Keep(file); err != nil {
		return p, err
	}
	fmt.Fprintf(s.errors, "paired as participant %s of study %s; kept in %s\n", p.ExternalID, p.StudyID, file)
	return p, nil
}

// parseCertificate reads a certificate; name is where it came from.
func parseCertificate(name string, text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("%s holds no certificate; print one with footbridge key public", name)
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a certificate", name)
	}
	return certificate, nil
}
