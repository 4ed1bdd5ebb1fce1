package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"footbridge/app/keys"
)

// moveTime is how long a new place may be taken before the door stays.
const moveTime = time.Second

// place is where a door is, or is to be.
type place struct {
	address string
	plain   bool // without TLS
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

// porter keeps the door where the settings want it.
type porter struct {
	appliance *appliance
	out       io.Writer
	wish      func() place // of the settings and flags, now

	at   place
	door door
}

// open opens the door where it is wished.
func (p *porter) open() error {
	at := p.wish()
	opened, err := p.appliance.openDoor(at.address, at.plain)
	if err != nil {
		return err
	}
	p.at, p.door = at, opened
	return nil
}

// serve lets devices in until ctx ends, and moves the door when the settings
// say so. Requests that came through the old door are finished.
func (p *porter) serve(ctx context.Context) error {
	var old sync.WaitGroup
	defer old.Wait()
	for {
		p.door.announce(p.out)
		serving, stop := context.WithCancel(ctx)
		served := make(chan error, 1)
		handlers := map[net.Listener]http.Handler{p.door.listener: p.appliance.api.Handler()}
		go func() {
			defer close(served)
			served <- serveUntil(serving, handlers, slog.NewLogLogger(p.appliance.log.Handler(), slog.LevelDebug))
		}()
		err := p.stay(serving, served)
		stop()
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, <-served)
		}
		old.Go(func() { <-served })
		if err := p.move(ctx); err != nil {
			return err
		}
	}
}

// stay returns when the door is to be elsewhere, when ctx ends, or with the
// error that closed the door.
func (p *porter) stay(ctx context.Context, served <-chan error) error {
	for {
		select {
		case <-p.appliance.changed:
			if p.wish() != p.at {
				return nil
			}
		case <-ctx.Done():
			return nil
		case err := <-served:
			return err
		}
	}
}

// move opens the door where it is wished now; where that cannot be, where it was.
func (p *porter) move(ctx context.Context) error {
	was := p.at
	for begun := time.Now(); ; {
		err := p.open()
		if err == nil {
			return nil
		}
		if time.Since(begun) > moveTime {
			p.appliance.log.Error("the door for devices stays where it was", "error", err)
			p.door, err = p.appliance.openDoor(was.address, was.plain)
			p.at = p.wish() // it is tried again when the settings change again
			return err
		}
		select { // the old door may still be closing
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
