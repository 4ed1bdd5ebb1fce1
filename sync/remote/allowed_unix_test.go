//go:build unix

package remote_test

import (
	"errors"
	"footbridge/core"
	"footbridge/sync/remote"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A folder that may not be written to is told apart from one that is away. The
// superuser may write anywhere, so for it the test runs again as somebody else.
func TestNotAllowed(t *testing.T) {
	if os.Geteuid() == 0 {
		runAsNobody(t)
		return
	}
	root := t.TempDir()
	r := open(t, root)
	if err := os.Chmod(root, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := r.PutBytes(t.Context(), path, []byte("bytes"), ""); !errors.Is(err, os.ErrPermission) || !errors.Is(err, core.ErrLocked) {
		t.Errorf("got %v", err)
	}
	checks := r.Probe(t.Context())
	if len(checks) < 2 || checks[1].OK || checks[1].Trouble != remote.Locked || checks[1].Advice == "" {
		t.Errorf("tried out it is %+v", checks)
	}
}

// runAsNobody runs this test in a copy of this program that has no rights.
func runAsNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("/tmp", "footbridge-nobody-") // where nobody may come
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "test")
	if err := errors.Join(os.WriteFile(copied, text, 0o755), os.Chown(dir, nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, "-test.run=^TestNotAllowed$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestNotAllowed") {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}
