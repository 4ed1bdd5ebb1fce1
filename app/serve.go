package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/control"
	"footbridge/app/keys"
)

const (
	headerPatience = 15 * time.Second
	bodyPatience   = 30 * time.Second // of JSON; a PUT extends its own
	idlePatience   = 2 * time.Minute
	shutdownTime   = 10 * time.Second
)

// serveCommand runs the appliance.
type serveCommand struct {
	Listen    string `help:"Address and port for devices; :0 picks a free port." placeholder:"ADDR"`
	PlainHTTP bool   `name:"plain-http" help:"Speak HTTP without TLS, for a trusted network."`
}

// Run serves until it is told to stop.
func (c *serveCommand) Run(ctx context.Context, s *session) error {
	console := slog.NewTextHandler(s.errors, nil)
	a, err := openAppliance(ctx, s.home, console)
	if err != nil {
		return err
	}
	defer a.close()
	settings := a.live.Settings()
	if c.Listen == "" {
		c.Listen = settings.Listen
	}
	door, err := a.openDoor(c.Listen, c.PlainHTTP || settings.PlainHTTP)
	if err != nil {
		return err
	}
	defer door.listener.Close()
	err = a.during(ctx, map[net.Listener]http.Handler{door.listener: a.api.Handler()}, func(ctx context.Context, _ *control.Client) error {
		door.announce(s.out)
		<-ctx.Done()
		return nil
	})
	return errors.Join(err, a.close())
}

// door is where devices come in.
type door struct {
	listener    net.Listener
	scheme      string
	fingerprint string // of the certificate; empty without TLS
}

// openDoor listens for devices, over TLS unless plain.
func (a *appliance) openDoor(address string, plain bool) (door, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return door{}, fmt.Errorf("listen on %s: %w; choose another address with --listen", address, err)
	}
	if plain {
		return door{l, "http", ""}, nil
	}
	identity, err := keys.OpenIdentity(filepath.Join(a.home, "keys"), time.Now())
	if err != nil {
		l.Close()
		return door{}, err
	}
	secured := tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{identity.Certificate},
		MinVersion:   tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	})
	return door{secured, "https", identity.Fingerprint}, nil
}

// announce prints where devices reach this site; the first line is for programs.
func (d door) announce(out io.Writer) {
	host, port, _ := net.SplitHostPort(d.listener.Addr().String())
	ip := net.ParseIP(host)
	everywhere := ip != nil && ip.IsUnspecified()
	if everywhere {
		host = "localhost"
	}
	fmt.Fprintf(out, "listening %s://%s\n", d.scheme, net.JoinHostPort(host, port))
	if everywhere {
		for _, address := range networkAddresses() {
			fmt.Fprintf(out, "on this network  %s://%s\n", d.scheme, net.JoinHostPort(address, port))
		}
	}
	if d.fingerprint != "" {
		fmt.Fprintf(out, "certificate fingerprint (SHA-256)  %s\n", grouped(d.fingerprint))
	} else {
		fmt.Fprintln(out, "without TLS: whoever is on this network can read what devices send, unless it is encrypted")
	}
}

// networkAddresses lists where other machines reach this one.
func networkAddresses() []string {
	var all []string
	found, _ := net.InterfaceAddrs() // none is a fine answer
	for _, a := range found {
		if network, ok := a.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
			all = append(all, network.IP.String())
		}
	}
	return all
}

// grouped writes a fingerprint in the form that people compare.
func grouped(hex string) string {
	var pairs []string
	for i := 0; i+2 <= len(hex); i += 2 {
		pairs = append(pairs, strings.ToUpper(hex[i:i+2]))
	}
	return strings.Join(pairs, ":")
}

// serveUntil answers on every listener until ctx ends, then lets open requests
// finish for a while.
func serveUntil(ctx context.Context, handlers map[net.Listener]http.Handler, log *log.Logger) error {
	failed := make(chan error, len(handlers))
	var servers []*http.Server
	for listener, handler := range handlers {
		server := &http.Server{
			Handler: handler, ErrorLog: log,
			ReadHeaderTimeout: headerPatience, ReadTimeout: bodyPatience, IdleTimeout: idlePatience,
		}
		servers = append(servers, server)
		go func() { failed <- server.Serve(listener) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("serve: %w", err)
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	for _, server := range servers {
		if server.Shutdown(closing) != nil {
			server.Close()
		}
	}
	return err
}
