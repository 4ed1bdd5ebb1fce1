package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"

	"footbridge/app/appliance"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/app/door"
)

// serveCommand runs the appliance.
type serveCommand struct {
	Listen    string `help:"Address and port for devices; :0 picks a free port." placeholder:"ADDR"`
	PlainHTTP bool   `name:"plain-http" help:"Speak HTTP without TLS, for a trusted network."`
}

// Run serves until it is told to stop.
func (c *serveCommand) Run(ctx context.Context, s *session) error {
	announced := func(d door.Door) { announce(s.out, d) }
	return c.serve(ctx, s, announced, func(ctx context.Context, _ *control.Client) error {
		<-ctx.Done()
		return nil
	})
}

// serve serves until show, which has the thread that serve was called by, returns, and
// tells opened of every door. The context that show is given ends where nobody can be
// served any more.
func (c *serveCommand) serve(ctx context.Context, s *session, opened func(door.Door), show func(context.Context, *control.Client) error) error {
	console := slog.NewTextHandler(s.errors, nil)
	a, err := appliance.Open(ctx, s.home, console)
	if err != nil {
		return err
	}
	defer a.Close()
	a.Start(c.forced())
	porter := door.NewPorter(door.PorterConfig{
		Wish: func() door.Place { return c.place(a.Settings()) }, Changed: a.Changed(),
		Identity: a.Identity, Handler: a.Handler(), Log: a.Log(),
		Opened: func(d door.Door) {
			a.Opened(d)
			opened(d)
		},
	})
	if err := porter.Open(); err != nil {
		return err
	}
	defer porter.Close()
	err = a.Run(ctx, func(ctx context.Context, client *control.Client) error {
		serving, stop := context.WithCancel(ctx)
		served := make(chan error, 1)
		go func() {
			defer stop()
			served <- porter.Serve(serving)
		}()
		err := show(serving, client)
		stop()
		return errors.Join(err, <-served)
	})
	return errors.Join(err, a.Close())
}

// place is where the door is to be; flags stand above settings.
func (c *serveCommand) place(settings config.Settings) door.Place {
	p := door.Place{Address: settings.Listen, Plain: settings.PlainHTTP || c.PlainHTTP}
	if c.Listen != "" {
		p.Address = c.Listen
	}
	return p
}

// forced are the settings that flags stand above.
func (c *serveCommand) forced() map[string]string {
	all := map[string]string{}
	if c.Listen != "" {
		all["listen"] = c.Listen
	}
	if c.PlainHTTP {
		all["plain_http"] = "true"
	}
	return all
}

// announce prints where devices reach this site; the first line is for programs.
func announce(out io.Writer, d door.Door) {
	for i, address := range addresses(d) {
		if i == 0 {
			fmt.Fprintf(out, "listening %s\n", address)
		} else {
			fmt.Fprintf(out, "on this network  %s\n", address)
		}
	}
	if d.Fingerprint != "" {
		fmt.Fprintf(out, "certificate fingerprint (SHA-256)  %s\n", door.Grouped(d.Fingerprint))
	} else {
		fmt.Fprintln(out, "without TLS: whoever is on this network can read what devices send, unless it is encrypted")
	}
}

// addresses are the URLs by which a door is reached, that on this machine first.
func addresses(d door.Door) []string {
	host, port, _ := net.SplitHostPort(d.Listener.Addr().String())
	if ip := net.ParseIP(host); ip == nil || !ip.IsUnspecified() {
		return []string{d.Scheme + "://" + net.JoinHostPort(host, port)}
	}
	return append([]string{d.Scheme + "://" + net.JoinHostPort("localhost", port)}, d.Reach()...)
}
