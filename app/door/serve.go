package door

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

const (
	headerPatience = 15 * time.Second
	bodyPatience   = 30 * time.Second // of JSON; a PUT extends its own
	idlePatience   = 2 * time.Minute
	shutdownTime   = 10 * time.Second
)

// Serve answers on every listener until ctx ends or one of them fails, then lets
// open requests finish for a while. It closes the listeners.
func Serve(ctx context.Context, handlers map[net.Listener]http.Handler, log *log.Logger) error {
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
