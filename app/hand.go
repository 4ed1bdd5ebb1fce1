package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"time"

	"footbridge/app/control"
)

// handPatience is how long a command waits for another one to finish.
const handPatience = 10 * time.Second

// withAppliance calls f with a client of the appliance on the home folder: the
// one that runs there, or one that runs in this program until f returns.
func withAppliance(ctx context.Context, s *session, f func(context.Context, *control.Client) error) error {
	until := time.Now().Add(handPatience)
	for {
		if transport, ok := control.Dial(s.home); ok {
			return f(ctx, control.NewClient(transport))
		}
		err := inProcess(ctx, s.home, f)
		if !errors.Is(err, errRunning) || time.Now().After(until) {
			return err
		}
		select { // it is starting, or about to end
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// inProcess starts the appliance in this program, without a door for devices.
func inProcess(ctx context.Context, home string, f func(context.Context, *control.Client) error) error {
	a, err := openAppliance(ctx, home, nil)
	if err != nil {
		return err
	}
	defer a.close()
	return errors.Join(a.during(ctx, nil, f), a.close())
}

// during serves the doors and the control socket, and lets the workers work,
// until f returns. Requests that are being answered then are finished first.
func (a *appliance) during(ctx context.Context, doors map[net.Listener]http.Handler, f func(context.Context, *control.Client) error) error {
	socket, err := control.Listen(a.home)
	if err != nil {
		return err
	}
	handlers := map[net.Listener]http.Handler{socket: a.api.OperatorHandler()}
	maps.Copy(handlers, doors)
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	worked := make(chan struct{})
	go func() { defer close(worked); a.run(working) }()
	serving, stopServing := context.WithCancel(ctx)
	defer stopServing()
	served := make(chan error, 1)
	go func() {
		defer stopServing() // f has nobody to talk to any more
		served <- serveUntil(serving, handlers, slog.NewLogLogger(a.log.Handler(), slog.LevelDebug))
	}()
	transport, ok := control.Dial(a.home)
	if ok {
		err = f(serving, control.NewClient(transport))
	} else {
		err = errors.New("the control socket does not answer")
	}
	stopServing()
	err = errors.Join(err, <-served)
	stopWorking()
	<-worked
	return err
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
