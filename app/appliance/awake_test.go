package appliance_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/ui/view"
)

// Data moves while it is processed, and while it is sent for more than a moment.
func TestWhetherDataMoves(t *testing.T) {
	home := appliancetest.Make(t)
	for name, bandwidth := range map[string]string{"at full speed": "0", "at a pace": "1000000000"} {
		t.Run(name, func(t *testing.T) {
			if err := config.Change(home, "sync.bandwidth", bandwidth); err != nil {
				t.Fatal(err)
			}
			a := appliancetest.Open(t, home)
			defer a.Close()
			moves, felt, sent := a.Pulse()
			if moves() {
				t.Error("it moves while all is still")
			}
			felt(func() {
				if !moves() {
					t.Error("it does not move while an upload is processed")
				}
			})
			if moves() {
				t.Error("it moves after the upload was processed")
			}
			file := sent(bytes.NewReader(make([]byte, 4<<10)))
			read := func() {
				t.Helper()
				if _, err := io.ReadFull(file, make([]byte, 1<<10)); err != nil {
					t.Fatal(err)
				}
			}
			read()
			if moves() {
				t.Error("a vain attempt is taken for sending")
			}
			read()
			if !moves() {
				t.Error("it does not move while a file is sent")
			}
			if moves() {
				t.Error("it moves after the file was sent")
			}
		})
	}
}

// A record that arrived has moved, once; those that had arrived before have not.
func TestARecordThatArrives(t *testing.T) {
	home := appliancetest.Make(t)
	a := appliancetest.Open(t, home)
	err := a.Run(t.Context(), func(ctx context.Context, client *control.Client) error {
		participant := map[string]any{"externalIds": map[string]string{"sleep": "p1"}, "sharingScope": "sponsors_and_partners"}
		if err := client.Call(ctx, http.MethodPost, "/v5/studies/sleep/participants", participant, nil); err != nil {
			return err
		}
		exported := func(wanted int) {
			t.Helper()
			for until := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
				var o view.Overview
				if err := client.Call(ctx, http.MethodGet, "/local/v1/status", nil, &o); err != nil {
					t.Fatal(err)
				}
				if o.Destinations[0].Exported == wanted {
					return
				}
				if time.Now().After(until) {
					t.Fatalf("%+v", o)
				}
			}
		}
		moves, _, _ := a.Pulse()
		moves() // what moved before is no news
		for n := range 2 {
			if err := os.MkdirAll(filepath.Join(home, "inbox", "p1"), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(home, "inbox", "p1", "walk.txt"), []byte{byte(n)}, 0o600); err != nil {
				return err
			}
			exported(n + 1)
			if !moves() || moves() {
				t.Errorf("record %d did not move once", n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
