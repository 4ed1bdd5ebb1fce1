package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"footbridge/app/config"
	"footbridge/app/control"
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
	p := &porter{appliance: a, out: s.out, wish: func() place { return c.place(a.live.Settings()) }}
	if err := p.open(); err != nil {
		return err
	}
	err = a.during(ctx, nil, func(ctx context.Context, _ *control.Client) error { return p.serve(ctx) })
	return errors.Join(err, a.close())
}

// place is where a door is to be; flags stand above settings.
func (c *serveCommand) place(settings config.Settings) place {
	p := place{settings.Listen, settings.PlainHTTP || c.PlainHTTP}
	if c.Listen != "" {
		p.address = c.Listen
	}
	return p
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
