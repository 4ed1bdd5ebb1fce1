package remote

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path"
	"strings"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
)

// Bucket is part of an S3 bucket, with keys to it that somebody lent for a while. It
// shows nothing of the keys when it is printed or logged.
type Bucket struct {
	Name   string
	Prefix string // the part: keys that begin with it and a slash; empty: all

	Provider string // as rclone calls it; empty: AWS, or Other with an endpoint
	Region   string // empty: us-east-1
	Endpoint string // empty: the provider's

	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string
}

// String names only the bucket.
func (b Bucket) String() string { return "bucket " + path.Join(b.Name, b.Prefix) }

// GoString is String.
func (b Bucket) GoString() string { return b.String() }

// LogValue is String.
func (b Bucket) LogValue() slog.Value { return slog.StringValue(b.String()) }

// OpenBucket gives part of a bucket as a remote. It is as Open otherwise.
func OpenBucket(ctx context.Context, b Bucket) (*Remote, error) {
	quiet()
	provider := b.Provider
	switch {
	case b.Name == "" || b.AccessKeyID == "" || b.SecretAccessKey == "":
		return nil, errors.New("open bucket: there is no name, or there are no keys")
	case provider == "" && b.Endpoint != "":
		provider = "Other"
	}
	options := configmap.Simple{
		"provider": cmp.Or(provider, "AWS"), "region": cmp.Or(b.Region, "us-east-1"), "env_auth": "false",
		"access_key_id": b.AccessKeyID, "secret_access_key": b.SecretAccessKey,
	}
	if options["provider"] == "AWS" { // or a bucket with a key of its own for encryption tells no MD5
		options["server_side_encryption"] = "AES256"
	}
	for key, value := range map[string]string{"endpoint": b.Endpoint, "session_token": b.SessionToken} {
		if value != "" {
			options[key] = value
		}
	}
	return open(ctx, place{kind: "s3", name: b.Name, path: path.Join(b.Name, b.Prefix), options: options})
}

// object gives the file at a path. Who may list only part of a bucket is refused to
// look for a file that is not there, so that the folder has to tell; a store that is
// only looked at, also says nothing of what is wrong with the keys.
func (r *Remote) object(ctx context.Context, l *line, file string) (fs.Object, error) {
	held, err := l.fs.NewObject(ctx, file)
	if status := statusOf(err); err == nil || !r.kind.buckets || status != 403 && status != 400 {
		return held, err
	}
	there := false
	folder, _ := path.Split(file)
	listed := l.look(ctx, strings.TrimSuffix(folder, "/"), func(entries fs.DirEntries) error {
		for _, entry := range entries {
			if there = entry.Remote() == file; there {
				return errEnough
			}
		}
		return nil
	})
	switch {
	case there:
		return nil, err
	case listed == nil, errors.Is(listed, fs.ErrorDirNotFound):
		return nil, fs.ErrorObjectNotFound
	}
	return nil, listed
}
