package remote

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/rclone/rclone/backend/crypt"
	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
	"github.com/rclone/rclone/fs/fspath"
)

// place is a remote as settings name it.
type place struct {
	kind    string // rclone's name of the backend
	name    string
	path    string
	options configmap.Simple
	wrapped *place // of a crypt remote, what it lies on
}

// info gives what rclone knows of the kind.
func (p place) info() (*fs.RegInfo, error) {
	info, err := fs.Find(p.kind)
	if err != nil {
		return nil, fmt.Errorf("open rclone remote %s: this build knows no remotes of type %q", p.name, p.kind)
	}
	return info, nil
}

// locate reads what stands after rclone: in a spec.
func locate(remote, configFile string) (place, error) {
	if !strings.Contains(remote, ":") {
		remote += ":"
	}
	p, err := parse(remote, configFile)
	if err == nil && p.kind == "" {
		err = errors.New("open rclone remote: this is a folder; write folder:PATH")
	}
	return p, err
}

// parse reads the name of a remote as rclone does; kind "" is a folder.
func parse(remote, configFile string) (place, error) {
	parsed, err := fspath.Parse(remote)
	if err != nil {
		return place{}, fmt.Errorf("open rclone remote: read its name: %w", err)
	}
	p := place{name: parsed.Name, path: parsed.Path, options: parsed.Config}
	if parsed.Name == "" {
		return p, nil
	}
	if kind, ok := strings.CutPrefix(parsed.Name, ":"); ok {
		p.kind = kind
	} else {
		if p.options, err = section(configFile, parsed.Name); err != nil {
			return place{}, err
		}
		maps.Copy(p.options, parsed.Config)
		p.kind = p.options["type"]
	}
	if p.options == nil {
		p.options = configmap.Simple{}
	}
	info, err := p.info()
	if err != nil {
		return place{}, err
	}
	p.kind = info.Name // a prefix of it is a name as well
	if p.kind == "crypt" {
		return around(p, configFile)
	}
	return p, nil
}

// around finds what a crypt remote lies on, in the same file. rclone would look
// in the user's.
func around(p place, configFile string) (place, error) {
	wrapped, err := parse(p.options["remote"], configFile)
	switch {
	case p.options["remote"] == "" || err != nil && wrapped.name == "" && strings.Contains(err.Error(), "read its name"):
		return place{}, fmt.Errorf("open %s: its remote cannot be read", p.name) // the reason quotes it
	case err != nil:
		return place{}, err
	case wrapped.kind == "crypt":
		return place{}, fmt.Errorf("open %s: a crypt remote around another one is not supported", p.name)
	case wrapped.kind == "" || wrapped.kind == "local":
		wrapped.kind = "local"
		if wrapped.path, err = filepath.Abs(wrapped.path); err != nil {
			return place{}, fmt.Errorf("open %s: %w", p.name, err)
		}
	}
	p.wrapped = &wrapped
	return p, nil
}

// wrap makes r a crypt remote around another one. Annotations are not put on its
// objects: they would lie open.
func (r *Remote) wrap(p place) error {
	inner := p.wrapped
	info, err := inner.info()
	if err != nil {
		return err
	}
	r.kind.staged, r.kind.buckets = kinds[inner.kind].staged, kinds[inner.kind].buckets
	r.secret = append(r.secret, secrets(info, inner.options)...)
	options := kinds[inner.kind].options(inner.options)
	delete(options, "type")
	r.options = maps.Clone(p.options)
	r.options["remote"] = ":" + info.Prefix + "," + options.String() + ":" + inner.path
	if len(options) == 0 {
		r.options["remote"] = ":" + info.Prefix + ":" + inner.path
	}
	if inner.kind != "local" {
		return nil
	}
	if inner.options["encoding"] != "" {
		return errors.New("a folder of this machine takes no encoding")
	}
	cipher, err := crypt.NewCipher(configmap.New().AddGetter(r.options, configmap.PriorityNormal).AddGetter(defaults{r.info}, configmap.PriorityDefault))
	if err != nil {
		return err
	}
	r.folder = newFolder(filepath.Join(inner.path, filepath.FromSlash(cipher.EncryptDirName(p.path))))
	r.folder.spell = cipher.EncryptFileName
	return nil
}
