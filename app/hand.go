package main

import (
	"context"
	"errors"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
)

// handPatience is how long a command waits for another one to finish.
const handPatience = 10 * time.Second

// withAppliance calls f with a client of the appliance on the home folder: the
// one that runs there, or one that runs in this program until f returns.
func withAppliance(ctx context.Context, s *session, f func(context.Context, *control.Client) error) error {
	return withPrepared(ctx, s, nil, f)
}

// preparation is done to an appliance before it begins to work; nil: nothing is.
type preparation func(context.Context, *appliance.Appliance) error

// withPrepared is withAppliance; one that runs in this program is prepared.
func withPrepared(ctx context.Context, s *session, prepare preparation, f func(context.Context, *control.Client) error) error {
	until := time.Now().Add(handPatience)
	for {
		if transport, ok := control.Dial(s.home); ok {
			return f(ctx, control.NewClient(transport).For(s.tongue().Code(), false))
		}
		err := inProcess(ctx, s.home, prepare, func(ctx context.Context, client *control.Client) error {
			return f(ctx, client.For(s.tongue().Code(), false))
		})
		if !errors.Is(err, appliance.ErrRunning) || time.Now().After(until) {
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
func inProcess(ctx context.Context, home string, prepare preparation, f func(context.Context, *control.Client) error) error {
	a, err := appliance.Open(ctx, home, nil)
	if err != nil {
		return err
	}
	defer a.Close()
	if prepare != nil {
		if err := prepare(ctx, a); err != nil {
			return err
		}
	}
	return errors.Join(a.Run(ctx, f), a.Close())
}
