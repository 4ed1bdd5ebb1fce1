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
	"runtime"
	"strings"
	"time"
)

// pathMax is the longest path a socket may have on every system, in bytes.
const pathMax = 100

// Path is where the socket of a home folder lies: in it, else in the first of the
// user's runtime folder, a folder of the user's among the temporary ones, and one
// in /tmp whose path is short enough.
func Path(home string) string {
	home = absolute(home)
	path := filepath.Join(home, "control.sock")
	if len(path) <= pathMax {
		return path
	}
	sum := sha256.Sum256([]byte(home))
	name := "footbridge-" + hex.EncodeToString(sum[:8]) + ".sock"
	own := fmt.Sprintf("footbridge-%d", os.Getuid())
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), filepath.Join(os.TempDir(), own), filepath.Join("/tmp", own)} {
		if path = filepath.Join(dir, name); dir != "" && len(path) <= pathMax {
			return path
		}
	}
	return path
}

// Listen opens the socket of a home folder. The caller holds the home's lock, so
// a socket that is there already is a dead one's.
func Listen(home string) (net.Listener, error) {
	path := Path(home)
	if err := private(filepath.Dir(path), filepath.Dir(path) != filepath.Clean(home)); err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	err = os.Chmod(path, 0o600)
	if err == nil {
		err = note(home, path)
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	return l, nil
}

// private makes the folder of a socket. One outside the home must be closed to
// others: whoever may write there could put a socket of their own in its place.
func private(dir string, outside bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if outside && runtime.GOOS != "windows" && (!info.IsDir() || info.Mode().Perm()&0o077 != 0 || !owned(info)) {
		return fmt.Errorf("the folder %s is open to others; remove it, or use a --home with a shorter path", dir)
	}
	return nil
}

// pathFile says, in a home whose socket lies elsewhere, where: another shell may
// know of other runtime folders than the one that the appliance was started
// from. It names the home too, so that a copy of the home is not taken for it.
const pathFile = "control.path"

// known is where the socket of a home folder was said to lie, else where it
// would be put.
func known(home string) string {
	text, err := os.ReadFile(filepath.Join(home, pathFile))
	if of, path, ok := strings.Cut(string(text), "\n"); err == nil && ok && of == absolute(home) {
		return path
	}
	return Path(home)
}

// note writes down where the socket of a home lies, if that is elsewhere.
func note(home, path string) error {
	name := filepath.Join(home, pathFile)
	if filepath.Dir(path) == absolute(home) {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	return os.WriteFile(name, []byte(absolute(home)+"\n"+path), 0o600)
}

// absolute is the same for a home from wherever a command is called.
func absolute(home string) string {
	if path, err := filepath.Abs(home); err == nil {
		return path
	}
	return home
}

// Dial gives a transport to the appliance that runs on a home folder; false
// where none answers.
func Dial(home string) (http.RoundTripper, bool) {
	conn, err := dial(context.Background(), home)
	if err != nil {
		return nil, false
	}
	conn.Close()
	return Line(home), true
}

// Line gives a transport to whichever appliance runs on a home folder at the moment
// of a call; none need run now.
func Line(home string) http.RoundTripper {
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, home) }}
}

func dial(ctx context.Context, home string) (net.Conn, error) {
	return (&net.Dialer{Timeout: 2 * time.Second}).DialContext(ctx, "unix", known(home))
}

// answerTime is how long an appliance may take to show that it is alive.
const answerTime = time.Second

// Answers reports whether an appliance is alive on a home folder. One that was
// killed may still take a connection for a moment, but answers nothing.
func Answers(ctx context.Context, home string) bool {
	transport, ok := Dial(home)
	if !ok {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return NewClient(transport).Call(ctx, http.MethodGet, "/healthz", nil, nil) == nil
}
