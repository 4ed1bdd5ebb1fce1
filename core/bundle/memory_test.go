package bundle_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"footbridge/core/bundle"
)

// recording is JSON of about so many bytes, as a sensor's would be, in one
// member a, with a member z behind it.
func recording(size int) string {
	random := rand.New(rand.NewChaCha8([32]byte{}))
	var rows strings.Builder
	for rows.Len() < 64<<10 {
		fmt.Fprintf(&rows, `{"t":%d,"x":%.4f},`, rows.Len(), random.Float64())
	}
	return `{"a":[` + strings.Repeat(rows.String(), size/rows.Len()) + strings.Repeat(" ", size%rows.Len()) + `0],"z":5}`
}

// store packs files without compressing them, which takes no time.
func store(t testing.TB, all ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(all); i += 2 {
		size := uint64(len(all[i+1]))
		entry, err := w.CreateRaw(&zip.FileHeader{Name: all[i], CRC32: crc32.ChecksumIEEE([]byte(all[i+1])), CompressedSize64: size, UncompressedSize64: size})
		if err == nil {
			_, err = io.WriteString(entry, all[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// large is a bundle of 100 entries, one of which has 20 MiB of JSON.
func large(t testing.TB) []byte {
	t.Helper()
	all := files{"info.json", plainInfo, "big.json", recording(20<<20 - 99)}
	noise := make([]byte, 200<<10)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for i := range 98 {
		all = append(all, fmt.Sprintf("f%d.bin", i), string(noise))
	}
	return store(t, all...)
}

// A 20 MiB file is looked into with that much memory and little more, and the
// rest of the bundle takes next to none.
func TestMemory(t *testing.T) {
	b := large(t)
	for name, c := range map[string]struct {
		field string
		most  uint64 // MiB allocated in all
	}{
		"nothing is looked into": {`{"name":"f7.bin","type":"attachment_v2"}`, 10},
		"a number at the end":    {`{"name":"big.json.z","type":"int"}`, 31},
		"nearly all of it":       {`{"name":"big.json.a","type":"attachment_json_table"}`, 51},
		"the whole file":         {`{"name":"big.json","type":"attachment_json_blob"}`, 10},
	} {
		s := described(t, c.field)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := bundle.Read(opener(b), strict, s)
		runtime.ReadMemStats(&after)
		if err != nil || out.Rejection != nil || len(out.Data) != 1 {
			t.Errorf("%s: got %v, %v, %d fields", name, out.Rejection, err, len(out.Data))
		}
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > c.most {
			t.Errorf("%s: allocated %d MiB", name, allocated)
		}
	}
}

// However much fields ask for, what is held is bounded, and what is left out is
// said.
func TestValuesAreBounded(t *testing.T) {
	big := recording(18 << 20)
	fields := []string{`{"name":"data.json.a","type":"inline_json_blob"}`}
	all := files{"info.json", plainInfo, "data.json", recording(1<<20 + 100)}
	for i := range 3 {
		fields = append(fields, fmt.Sprintf(`{"name":"f%d.a","type":"attachment_v2"}`, i))
		all = append(all, fmt.Sprintf("f%d", i), big)
	}
	out, err := bundle.Read(opener(store(t, all...)), bundle.Upload{ID: "up-1"}, described(t, fields...))
	if err != nil || out.Rejection != nil {
		t.Fatal(out.Rejection, err)
	}
	if got := fmt.Sprint(codes(out), " ", len(out.Attachments)); got != "json_large json_large json_large value_too_large file_not_read file_not_read "+
		"field_missing field_missing field_missing 1" {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(out.Messages[3].Message, "data.json.a") || !strings.Contains(out.Messages[4].Message, "f1") {
		t.Errorf("got %+v", out.Messages)
	}
}

// A JSON file of over 20 MiB is not looked into.
func TestTooLargeToLookInto(t *testing.T) {
	b := store(t, "info.json", plainInfo, "data.json", "{}", "big.json", recording(20<<20+1))
	out, err := bundle.Read(opener(b), strict, described(t, `{"name":"big.json.z","type":"int","required":false}`))
	if err != nil || codes(out) != "file_not_read" || text(t, out.Data) != "{}" {
		t.Errorf("got %s, %s", codes(out), text(t, out.Data))
	}
}

// A member for every few bytes is no more to remember.
func TestManyMembers(t *testing.T) {
	var m strings.Builder
	m.WriteString("{")
	for i := range 500_000 {
		m.WriteString(`"` + strconv.Itoa(i) + `":1,`)
	}
	m.WriteString(`"z":7}`)
	b := store(t, "info.json", plainInfo, "data.json", "{}", "m.json", m.String())
	out, err := bundle.Read(opener(b), strict, described(t, `{"name":"m.json.z","type":"int"}`))
	if err != nil || text(t, out.Data) != `{"m.json.z":7}` {
		t.Errorf("got %s, %v, %v", text(t, out.Data), out.Rejection, err)
	}
}

func BenchmarkRead(b *testing.B) {
	packed := large(b)
	s := described(b, `{"name":"big.json.z","type":"int"}`, `{"name":"f7.bin","type":"attachment_v2"}`)
	b.SetBytes(int64(len(packed)))
	b.ReportAllocs()
	for b.Loop() {
		if out, err := bundle.Read(opener(packed), strict, s); err != nil || out.Rejection != nil {
			b.Fatal(out.Rejection, err)
		}
	}
}
