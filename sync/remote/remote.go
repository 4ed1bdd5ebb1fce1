package remote

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
)

// Remote is one place that holds objects. All its methods may be called at
// once, but no two of them for the same path where one of them writes.
type Remote struct {
	name    string // for people; without secrets
	info    *fs.RegInfo
	kind    kind
	path    string // of the place within the remote
	options configmap.Simple
	folder  *folder // nil unless the remote is a folder of this machine
	secret  []string

	dialling chan struct{} // held by whoever opens or closes the line
	opened   *line         // nil while there is none
	large    chan struct{} // held by each large file on its way
	recent   recent
	learned  learned
}

// Open gives the remote that spec names:
//
//   - folder:PATH, a folder of this machine;
//   - rclone:NAME or rclone:NAME:PATH, a section of configFile, which is read
//     as an rclone.conf; it need not exist otherwise;
//   - rclone::TYPE,option=value:PATH, an rclone connection string.
//
// The types are local, s3, sftp, webdav, azureblob, google cloud storage, drive,
// dropbox, onedrive, and crypt around any of them.
//
// Errors are one sentence for whoever wrote the settings. Nothing is sent or
// made yet, so a remote that is away may well be opened, a folder that is
// missing too: Make makes it. There is nothing to close.
func Open(ctx context.Context, spec, configFile string) (*Remote, error) {
	quiet()
	scheme, rest, _ := strings.Cut(spec, ":")
	switch {
	case scheme == "folder" && rest != "":
		return open(ctx, place{kind: "local", name: "folder", path: rest})
	case scheme == "rclone" && rest != "":
		place, err := locate(rest, configFile)
		if err != nil {
			return nil, err
		}
		return open(ctx, place)
	}
	return nil, errors.New("open repository: it must read folder:PATH or rclone:REMOTE")
}

// open makes the remote of a place.
func open(ctx context.Context, p place) (*Remote, error) {
	info, err := p.info()
	if err != nil {
		return nil, err
	}
	r := &Remote{
		name: p.name, info: info, kind: kinds[p.kind], path: p.path, options: p.options, secret: secrets(info, p.options),
		dialling: make(chan struct{}, 1), large: make(chan struct{}, largeAtOnce),
	}
	switch p.kind {
	case "crypt":
		if err := r.wrap(p); err != nil {
			return nil, r.failure(ctx, "open", p.name, err)
		}
	case "local":
		if p.options["encoding"] != "" {
			return nil, r.failure(ctx, "open", p.name, errors.New("a folder of this machine takes no encoding"))
		}
		if r.path, err = filepath.Abs(p.path); err != nil {
			return nil, r.failure(ctx, "open", p.name, err)
		}
		r.folder = newFolder(r.path)
	}
	if r.folder != nil { // it costs nothing, and tells what is wrong with the settings
		if r.opened, err = r.dial(configured(ctx)); err != nil {
			return nil, r.failure(ctx, "open", p.name, err)
		}
	}
	return r, nil
}

// Make makes the place that the remote is, durably in a folder of this machine,
// which then is its owner's alone. That it is there already is no error, so Make
// may be repeated. Nothing else makes it: a folder that is missing is most
// likely on a disk that is not connected, and what was put into a new one in
// its place would be hidden as soon as the disk is back. A bucket is not made:
// its owner decides on region, encryption and access as they make it.
func (r *Remote) Make(ctx context.Context) error {
	ctx = configured(ctx)
	if err := r.make(ctx); err != nil {
		return r.failure(ctx, "make", r.String(), err)
	}
	return nil
}

func (r *Remote) make(ctx context.Context) error {
	if r.folder != nil {
		return r.folder.make()
	}
	if r.kind.buckets {
		_, err := r.line(ctx)
		return err
	}
	l, err := r.dial(ctx)
	if err != nil {
		return err
	}
	defer l.close(ctx)
	return l.fs.Mkdir(ctx, "")
}

// Local reports whether the remote is a folder of this machine.
func (r *Remote) Local() bool { return r.folder != nil }

// String names the remote for people, without secrets.
func (r *Remote) String() string {
	if r.folder != nil && r.info.Name == "local" {
		return "folder " + r.folder.root
	}
	return "rclone remote " + r.name
}
