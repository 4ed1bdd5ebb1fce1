package folders_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"testing"
	"time"

	"footbridge/app/folders"
	"footbridge/core"
	"footbridge/sync/reconcile"
	"footbridge/sync/remote/remotetest"
)

// What is said of a record is looked for on its object as well, where the remote keeps
// it there, and putting the record again mends it.
func TestAnnotationsOnTheObjectAreCompared(t *testing.T) {
	if _, err := folders.NewRoot(t.TempDir(), func() string { return "folder:quiet" }).Open(t.Context()); err != nil {
		t.Fatal(err) // it turns rclone's logger off, which the servers have in common
	}
	text := []byte("steps")
	sum := md5.Sum(text)
	object := func(participant string) core.Object {
		return core.Object{
			Path: "raw-data/2026-11-20/r1-walk", Notes: "annotations/2026-11-20/r1.json",
			Digest: core.Digest{Size: int64(len(text)), MD5: hex.EncodeToString(sum[:])}, ContentType: "text/plain", ModTime: time.Now(),
			Metadata: map[string]string{"recordId": "r1", "healthCode": participant},
			Open:     func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		}
	}
	for name, spec := range map[string]string{
		"a folder":                 "folder:" + t.TempDir(),
		"a bucket":                 remotetest.Start(t, "s3").Spec(),
		"a server that holds none": remotetest.Start(t, "webdav").Spec(),
	} {
		t.Run(name, func(t *testing.T) {
			ctx, d := t.Context(), core.Destination{ID: "sleep", Study: "sleep"}
			r := folders.New(folders.NewRoot(t.TempDir(), func() string { return spec }), func(context.Context, core.DestinationID) error { return nil })
			send := func(o core.Object) {
				t.Helper()
				_, err := r.Put(ctx, d, o)
				if err == nil {
					_, err = r.Describe(ctx, d, object("hc1"), "")
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			send(object("another"))
			on, err := r.Open(ctx)
			if err != nil {
				t.Fatal(err)
			}
			held, err := on.Metadata(ctx, path.Join("sleep", object("").Path))
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Check(ctx, d, object("hc1")); errors.Is(err, reconcile.ErrUnannotated) != (len(held) > 0) || len(held) == 0 && err != nil {
				t.Errorf("with other metadata: %v; it holds %v", err, held)
			}
			if name == "a bucket" && len(held) == 0 {
				t.Error("the bucket holds no metadata")
			}
			send(object("hc1"))
			if err := r.Check(ctx, d, object("hc1")); err != nil {
				t.Errorf("after it was sent again: %v", err)
			}
		})
	}
}
