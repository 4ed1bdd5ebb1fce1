package archive_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"footbridge/core/archive"
)

// sized fills a header in for data that is stored with its size in front.
func sized(h *zip.FileHeader, data string) *zip.FileHeader {
	h.Method = zip.Store
	h.CRC32 = crc32.ChecksumIEEE([]byte(data))
	h.CompressedSize64, h.UncompressedSize64 = uint64(len(data)), uint64(len(data))
	return h
}

func noise(size int) []byte {
	b := make([]byte, size)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// numbers lays out little-endian numbers of the types they have.
func numbers(all ...any) []byte {
	var b []byte
	for _, n := range all {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, n); err != nil {
			panic(err)
		}
	}
	return b
}

// handmade is an archive of one entry called a, of any shape.
type handmade struct {
	flags, method uint16
	packed        []byte // data as it lies there
	plain         []byte // what it is to be
	local         []byte // crc and sizes in front; from packed and plain where nil
	descriptor    []byte
	extra         []byte // of the local header
	central       []byte // crc and sizes in the directory; likewise
	centralExtra  []byte
	offset        uint32
	end64         func(count, size, offset, at uint64) []byte
	end           []byte // count, count, size, offset; right ones where nil
	after         []byte
}

func (h handmade) bytes() []byte {
	facts := numbers(crc32.ChecksumIEEE(h.plain), uint32(len(h.packed)), uint32(len(h.plain)))
	local, central := facts, facts
	if h.local != nil {
		local = h.local
	}
	if h.central != nil {
		central = h.central
	}
	b := slices.Concat(numbers(uint32(0x04034b50), uint16(20), h.flags, h.method, uint32(0)), local,
		numbers(uint16(1), uint16(len(h.extra))), []byte("a"), h.extra, h.packed, h.descriptor)
	start := len(b)
	b = slices.Concat(b, numbers(uint32(0x02014b50), uint16(20), uint16(20), h.flags, h.method, uint32(0)), central,
		numbers(uint16(1), uint16(len(h.centralExtra)), uint16(0), uint16(0), uint16(0), uint32(0), h.offset),
		[]byte("a"), h.centralExtra)
	size := len(b) - start
	if h.end64 != nil {
		b = append(b, h.end64(1, uint64(size), uint64(start), uint64(len(b)))...)
	}
	end := numbers(uint16(1), uint16(1), uint32(size), uint32(start))
	if h.end != nil {
		end = h.end
	}
	return slices.Concat(b, numbers(uint32(0x06054b50), uint32(0)), end, numbers(uint16(0)), h.after)
}

func end64(count, size, offset, at uint64) []byte {
	return numbers(uint32(0x06064b50), uint64(44), uint16(45), uint16(45), uint64(0), count, count, size, offset,
		uint32(0x07064b50), uint32(0), at, uint32(1))
}

func TestHandmade(t *testing.T) {
	data := []byte("health")
	sum := crc32.ChecksumIEEE(data)
	deflated := []byte{1, 6, 0, 0xf9, 0xff, 'h', 'e', 'a', 'l', 't', 'h'} // one block, not compressed
	none := make([]byte, 12)
	const sig, wide = uint32(0x08074b50), ^uint32(0)
	good := handmade{packed: data, plain: data}
	streamed := handmade{flags: 8, method: 8, packed: deflated, plain: data, local: none}
	with := func(h handmade, change func(*handmade)) handmade { change(&h); return h }
	wideExtra := func(values ...any) []byte {
		b := numbers(values...)
		return slices.Concat(numbers(uint16(1), uint16(len(b))), b)
	}
	for name, c := range map[string]struct {
		made handmade
		want string
	}{
		"stored":               {good, ""},
		"deflated":             {handmade{method: 8, packed: deflated, plain: data}, ""},
		"descriptor":           {with(streamed, func(h *handmade) { h.descriptor = numbers(sig, sum, uint32(11), uint32(6)) }), ""},
		"unsigned descriptor":  {with(streamed, func(h *handmade) { h.descriptor = numbers(sum, uint32(11), uint32(6)) }), ""},
		"long descriptor":      {with(streamed, func(h *handmade) { h.descriptor = numbers(sig, sum, uint64(11), uint64(6)) }), ""},
		"long unsigned":        {with(streamed, func(h *handmade) { h.descriptor = numbers(sum, uint64(11), uint64(6)) }), ""},
		"no descriptor":        {streamed, archive.Damaged},
		"lying descriptor":     {with(streamed, func(h *handmade) { h.descriptor = numbers(sig, sum, uint32(11), uint32(7)) }), archive.Damaged},
		"stored, told later":   {handmade{flags: 8, packed: data, plain: data, local: none, descriptor: numbers(sig, sum, uint32(6), uint32(6))}, archive.UnknownLength},
		"stored, told twice":   {handmade{flags: 8, packed: data, plain: data, descriptor: numbers(sig, sum, uint32(6), uint32(6))}, ""},
		"nothing, told later":  {handmade{flags: 8, local: none, descriptor: numbers(sig, uint32(0), uint32(0), uint32(0))}, ""},
		"encrypted":            {with(good, func(h *handmade) { h.flags = 1 }), archive.EncryptedEntry},
		"other method":         {with(good, func(h *handmade) { h.method = 12 }), archive.UnsupportedMethod},
		"not deflated":         {with(good, func(h *handmade) { h.method = 8; h.packed = []byte{0xff, 0xff} }), archive.Damaged},
		"wrong checksum":       {with(good, func(h *handmade) { h.plain = []byte("wealth") }), archive.Damaged},
		"lying size":           {handmade{method: 8, packed: deflated, plain: data, local: numbers(sum, uint32(11), uint32(5))}, archive.Damaged},
		"lying packed size":    {handmade{method: 8, packed: deflated, plain: data, local: numbers(sum, uint32(10), uint32(6))}, archive.Damaged},
		"two sizes":            {with(good, func(h *handmade) { h.local = numbers(sum, uint32(6), uint32(5)) }), archive.Damaged},
		"declared huge":        {with(good, func(h *handmade) { h.local = numbers(sum, uint32(1<<31), uint32(1<<31)) }), archive.EntryTooLarge},
		"declared enormous":    {with(good, func(h *handmade) { h.local = numbers(sum, wide, wide); h.extra = wideExtra(^uint64(0), ^uint64(0)) }), archive.EntryTooLarge},
		"no zip64 field":       {with(good, func(h *handmade) { h.local = numbers(sum, wide, wide) }), archive.Damaged},
		"directory: checksum":  {with(good, func(h *handmade) { h.central = numbers(sum+1, uint32(6), uint32(6)) }), archive.DirectoriesDisagree},
		"directory: size":      {with(good, func(h *handmade) { h.central = numbers(sum, uint32(6), uint32(5)) }), archive.DirectoriesDisagree},
		"directory: offset":    {with(good, func(h *handmade) { h.offset = 1 }), archive.DirectoriesDisagree},
		"end: count":           {with(good, func(h *handmade) { h.end = numbers(uint16(0), uint16(0), uint32(47), uint32(37)) }), archive.DirectoriesDisagree},
		"end: size":            {with(good, func(h *handmade) { h.end = numbers(uint16(1), uint16(1), uint32(46), uint32(37)) }), archive.DirectoriesDisagree},
		"end: offset":          {with(good, func(h *handmade) { h.end = numbers(uint16(1), uint16(1), uint32(47), uint32(38)) }), archive.DirectoriesDisagree},
		"end: all ones":        {with(good, func(h *handmade) { h.end = numbers(^uint16(0), ^uint16(0), wide, wide) }), archive.DirectoriesDisagree},
		"zip64 end":            {with(good, func(h *handmade) { h.end64 = end64; h.end = numbers(^uint16(0), ^uint16(0), wide, wide) }), ""},
		"zip64 end, both":      {with(good, func(h *handmade) { h.end64 = end64 }), ""},
		"zip64 end: elsewhere": {with(good, func(h *handmade) { h.end64 = func(c, s, o, at uint64) []byte { return end64(c, s, o+1, at) } }), archive.DirectoriesDisagree},
		"zip64 end: lost":      {with(good, func(h *handmade) { h.end64 = func(c, s, o, at uint64) []byte { return end64(c, s, o, at+1) } }), archive.Damaged},
		"zip64 end: huge": {with(good, func(h *handmade) {
			h.end64 = func(c, s, o, at uint64) []byte {
				return append(numbers(uint32(0x06064b50), ^uint64(0)), end64(c, s, o, at)[12:]...)
			}
		}), archive.Damaged},
		"bytes behind":   {with(good, func(h *handmade) { h.after = []byte{0} }), archive.Damaged},
		"archive behind": {with(good, func(h *handmade) { h.after = good.bytes() }), archive.Damaged},
		"zip64 fields": {with(good, func(h *handmade) {
			h.local, h.central, h.offset = numbers(sum, wide, wide), numbers(sum, wide, wide), wide
			h.extra = slices.Concat(numbers(uint16(7), uint16(1), uint8(0)), wideExtra(uint64(6), uint64(6)))
			h.centralExtra = wideExtra(uint64(6), uint64(6), uint64(0))
		}), ""},
	} {
		if got := codes(look(t, c.made.bytes(), archive.Limits{})); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestDirectoriesThatDisagree(t *testing.T) {
	b := pack(t, file{name: "one", data: "1"}, file{name: "two", data: "2"})
	at := bytes.Index(b, []byte("PK\x01\x02"))
	renamed := slices.Clone(b)
	copy(renamed[at+46:], "own")
	second := at + bytes.Index(b[at+1:], []byte("PK\x01\x02")) + 1
	twice := slices.Clone(b)
	copy(twice[second:], twice[at:second]) // the entries overlap
	without := slices.Concat(b[:at], b[second:])
	for name, bad := range map[string][]byte{"renamed": renamed, "twice": twice, "without": without} {
		if got := codes(look(t, bad, archive.Limits{})); got != archive.DirectoriesDisagree {
			t.Errorf("%s: got %q", name, got)
		}
	}
	comment := slices.Concat(b[:len(b)-2], numbers(uint16(22)), b[len(b)-22:])
	if got := codes(look(t, comment, archive.Limits{})); got != archive.DirectoriesDisagree {
		t.Errorf("end record in the comment: got %q", got)
	}
}

func TestEveryTruncationIsSeen(t *testing.T) {
	small := slices.Clone(bundle)
	small[1].data, small[4].data = small[1].data[:99], small[4].data[:99]
	b := pack(t, small...)
	for cut := range b {
		got := codes(look(t, b[:cut], archive.Limits{}))
		if want := map[bool]string{true: archive.NotAZip, false: archive.Damaged}[cut < 4]; got != want {
			t.Errorf("cut at %d of %d: got %q", cut, len(b), got)
		}
	}
}

func TestFlippedBitsAgreeWithTheStandardLibrary(t *testing.T) {
	small := slices.Clone(bundle)
	small[1].data, small[4].data = small[1].data[:99], small[4].data[:99]
	b := pack(t, small...)
	for bit := range len(b) * 8 {
		bad := slices.Clone(b)
		bad[bit/8] ^= 1 << (bit % 8)
		if report := look(t, bad, archive.Limits{}); report.Problems == nil {
			if err := readAll(bad); err != nil {
				t.Errorf("bit %d of byte %d: called clean, yet %v", bit%8, bit/8, err)
			}
		}
	}
}

// readAll reads every entry as most programs would, from the end.
func readAll(b []byte) error {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for _, f := range r.File {
		entry, err := f.Open()
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, entry)
		entry.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func TestLargeEntriesTakeConstantMemory(t *testing.T) {
	const size = 1 << 30
	front := slices.Concat(numbers(uint32(0x04034b50), uint16(20), uint16(0), uint16(0), uint32(0),
		uint32(0), uint32(size), uint32(size), uint16(1), uint16(0)), []byte("a"))
	source := io.MultiReader(bytes.NewReader(front), io.LimitReader(zeros{}, size))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report, err := archive.Look(source, archive.Limits{EntrySize: size})
	runtime.ReadMemStats(&after)
	if err != nil || codes(report) != archive.Damaged || report.Plain != size { // the checksum is not 0
		t.Errorf("got %+v, %v", report, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("allocated %d bytes in all", took)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
