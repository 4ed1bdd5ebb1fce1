package control

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// pathMax is the longest path a socket may have on every system, in bytes.
const pathMax = 100

// Path is where the socket of a home folder lies.
func Path(home string) string {
	path := filepath.Join(home, "control.sock")
	if len(path) <= pathMax {
		return path
	}
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	if runtime == "" {
		runtime = filepath.Join(os.TempDir(), fmt.Sprintf("footbridge-%d", os.Getuid()))
	}
	sum := sha256.Sum256([]byte(home))
	return filepath.Join(runtime, "footbridge-"+hex.EncodeToString(sum[:8])+".sock")
}

// Listen opens the socket of a home folder. The caller holds the home's lock, so
// a socket that is there already is a dead one's.
func Listen(home string) (net.Listener, error) {
	path := Path(home)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	return l, nil
}

// Dial gives a transport to the appliance that runs on a home folder; false
// where none answers.
func Dial(home string) (http.RoundTripper, bool) {
	dial := func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{Timeout: 2 * time.Second}).DialContext(ctx, "unix", Path(home))
	}
	conn, err := dial(context.Background())
	if err != nil {
		return nil, false
	}
	conn.Close()
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }}, true
}
