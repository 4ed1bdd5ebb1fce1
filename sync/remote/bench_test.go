package remote_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/rclone/rclone/backend/local"
	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/sync"

	"footbridge/core"
)

const (
	benchFiles = 1000
	benchSize  = 64 << 10
)

// BenchmarkFolder sends a thousand files of 64 KiB with eight annotations to a
// folder, one after the other, beside rclone's own copy of the same files with
// one transfer at a time, which is neither verified nor durable.
// FOOTBRIDGE_BENCH names the disk to use.
func BenchmarkFolder(b *testing.B) {
	from := b.TempDir()
	data := make([][]byte, benchFiles)
	for i := range data {
		data[i] = bytes.Repeat([]byte(fmt.Sprintf("%08d", i)), benchSize/8)
		if err := os.WriteFile(filepath.Join(from, fmt.Sprintf("%08d", i)), data[i], 0o600); err != nil {
			b.Fatal(err)
		}
	}
	disk := func(b *testing.B) string {
		dir, err := os.MkdirTemp(os.Getenv("FOOTBRIDGE_BENCH"), "bench")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	metadata := map[string]string{}
	for i := range 8 {
		metadata[fmt.Sprintf("key%d", i)] = "a value of the usual length"
	}
	put := func(metadata map[string]string) func(b *testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				r := open(b, disk(b))
				for i := range data {
					err := r.Put(b.Context(), core.Object{
						Path: fmt.Sprintf("raw-data/%08d", i), Digest: digest(data[i]), Metadata: metadata,
						Open: func(context.Context) (io.ReadCloser, error) {
							return os.Open(filepath.Join(from, fmt.Sprintf("%08d", i)))
						},
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N*benchFiles)/b.Elapsed().Seconds(), "files/s")
		}
	}
	b.Run("Put", put(metadata))
	b.Run("PutWithoutMetadata", put(nil))
	b.Run("rclone", func(b *testing.B) {
		ctx, config := fs.AddConfig(b.Context())
		config.Transfers, config.Checkers = 1, 1
		source, err := fs.NewFs(ctx, from)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			target, err := fs.NewFs(ctx, filepath.Join(disk(b), "raw-data"))
			if err != nil {
				b.Fatal(err)
			}
			if err := sync.CopyDir(ctx, target, source, false); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N*benchFiles)/b.Elapsed().Seconds(), "files/s")
	})
}
