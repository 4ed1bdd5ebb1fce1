package remote

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
	"github.com/rclone/rclone/fs/fspath"
	"github.com/rclone/rclone/fs/hash"
)

// Remote is one place that holds objects. All its methods may be called at
// once, but no two of them for the same path where one of them writes.
type Remote struct {
	name   string // for people; without secrets
	fs     fs.Fs
	folder *folder // nil unless the remote is a folder of this machine
	labels labels
	md5    bool // the remote tells the MD5 of what it holds
	staged bool // files appear by renaming
	secret []string
}

// Open gives the remote that spec names:
//
//   - folder:PATH, a folder of this machine;
//   - rclone:NAME or rclone:NAME:PATH, a section of configFile, which is read
//     as an rclone.conf; it need not exist otherwise;
//   - rclone::TYPE,option=value:PATH, an rclone connection string.
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

// place is a remote as settings name it.
type place struct {
	kind    string // rclone's name of the backend
	name    string
	path    string
	options configmap.Simple
}

// locate reads what stands after rclone: in a spec.
func locate(remote, configFile string) (place, error) {
	if !strings.Contains(remote, ":") {
		remote += ":"
	}
	parsed, err := fspath.Parse(remote)
	if err != nil {
		return place{}, fmt.Errorf("open rclone remote: read its name: %w", err)
	}
	if parsed.Name == "" {
		return place{}, errors.New("open rclone remote: this is a folder; write folder:PATH")
	}
	if kind, ok := strings.CutPrefix(parsed.Name, ":"); ok {
		return place{kind: kind, name: parsed.Name, path: parsed.Path, options: parsed.Config}, nil
	}
	options, err := section(configFile, parsed.Name)
	if err != nil {
		return place{}, err
	}
	for key, value := range parsed.Config {
		options[key] = value
	}
	return place{kind: options["type"], name: parsed.Name, path: parsed.Path, options: options}, nil
}

// open makes the remote of a place.
func open(ctx context.Context, p place) (*Remote, error) {
	kind, err := fs.Find(p.kind)
	if err != nil {
		return nil, fmt.Errorf("open rclone remote %s: this build knows no remotes of type %q", p.name, p.kind)
	}
	r := &Remote{name: p.name, secret: secrets(kind, p.options)}
	options := configmap.New()
	options.AddGetter(p.options, configmap.PriorityNormal)
	options.AddGetter(defaults{kind}, configmap.PriorityDefault)
	if kind.Name == "local" {
		if p.path, err = filepath.Abs(p.path); err != nil {
			return nil, r.failure(ctx, "open", p.name, err)
		}
		if p.options["encoding"] != "" {
			return nil, r.failure(ctx, "open", p.name, errors.New("a folder of this machine takes no encoding"))
		}
		r.folder = &folder{root: p.path, durable: map[string]bool{}}
	}
	r.fs, err = kind.NewFs(configured(ctx), p.name, p.path, options)
	if errors.Is(err, fs.ErrorIsFile) {
		return nil, r.failure(ctx, "open", p.name, errors.New("it is a file, not a folder"))
	}
	if err != nil {
		return nil, r.failure(ctx, "open", p.name, err)
	}
	features := r.fs.Features()
	if features.UnWrap != nil {
		// What it wraps would be sought in the user's rclone.conf, and not be synced.
		return nil, r.failure(ctx, "open", p.name, errors.New("remotes that wrap another one are not supported"))
	}
	r.md5 = r.fs.Hashes().Contains(hash.MD5)
	r.staged = features.Move != nil && features.PartialUploads
	r.labels = labels{
		held:     features.ReadMetadata && features.WriteMetadata && features.UserMetadata,
		reserved: reserved(kind),
	}
	return r, nil
}

// Make makes the place that the remote is, durably in a folder of this machine,
// which then is its owner's alone. That it is there already is no error, so Make
// may be repeated. Nothing else makes it: a folder that is missing is most
// likely on a disk that is not connected, and what was put into a new one in
// its place would be hidden as soon as the disk is back.
func (r *Remote) Make(ctx context.Context) error {
	ctx = configured(ctx)
	var err error
	if r.folder != nil {
		err = r.folder.make()
	} else {
		err = r.fs.Mkdir(ctx, "")
	}
	if err != nil {
		return r.failure(ctx, "make", r.String(), err)
	}
	return nil
}

// labelled reports whether the remote holds user metadata.
func (r *Remote) labelled() bool {
	return r.labels.held && (r.folder == nil || r.folder.labels())
}

// String names the remote for people, without secrets.
func (r *Remote) String() string {
	if r.folder != nil {
		return "folder " + r.folder.root
	}
	return "rclone remote " + r.name
}
