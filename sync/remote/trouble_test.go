package remote_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/fshttp"
	"github.com/rclone/rclone/fs/rc"
	"golang.org/x/crypto/ssh"

	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
)

// impatient gives a context under which a line is dead after two seconds.
func impatient(t *testing.T) context.Context {
	ctx, config := fs.AddConfig(t.Context())
	config.Timeout, config.ConnectTimeout = fs.Duration(2*time.Second), fs.Duration(2*time.Second)
	fshttp.ResetTransport() // one is shared by all WebDAV remotes of a process
	t.Cleanup(fshttp.ResetTransport)
	return ctx
}

// parts gives bytes that differ from each other, so that nothing is the same
// when it is put in another place.
func parts(size int) []byte {
	data := make([]byte, size)
	_, _ = io.ReadFull(pattern(), data)
	return data
}

// A large file whose line breaks in the middle leaves nothing that anyone could
// take for the whole, and goes through once the line holds.
func TestALineThatBreaksInTheMiddle(t *testing.T) {
	data := parts(20 << 20)
	for name, toxic := range map[string]struct {
		kind       string
		attributes map[string]any
	}{
		"cut":     {"limit_data", map[string]any{"bytes": 5 << 20}},
		"reset":   {"reset_peer", map[string]any{"timeout": 30}},
		"hanging": {"timeout", map[string]any{"timeout": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			onServers(t, func(t *testing.T, s *remotetest.Server) {
				ctx := impatient(t)
				line := remotetest.NewLine(t, s.Addr)
				r := reach(t, s.Through(line.Addr))
				if err := r.PutBytes(ctx, "project.json", []byte("{}"), ""); err != nil {
					t.Fatal(err)
				}
				obj, _ := object(path, data, map[string]string{"recordId": "1"})
				line.Toxic(toxic.kind, true, toxic.attributes)
				since := time.Now()
				err := r.Put(ctx, obj)
				if err == nil || errors.Is(err, os.ErrPermission) || errors.Is(err, core.ErrDigestMismatch) || errors.Is(err, core.ErrNotFound) {
					t.Errorf("put: %v", err)
				}
				if took := time.Since(since); took > 20*time.Second {
					t.Errorf("it took %v to see that the line is dead", took)
				}
				if _, err := os.Stat(filepath.Join(s.Folder(), path)); err == nil {
					t.Error("half of it is to be seen")
				}
				line.Mend()
				for try := range 3 { // what was under way fails once more
					if err = r.Put(ctx, obj); err == nil {
						break
					}
					t.Logf("try %d on the mended line: %v", try, err)
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := reach(t, s.Spec()).Verify(t.Context(), path, obj.Digest); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(filepath.Join(s.Folder(), path)); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes arrived (%v)", len(got), err)
				}
			})
		})
	}
}

// A slow line is no dead one.
func TestASlowLine(t *testing.T) {
	onServers(t, func(t *testing.T, s *remotetest.Server) {
		ctx := t.Context()
		line := remotetest.NewLine(t, s.Addr)
		line.Toxic("latency", false, map[string]any{"latency": 30, "jitter": 20})
		line.Toxic("bandwidth", true, map[string]any{"rate": 300})
		line.Toxic("slow_close", false, map[string]any{"delay": 100})
		r := reach(t, s.Through(line.Addr))
		obj, _ := object(path, parts(1<<20), nil)
		if err := r.Put(ctx, obj); err != nil {
			t.Fatal(err)
		}
		if err := r.Verify(ctx, path, obj.Digest); err != nil {
			t.Error(err)
		}
	})
}

// The source of an interrupted Put is told apart from the line.
func TestAnInterruptedPutToAServer(t *testing.T) {
	onServers(t, func(t *testing.T, s *remotetest.Server) {
		r := reach(t, s.Spec())
		data := parts(4 << 20)
		broken := errors.New("the key was lost")
		for name, test := range map[string]struct {
			tail io.Reader
			want error
		}{
			"the source breaks":       {reader(func([]byte) (int, error) { return 0, broken }), broken},
			"the source ends early":   {strings.NewReader(""), core.ErrDigestMismatch},
			"the source has too much": {bytes.NewReader(data), core.ErrDigestMismatch},
			"other bytes":             {bytes.NewReader(data[:len(data)/2]), core.ErrDigestMismatch},
		} {
			obj, _ := object(path, data, nil)
			obj.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(bytes.NewReader(data[:len(data)/2]), test.tail)), nil
			}
			if err := r.Put(t.Context(), obj); !errors.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := os.Stat(filepath.Join(s.Folder(), path)); err == nil {
				t.Error(name, "is to be seen")
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		obj, _ := object(path, data, nil)
		obj.Open = func(ctx context.Context) (io.ReadCloser, error) {
			return io.NopCloser(reader(func(p []byte) (int, error) { cancel(); return 0, ctx.Err() })), nil
		}
		if err := r.Put(ctx, obj); !errors.Is(err, context.Canceled) {
			t.Error("cancelled:", err)
		}
	})
}

// No remote is given the last bytes of a source that is not what was promised,
// however few it takes at a time: one that has the whole length may answer at once.
func TestASourceThatIsWrongNeverComesToItsEnd(t *testing.T) {
	data := parts(100)
	for name, test := range map[string]struct {
		given, then string
		end         error
		want        error
	}{
		"right":              {string(data), "", io.EOF, nil},
		"other bytes":        {string(data[:99]) + "\x00", "", io.EOF, core.ErrDigestMismatch},
		"too short":          {string(data[:99]), "", io.EOF, core.ErrDigestMismatch},
		"too long":           {string(data) + "x", "", io.EOF, core.ErrDigestMismatch},
		"more comes later":   {string(data), "x", io.EOF, core.ErrDigestMismatch},
		"its end is missing": {string(data), "", io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
	} {
		for _, some := range []int{1, 7, 100, 1000} {
			obj, _ := object(path, data, nil)
			obj.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader(test.given), strings.NewReader(test.then), iotest.ErrReader(test.end))), nil
			}
			in, err := remote.Source(obj).Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for buffer := make([]byte, some); err == nil; {
				var n int
				n, err = in.Read(buffer)
				got = append(got, buffer[:n]...)
			}
			if whole := len(got) >= len(data); whole != (test.want == nil) || !errors.Is(err, cmp.Or(test.want, io.EOF)) {
				t.Errorf("%s, %d at a time: %d bytes, then %v", name, some, len(got), err)
			}
		}
	}
}

// refusal is what every verb says of a remote that cannot be used.
func refusal(t *testing.T, ctx context.Context, r *remote.Remote) map[string]error {
	t.Helper()
	obj, _ := object(path, []byte("bytes"), map[string]string{"recordId": "1"})
	_, exists := r.Exists(ctx, path)
	_, list := r.List(ctx, ".")
	_, metadata := r.Metadata(ctx, path)
	_, hash := r.Hash(ctx, path)
	return map[string]error{
		"put": r.Put(ctx, obj), "verify": r.Verify(ctx, path, obj.Digest), "exists": exists, "list": list,
		"metadata": metadata, "hash": hash, "remove": r.Remove(ctx, path),
	}
}

func TestServersThatCannotBeUsed(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, kind := range remotetest.Kinds {
		s := remotetest.Start(t, kind)
		for name, test := range map[string]struct {
			spec    string
			trouble remote.Trouble
			allowed bool
		}{
			"wrong password": {remotetest.Spec(kind, s.Addr, "wr0ng-password", remotetest.Place), remote.WrongKey, false},
			"no such host":   {remotetest.Spec(kind, "nowhere.invalid:80", remotetest.Key, remotetest.Place), remote.UnknownHost, true},
			"nothing there":  {remotetest.Spec(kind, closed.Addr().String(), remotetest.Key, remotetest.Place), remote.Refused, true},
			"no such place":  {remotetest.Spec(kind, s.Addr, remotetest.Key, "elsewhere"), map[bool]remote.Trouble{true: remote.NoBucket, false: remote.NoFolder}[kind == "s3"], true},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				for verb, err := range refusal(t, impatient(t), reach(t, test.spec)) {
					switch {
					case err == nil:
						t.Errorf("%s: no error", verb)
						continue
					case remote.TroubleOf(err) != test.trouble:
						t.Errorf("%s: %q is a trouble of kind %q", verb, err, remote.TroubleOf(err))
					case errors.Is(err, os.ErrPermission) == test.allowed, errors.Is(err, core.ErrNotFound), errors.Is(err, core.ErrDigestMismatch):
						t.Errorf("%s: %q is of the wrong class", verb, err)
					}
					for _, secret := range []string{remotetest.Key, "wr0ng-password", "http://", "tapping.zip"} {
						if strings.Contains(err.Error(), secret) {
							t.Errorf("%s tells %s: %v", verb, secret, err)
						}
					}
				}
			})
		}
	}
}

func TestAnAccountThatMayOnlyRead(t *testing.T) {
	onServers(t, func(t *testing.T, s *remotetest.Server) {
		if err := reach(t, s.Spec()).PutBytes(t.Context(), path, []byte("bytes"), ""); err != nil {
			t.Fatal(err)
		}
		r := reach(t, s.ReadOnly(t).Spec())
		if err := r.Verify(t.Context(), path, digest([]byte("bytes"))); err != nil {
			t.Error("verify:", err)
		}
		for verb, err := range map[string]error{
			"put": r.PutBytes(t.Context(), "other", []byte("b"), ""), "replace": r.PutBytes(t.Context(), path, []byte("b"), ""), "remove": r.Remove(t.Context(), path),
		} {
			t.Logf("%s: %v (%v)", verb, err, errors.Is(err, os.ErrPermission))
			if err == nil {
				t.Errorf("%s was done", verb)
			}
		}
		holds(t, s.Folder(), map[string]string{path: "bytes"})
	})
}

// A network that answers everything with its sign-in page takes nothing in, and
// is not taken for a repository that is damaged or empty.
func TestACaptivePortal(t *testing.T) {
	for _, leads := range []bool{false, true} {
		portal := remotetest.Portal(t, leads)
		for _, kind := range []string{"s3", "webdav"} {
			s := remotetest.Start(t, kind)
			line := remotetest.NewLine(t, s.Addr)
			known := reach(t, s.Through(line.Addr))
			if err := known.PutBytes(t.Context(), "project.json", []byte("{}"), ""); err != nil {
				t.Fatal(err)
			}
			line.Lead(portal)
			for name, r := range map[string]*remote.Remote{"known before": known, "new": reach(t, remotetest.Spec(kind, portal, remotetest.Key, remotetest.Place))} {
				for verb, err := range refusal(t, impatient(t), r) {
					trouble := remote.TroubleOf(err) // of a connection that was open, it may be that it ended
					if err == nil || trouble != remote.Portal && (trouble != remote.Silent || r != known) || errors.Is(err, core.ErrImpostor) != (trouble == remote.Portal) || errors.Is(err, core.ErrDigestMismatch) || errors.Is(err, os.ErrPermission) || errors.Is(err, core.ErrNotFound) {
						t.Errorf("%s, %s, leads %v: %s: %v", kind, name, leads, verb, err)
					}
				}
			}
		}
	}
}

// An SSH server is known by its key from the first time on: another one in its
// place is not told the password.
func TestAnSSHServerWithAnotherKey(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, remotetest.Place), 0o755); err != nil {
		t.Fatal(err)
	}
	var servers []*remotetest.Server
	for _, name := range []string{"one", "another"} {
		_, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(key, "")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		servers = append(servers, remotetest.Serve(t, "sftp", root, rc.Params{"key": []string{file}}))
	}
	line := remotetest.NewLine(t, servers[0].Addr)
	r := reach(t, servers[0].Through(line.Addr))
	if err := r.PutBytes(t.Context(), path, []byte("bytes"), ""); err != nil {
		t.Fatal(err)
	}
	line.Lead(servers[1].Addr)
	var err error
	for range 3 { // the old connection has to be found dead first
		err = r.PutBytes(t.Context(), path, []byte("other bytes"), "")
	}
	if remote.TroubleOf(err) != remote.Certificate {
		t.Errorf("another server: %v", err)
	}
	line.Lead(servers[0].Addr)
	if err := r.PutBytes(t.Context(), path, []byte("other bytes"), ""); err != nil {
		t.Errorf("the first server again: %v", err)
	}
}
