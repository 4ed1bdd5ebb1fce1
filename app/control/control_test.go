package control_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/app/control"
)

// home is a folder whose path has so many bytes.
func home(t *testing.T, length int) string {
	t.Helper()
	dir := t.TempDir()
	if rest := length - len(dir) - 1; rest > 0 {
		dir = filepath.Join(dir, strings.Repeat("h", rest))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// serve answers on the socket of a home.
func serve(t *testing.T, home string, handler http.HandlerFunc) {
	t.Helper()
	l, err := control.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
}

func client(t *testing.T, home string) *control.Client {
	t.Helper()
	transport, ok := control.Dial(home)
	if !ok {
		t.Fatalf("nothing answers at %s", control.Path(home))
	}
	return control.NewClient(transport)
}

func TestWhereTheSocketLies(t *testing.T) {
	short := filepath.Join("/", strings.Repeat("h", 100-len("/")-len("/control.sock")))
	long := short + "h"
	runtime := t.TempDir()
	for name, row := range map[string]struct{ home, runtime, temp, want string }{
		"in the home":                      {short, runtime, "", filepath.Join(short, "control.sock")},
		"in the runtime folder":            {long, "/run/user/1000", "", "/run/user/1000/footbridge-"},
		"among the temporary ones":         {long, "", "/var/tmp", fmt.Sprintf("/var/tmp/footbridge-%d/footbridge-", os.Getuid())},
		"in a runtime folder that is long": {long, strings.Repeat("/r", 60), "/var/tmp", fmt.Sprintf("/var/tmp/footbridge-%d/footbridge-", os.Getuid())},
		"where all are long":               {long, strings.Repeat("/r", 60), strings.Repeat("/t", 60), fmt.Sprintf("/tmp/footbridge-%d/footbridge-", os.Getuid())},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", row.runtime)
			t.Setenv("TMPDIR", row.temp)
			got := control.Path(row.home)
			if !strings.HasPrefix(got, row.want) || len(got) > 100 {
				t.Errorf("got %s, want %s", got, row.want)
			}
			if other := control.Path(row.home + "/other"); other == got {
				t.Error("two homes share a socket")
			}
		})
	}
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if control.Path("h") != control.Path(filepath.Join(here, "h")) {
		t.Error("a home has two sockets")
	}
}

func TestTheSocketIsTheOperatorsAlone(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", "/tmp/")
	temp, err := os.MkdirTemp("/tmp", "fb")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	t.Setenv("TMPDIR", temp)
	for _, length := range []int{0, 200} {
		home := home(t, length)
		for range 2 { // the second finds the socket of the first, which is dead
			l, err := control.Listen(home)
			if err != nil {
				t.Fatal(err)
			}
			l.(*net.UnixListener).SetUnlinkOnClose(false)
			info, err := os.Stat(control.Path(home))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if dir, err := os.Stat(filepath.Dir(control.Path(home))); length > 0 && (err != nil || dir.Mode().Perm() != 0o700) {
				t.Errorf("folder %v, %v", dir.Mode(), err)
			}
			l.Close()
			if _, ok := control.Dial(home); ok {
				t.Error("a dead socket answers")
			}
		}
	}
	long := home(t, 200)
	dir := filepath.Dir(control.Path(long))
	os.Chmod(dir, 0o777)
	if _, err := control.Listen(long); err == nil || !strings.Contains(err.Error(), "is open to others") {
		t.Errorf("a folder that others may write to: %v", err)
	}
	os.RemoveAll(dir)
	os.Symlink(t.TempDir(), dir)
	if _, err := control.Listen(long); err == nil {
		t.Error("a link to another folder is followed")
	}
}

func TestCalls(t *testing.T) {
	home := home(t, 0)
	serve(t, home, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		json.NewEncoder(w).Encode(map[string]string{"asked": r.Method + " " + r.URL.String(), "said": string(raw)})
	})
	c := client(t, home)
	for _, row := range []struct {
		in   any
		said string
	}{{nil, ""}, {map[string]int{"a": 1}, `{"a":1}`}} {
		var out struct{ Asked, Said string }
		if err := c.Call(t.Context(), "POST", "/v5/studies?x=%20", row.in, &out); err != nil || out.Said != row.said || out.Asked != "POST /v5/studies?x=%20" {
			t.Errorf("%+v, %v", out, err)
		}
	}
	if err := c.Call(t.Context(), "POST", "/", nil, nil); err != nil {
		t.Error(err)
	}
	if err := c.Call(t.Context(), "POST", "/", func() {}, nil); err == nil || !strings.HasPrefix(err.Error(), "write the request: ") {
		t.Error(err)
	}
	body, err := c.Open(t.Context(), "GET", "/view", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if raw, err := io.ReadAll(body); err != nil || !strings.Contains(string(raw), "GET /view") {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestTheWordsOfARefusal(t *testing.T) {
	home := home(t, 0)
	serve(t, home, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/200" {
			io.WriteString(w, "no JSON")
			return
		}
		w.WriteHeader(map[string]int{"/404": 404, "/500": 500, "/503": 503}[r.URL.Path])
		io.WriteString(w, map[string]string{"/404": `{"message":"Study x was not found."}`, "/500": "<html>", "/503": "{}"}[r.URL.Path])
	})
	c := client(t, home)
	for path, want := range map[string]string{
		"/404": "Study x was not found.",
		"/500": "The appliance answered 500 Internal Server Error.",
		"/503": "The appliance answered 503 Service Unavailable.",
		"/200": "read the answer: invalid character 'o' in literal null (expecting 'u')",
	} {
		var out any
		if err := c.Call(t.Context(), "GET", path, nil, &out); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
}

func TestAnApplianceThatGoesAway(t *testing.T) {
	home := home(t, 0)
	if _, ok := control.Dial(home); ok {
		t.Error("an appliance that never ran answers")
	}
	serve(t, home, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if err := client(t, home).Call(t.Context(), "GET", "/", nil, nil); err == nil || err.Error() != "ask the appliance: EOF" {
		t.Error(err)
	}
}
