package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"text/tabwriter"

	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/local/setup"
)

// keyCommand looks after the keys that devices encrypt to.
type keyCommand struct {
	Create keyCreate  `cmd:"" help:"Make a new key; devices are given it from now on."`
	Import keyKeep    `cmd:"" help:"Keep a key that was made elsewhere."`
	List   keyList    `cmd:"" help:"List the keys."`
	Public keyPublish `cmd:"" help:"Print the certificate to build into apps."`
}

// keyCreate makes a key.
type keyCreate struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run makes the key.
func (c *keyCreate) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var line setup.KeyLine
		if err := client.Call(ctx, http.MethodPost, "/local/v1/keys", nil, &line); err != nil {
			return err
		}
		return printKey(s, c.JSON, line)
	})
}

// keyKeep imports a key.
type keyKeep struct {
	File    string `arg:"" type:"path" help:"A PEM file with the RSA private key and its certificate."`
	Current bool   `help:"Give this key to devices from now on."`
	JSON    bool   `name:"json" help:"Print the result as JSON."`
}

// Run imports the key.
func (c *keyKeep) Run(ctx context.Context, s *session) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return fmt.Errorf("read the key file: %w", err)
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var line setup.KeyLine
		if err := client.Call(ctx, http.MethodPost, "/local/v1/keys/import", setup.KeyImport{PEM: string(text), Current: c.Current}, &line); err != nil {
			return err
		}
		return printKey(s, c.JSON, line)
	})
}

func printKey(s *session, asJSON bool, line setup.KeyLine) error {
	if asJSON {
		return s.printJSON(line)
	}
	fmt.Fprintf(s.out, "Key of certificate %s, serial %s.\nFingerprint (SHA-256) %s\n", line.Subject, line.Serial, door.Grouped(line.Fingerprint))
	if line.Current {
		fmt.Fprintln(s.out, "Devices are given this one: footbridge key public prints it.")
	} else {
		fmt.Fprintln(s.out, "It opens what was encrypted to it; redrive the uploads that waited for it.")
	}
	return nil
}

// keyList lists the keys.
type keyList struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run lists the keys.
func (c *keyList) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all []setup.KeyLine
		if err := client.Call(ctx, http.MethodGet, "/local/v1/keys", nil, &all); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(all)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "FINGERPRINT\tCERTIFICATE\tSERIAL\tADDED\tGIVEN TO DEVICES")
		for _, key := range all {
			given := "no"
			if key.Current {
				given = "yes"
			}
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%s\n", key.Fingerprint[:16], key.Subject, key.Serial, key.Added.Format("2006-01-02"), given)
		}
		return lines.Flush()
	})
}

// keyPublish prints the certificate.
type keyPublish struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run prints the certificate.
func (c *keyPublish) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var answer struct {
			PublicKey string `json:"publicKey"`
			Type      string `json:"type"`
		}
		if err := client.Call(ctx, http.MethodGet, "/v1/apps/self/publicKey", nil, &answer); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(answer)
		}
		fmt.Fprint(s.out, answer.PublicKey)
		return nil
	})
}
