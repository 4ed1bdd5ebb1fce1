package archive_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"footbridge/core/archive"

	"github.com/google/go-cmp/cmp"
)

// FuzzLook holds that any bytes get a report, the same however they arrive,
// and that what is called clean reads well from the end too.
func FuzzLook(f *testing.F) {
	f.Add([]byte{})
	f.Add(pack(f))
	f.Add(pack(f, bundle[0], bundle[2], bundle[3], bundle[5]))
	f.Add(pack(f, file{name: "link", mode: 0o777}, file{name: "../x", data: strings.Repeat("x", 300)}))
	f.Add(handmade{packed: []byte("x"), plain: []byte("x"), end64: end64}.bytes())
	limits := archive.Limits{EntrySize: 1 << 20, TotalSize: 2 << 20}
	f.Fuzz(func(t *testing.T, b []byte) {
		report := look(t, b, limits)
		if report.Plain > 2<<20 || report.Entries > 100 {
			t.Fatalf("looked beyond the limits: %+v", report)
		}
		if report.Problems == nil {
			if err := readAll(b); err != nil {
				t.Fatalf("called clean, yet %v", err)
			}
		}
		slowly, err := archive.Look(iotest.OneByteReader(bytes.NewReader(b)), limits)
		if diff := cmp.Diff(report, slowly); diff != "" || err != nil {
			t.Fatal(diff, err)
		}
	})
}

func BenchmarkLook(b *testing.B) {
	text := strings.Repeat("2026-11-20T08:00:00Z,steps,1204,heart rate,61\n", 1<<20)
	varied := []byte(text)
	for i, n := range noise(len(varied) / 8) {
		varied[i*8] = '0' + n%10
	}
	for _, c := range []struct {
		name string
		file file
	}{
		{"stored", file{name: "a", data: string(varied), stored: true}},
		{"deflated", file{name: "a", data: string(varied)}},
	} {
		archived := pack(b, c.file)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(varied)))
			b.ReportAllocs()
			for b.Loop() {
				if report := look(b, archived, archive.Limits{}); report.Problems != nil {
					b.Fatal(report)
				}
			}
		})
	}
}
