package remotetest

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	_ "github.com/rclone/rclone/cmd/serve/s3"
	_ "github.com/rclone/rclone/cmd/serve/sftp"
	_ "github.com/rclone/rclone/cmd/serve/webdav"
	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/obscure"
	"github.com/rclone/rclone/fs/rc"
)

// The account that every server knows.
const (
	User = "footbridge"
	Key  = "c0rrect-horse-battery"
)

// Place is where every server keeps what it is given: a bucket, or a folder.
const Place = "studies"

// Kinds are the servers that there are.
var Kinds = []string{"s3", "sftp", "webdav"}

// Server is a server that runs until the test ends.
type Server struct {
	Kind string
	Addr string // host:port
	Root string // the folder that it serves; Place is in it
}

// Start starts a server of a kind over a new folder.
func Start(t testing.TB, kind string) *Server {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, Place), 0o755); err != nil {
		t.Fatal(err)
	}
	return Serve(t, kind, root, nil)
}

// ReadOnly starts a server over the same folder that takes nothing.
func (s *Server) ReadOnly(t testing.TB) *Server {
	t.Helper()
	return Serve(t, s.Kind, s.Root, rc.Params{"read_only": true})
}

// Serve starts a server of a kind over a folder, with rclone's options.
func Serve(t testing.TB, kind, root string, options rc.Params) *Server {
	t.Helper()
	addr, stop, err := Listen(kind, root, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Log(err)
		}
	})
	return &Server{Kind: kind, Addr: addr, Root: root}
}

// Listen starts a server of a kind over a folder, for who is no test. It gives
// the server's address, and how to stop it.
func Listen(kind, root string, options rc.Params) (addr string, stop func() error, err error) {
	prepared.Do(prepare)
	params := rc.Params{"type": kind, "fs": root, "addr": "127.0.0.1:0"}
	switch kind {
	case "s3":
		params["auth_key"] = []string{User + "," + Key}
	default:
		params["user"], params["pass"] = User, Key
	}
	maps.Copy(params, options)
	out, err := rc.Calls.Get("serve/start").Fn(context.Background(), params)
	if err != nil {
		return "", nil, fmt.Errorf("serve %s: %w", kind, err)
	}
	id, _ := out.GetString("id")
	addr, _ = out.GetString("addr")
	return addr, func() error {
		_, err := rc.Calls.Get("serve/stop").Fn(context.Background(), rc.Params{"id": id})
		return err
	}, nil
}

// prepared is held here because what is prepared is one for the whole process.
var prepared sync.Once

// prepare does what servers of rclone's would race with each other for: it turns
// logging off, as sync/remote does, and lets WebDAV register its methods.
func prepare() {
	if config := fs.GetConfig(context.Background()); config.LogLevel != fs.LogLevelEmergency {
		fs.SetLogger(slog.DiscardHandler)
		config.LogLevel = fs.LogLevelEmergency
	}
	first, err := rc.Calls.Get("serve/start").Fn(context.Background(), rc.Params{"type": "webdav", "fs": os.TempDir(), "addr": "127.0.0.1:0"})
	if err != nil {
		return // whoever wants one is told
	}
	id, _ := first.GetString("id")
	_, _ = rc.Calls.Get("serve/stop").Fn(context.Background(), rc.Params{"id": id})
}

// Folder is the folder on disk that holds the server's place.
func (s *Server) Folder() string { return filepath.Join(s.Root, Place) }

// Spec names the server's place as settings do.
func (s *Server) Spec() string { return Spec(s.Kind, s.Addr, Key, Place) }

// Through names it as it is reached by another address.
func (s *Server) Through(addr string) string { return Spec(s.Kind, addr, Key, Place) }

// Spec names a place on a server of a kind as settings do.
func Spec(kind, addr, key, place string) string {
	host, port, _ := net.SplitHostPort(addr)
	switch kind {
	case "s3":
		return fmt.Sprintf("rclone::s3,provider=Rclone,access_key_id=%s,secret_access_key='%s',endpoint='http://%s':%s", User, key, addr, place)
	case "sftp":
		return fmt.Sprintf("rclone::sftp,host=%s,port=%s,user=%s,pass=%s:%s", host, port, User, obscure.MustObscure(key), place)
	}
	return fmt.Sprintf("rclone::webdav,url='http://%s',vendor=other,user=%s,pass=%s:%s", addr, User, obscure.MustObscure(key), place)
}
