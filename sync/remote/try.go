package remote

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"io"
	"time"

	"footbridge/core"
)

// try sees once on a line whether the remote keeps metadata, by a file of its own: one
// that drops it must not be taken for one in which somebody removed it. A folder of
// this machine says so itself.
func (r *Remote) try(ctx context.Context, l *line) error {
	if r.folder != nil || !r.labelled(l) || l.tried.Load() {
		return nil
	}
	text := []byte("Footbridge tries this place out. This file may be deleted.\n")
	sum := md5.Sum(text)
	probe := core.Object{
		Path: nowhere(), Digest: core.Digest{Size: int64(len(text)), MD5: hex.EncodeToString(sum[:])},
		ContentType: "text/plain; charset=utf-8", ModTime: time.Now(),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}
	defer r.discard(ctx, l, probe.Path)
	return r.send(ctx, l, probe, l.labels.fit(map[string]string{"recordid": "probe"}))
}
