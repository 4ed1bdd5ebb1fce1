package appliance_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/app/appliance"
	"footbridge/app/appliance/appliancetest"
	"footbridge/app/control"
	"footbridge/app/local/setup"
)

// A home is made once; where there is none, none is opened.
func TestAHomeIsMadeOnce(t *testing.T) {
	empty := t.TempDir()
	if _, err := appliance.Open(t.Context(), empty, nil); err == nil || !strings.Contains(err.Error(), "there is no Footbridge") {
		t.Errorf("opening an empty folder: %v", err)
	}
	if left, _ := os.ReadDir(empty); len(left) > 0 {
		t.Errorf("it made %v there", left)
	}
	if _, err := appliance.Make(t.Context(), appliancetest.Make(t), appliancetest.Plan()); err == nil || !strings.Contains(err.Error(), "already, for the app test-app") {
		t.Errorf("making it again: %v", err)
	}
}

// A home whose project could not be made exports nothing, and says why.
func TestAHomeWithoutItsRepository(t *testing.T) {
	elsewhere := appliancetest.Plan()
	elsewhere.Repository = "rclone:nowhere:site"
	m, err := appliance.Make(t.Context(), filepath.Join(t.TempDir(), "h"), elsewhere)
	if err != nil || m.NoProject == nil || m.Configured {
		t.Errorf("%+v (%v)", m, err)
	}
}

// Whoever has a home open has it alone, until it is closed.
func TestAHomeIsOpenOnce(t *testing.T) {
	home := appliancetest.Make(t)
	first := appliancetest.Open(t, home)
	if _, err := appliance.Open(t.Context(), home, nil); !errors.Is(err, appliance.ErrRunning) {
		t.Errorf("opening it twice: %v", err)
	}
	for range 2 { // closing is idempotent
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
	}
	appliancetest.Open(t, home)
}

// While it runs, the operator is answered on the socket and devices at the doors;
// afterwards nobody is.
func TestItAnswersWhileItRuns(t *testing.T) {
	home := appliancetest.Make(t)
	a := appliancetest.Open(t, home)
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + door.Addr().String()
	status := func(path string) int {
		answer, err := http.Get(url + path)
		if err != nil {
			return 0
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	lost := errors.New("whatever f says")
	err = a.Run(t.Context(), func(ctx context.Context, client *control.Client) error {
		var keys []setup.KeyLine
		if err := client.Call(ctx, http.MethodGet, "/local/v1/keys", nil, &keys); err != nil || len(keys) != 1 || !keys[0].Current {
			t.Errorf("the operator is told of the keys %+v (%v)", keys, err)
		}
		if healthy, local := status("/healthz"), status("/local/v1/keys"); healthy != 200 || local == 200 {
			t.Errorf("a device is answered %d, and %d where it has no business", healthy, local)
		}
		return lost
	}, door)
	if !errors.Is(err, lost) {
		t.Errorf("it ended with %v", err)
	}
	if control.Answers(t.Context(), home) || status("/healthz") != 0 {
		t.Error("it answers after it ended")
	}
}
