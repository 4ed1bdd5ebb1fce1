package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"footbridge/app/control"
)

// handPatience is how long a command waits for another one to finish.
const handPatience = 10 * time.Second

// withAppliance calls f with a client of the appliance on the home folder: the
// one that runs there, or one that runs in this program until f returns.
func withAppliance(s *session, f func(context.Context, *control.Client) error) error {
	until := time.Now().Add(handPatience)
	for {
		if transport, ok := control.Dial(s.home); ok {
			return f(s, control.NewClient(transport))
		}
		err := inProcess(s, f)
		if !errors.Is(err, errRunning) || time.Now().After(until) {
			return err
		}
		select { // it is starting, or about to end
		case <-time.After(50 * time.Millisecond):
		case <-s.Done():
			return s.Err()
		}
	}
}

// inProcess starts the appliance in this program, without a door for devices.
func inProcess(s *session, f func(context.Context, *control.Client) error) error {
	a, err := openAppliance(s, s.home, nil)
	if err != nil {
		return err
	}
	defer a.close()
	socket, err := control.Listen(s.home)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(s)
	defer stop()
	worked, served := make(chan struct{}), make(chan error, 1)
	go func() { defer close(worked); a.run(ctx) }()
	go func() {
		served <- serveUntil(ctx, map[net.Listener]http.Handler{socket: a.api.OperatorHandler()},
			slog.NewLogLogger(a.log.Handler(), slog.LevelDebug))
	}()
	transport, ok := control.Dial(s.home)
	if !ok {
		return errors.New("the control socket does not answer")
	}
	err = f(ctx, control.NewClient(transport))
	stop()
	<-worked
	return errors.Join(err, <-served, a.close())
}

// printJSON prints a result for programs.
func (s *session) printJSON(v any) error {
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}
