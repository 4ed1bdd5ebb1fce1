package archive

import (
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// The flags of an entry.
const (
	flagEncrypted  = 1<<0 | 1<<6 | 1<<13
	flagDescriptor = 1 << 3
)

const (
	methodStored   = 0
	methodDeflated = 8
)

// declared is what an entry's header says of its data. Where a descriptor
// follows the data, zeros say nothing.
type declared struct {
	crc           uint32
	packed, plain uint64
}

func (w *walk) localHeader() (*entry, error) {
	fixed, err := w.src.take(30)
	if err != nil {
		return nil, w.broken(err, nil, "an entry's header")
	}
	f := fields(fixed[6:])
	e := &entry{number: w.report.Entries + 1, flags: f.u16(), method: f.u16()}
	f.u32() // time and date
	e.declare.crc = f.u32()
	e.declare.packed, e.declare.plain = uint64(f.u32()), uint64(f.u32())
	nameSize, extraSize := int(f.u16()), int(f.u16())
	name, err := w.src.take(nameSize)
	if err != nil {
		return nil, w.broken(err, nil, "an entry's name")
	}
	e.name = string(name)
	extra, err := w.src.take(extraSize)
	if err != nil {
		return nil, w.broken(err, e, "its header")
	}
	if !widen(extra, &e.declare.plain, &e.declare.packed) {
		return nil, w.stop(Damaged, e, "does not say how large it is")
	}
	return e, nil
}

// data walks over the data of an entry and finds its checksum and sizes.
func (w *walk) data(e *entry) error {
	switch {
	case e.flags&flagEncrypted != 0:
		return w.stop(EncryptedEntry, e, "is encrypted with a password")
	case e.method != methodStored && e.method != methodDeflated:
		return w.stop(UnsupportedMethod, e, "is packed with method %d", e.method)
	}
	t := &tally{entry: uint64(w.limits.EntrySize), total: uint64(w.limits.TotalSize - w.report.Plain)}
	if t.exceeds(e.declare.plain) {
		return w.tooLarge(e, t)
	}
	start := w.src.at()
	through := w.unpack
	if w.visit != nil && !e.folder() {
		through = w.hand
	}
	err := through(e, t)
	w.report.Plain += int64(t.n)
	if errors.Is(err, errTooMuch) {
		return w.tooLarge(e, t)
	}
	if err != nil {
		return err
	}
	e.crc, e.plain, e.packed = t.crc, t.n, uint64(w.src.at()-start)
	if e.folder() && e.plain > 0 {
		return w.stop(Damaged, e, "is a folder, yet it holds data")
	}
	return w.agree(e)
}

func (w *walk) tooLarge(e *entry, t *tally) error {
	if t.overTotal {
		return w.stop(TotalTooLarge, nil, "the archive holds more than %d bytes", w.limits.TotalSize)
	}
	return w.stop(EntryTooLarge, e, "holds more than %d bytes", w.limits.EntrySize)
}

// agree compares what was found with what the header says, or the descriptor.
func (w *walk) agree(e *entry) error {
	found := declared{e.crc, e.packed, e.plain}
	if e.flags&flagDescriptor == 0 {
		if e.declare != found {
			return w.stop(Damaged, e, "does not match its checksum or size")
		}
		return nil
	}
	d := e.declare
	if d.crc != 0 && d.crc != found.crc || d.packed != 0 && d.packed != found.packed || d.plain != 0 && d.plain != found.plain {
		return w.stop(Damaged, e, "does not match its checksum or size")
	}
	size, err := w.descriptor(found)
	if err != nil {
		return w.broken(err, e, "its checksum")
	}
	if size == 0 {
		return w.stop(Damaged, e, "does not match its checksum or size")
	}
	_, err = w.src.Discard(size)
	return err
}

// descriptor looks for a data descriptor that says what was found, and gives
// its size, or 0. It comes with or without a signature, with short or long
// sizes, and only its being right tells which. Long ones go first: a short one
// may be the beginning of a long one, not the other way round, as what follows
// it begins with a signature.
func (w *walk) descriptor(found declared) (int, error) {
	next, err := w.src.Peek(24)
	if err != nil && !ended(err) {
		return 0, err
	}
	for _, shape := range []struct {
		signed, long bool
		size         int
	}{{true, true, 24}, {false, true, 20}, {true, false, 16}, {false, false, 12}} {
		if len(next) < shape.size {
			continue
		}
		f := fields(next)
		if shape.signed && f.u32() != sigDescriptor {
			continue
		}
		said := declared{crc: f.u32()}
		if shape.long {
			said.packed, said.plain = f.u64(), f.u64()
		} else {
			said.packed, said.plain = uint64(f.u32()), uint64(f.u32())
		}
		if said == found {
			return shape.size, nil
		}
	}
	if len(next) < 12 {
		return 0, io.ErrUnexpectedEOF
	}
	return 0, nil
}

// unpack runs an entry's data through the tally.
func (w *walk) unpack(e *entry, t *tally) error {
	if e.method == methodStored {
		return w.stored(e, t)
	}
	return w.unpacked(e, w.inflate.run(w.src, t))
}

// unpacked makes of an error that unpacking an entry ended with what it means.
func (w *walk) unpacked(e *entry, err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case err == nil, errors.Is(err, errTooMuch):
		return err
	case errors.As(err, &corrupt):
		return w.stop(Damaged, e, "cannot be unpacked")
	}
	return w.broken(err, e, "its data")
}

// length is how long the data of an entry is that is not packed.
func (w *walk) length(e *entry) (uint64, error) {
	if e.declare.packed != e.declare.plain {
		return 0, w.stop(Damaged, e, "is not packed, yet has two sizes")
	}
	if e.declare.packed == 0 && e.flags&flagDescriptor != 0 {
		if size, err := w.descriptor(declared{}); err != nil || size == 0 {
			if err != nil {
				return 0, w.broken(err, e, "its data")
			}
			return 0, w.stop(UnknownLength, e, "is not packed and tells its size only behind its data")
		}
	}
	return e.declare.packed, nil
}

func (w *walk) stored(e *entry, t *tally) error {
	left, err := w.length(e)
	if err != nil {
		return err
	}
	for left > 0 {
		b, err := w.src.chunk(left)
		if err != nil {
			return w.broken(err, e, "its data")
		}
		if _, err := t.Write(b); err != nil {
			return err
		}
		left -= uint64(len(b))
		if _, err := w.src.Discard(len(b)); err != nil {
			return err
		}
	}
	return nil
}

// inflater is kept from entry to entry, for its buffers.
type inflater struct{ r io.ReadCloser }

// open begins with the data that comes next.
func (i *inflater) open(src *source) (io.Reader, error) {
	if i.r == nil {
		i.r = flate.NewReader(src.Reader)
		return i.r, nil
	}
	return i.r, i.r.(flate.Resetter).Reset(src.Reader, nil)
}

func (i *inflater) run(src *source, t *tally) error {
	r, err := i.open(src)
	if err == nil {
		_, err = r.(io.WriterTo).WriteTo(t)
	}
	return err
}

// tally counts and sums what is written to it, and refuses what is too much.
type tally struct {
	entry, total uint64 // how much may come
	n            uint64
	crc          uint32
	overTotal    bool
}

func (t *tally) exceeds(n uint64) bool {
	t.overTotal = n > t.total && n <= t.entry
	return n > t.entry || n > t.total
}

func (t *tally) Write(p []byte) (int, error) {
	if t.exceeds(t.n + uint64(len(p))) {
		return 0, errTooMuch
	}
	t.n += uint64(len(p))
	t.crc = crc32.Update(t.crc, crc32.IEEETable, p)
	return len(p), nil
}
