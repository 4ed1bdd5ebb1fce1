package appliancetest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
)

// Password is everyone's.
const Password = "Right-as-rain-1"

// endTime is how long an appliance may take to end.
const endTime = 20 * time.Second

// Plan is a home's whose records go to a folder in it.
func Plan() appliance.Plan {
	return appliance.Plan{App: "test-app", Study: "sleep", AdminEmail: "admin@example.org", Password: Password, Repository: "folder:repository"}
}

// Make makes a home as planned.
func Make(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "h")
	m, err := appliance.Make(t.Context(), home, Plan())
	if err != nil || m.NoProject != nil || !m.Configured || m.Key == "" || m.Certificate == "" {
		t.Fatalf("%+v (%v)", m, err)
	}
	return home
}

// Open opens a home until the test ends.
func Open(t *testing.T, home string) *appliance.Appliance {
	t.Helper()
	a, err := appliance.Open(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// Run runs an appliance while f has a client of it.
func Run(t *testing.T, a *appliance.Appliance, f func(context.Context, *control.Client)) {
	t.Helper()
	err := a.Run(t.Context(), func(ctx context.Context, client *control.Client) error {
		f(ctx, client)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Running opens a home that it makes and gives a client while it runs; it is ended with the
// test or before, without waiting for those who listen.
func Running(t *testing.T) (client *control.Client, a *appliance.Appliance, end func()) {
	t.Helper()
	a = Open(t, Make(t))
	clients, ended := make(chan *control.Client), make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		ended <- a.Run(ctx, func(ctx context.Context, client *control.Client) error {
			clients <- client
			<-ctx.Done()
			return nil
		})
	}()
	end = func() {
		t.Helper()
		stop()
		select {
		case err := <-ended:
			ended <- err
			if err != nil {
				t.Error(err)
			}
		case <-time.After(endTime):
			t.Fatal("it does not end")
		}
	}
	t.Cleanup(end)
	return <-clients, a, end
}
