package archive

import "bytes"

// The rules here are: the directory names every entry of the front once, and
// nothing else, in the same words; the end record says where it lies and
// nothing follows it. Then it does not matter from which end one reads.

// The kinds of file in a Unix mode.
const (
	modeKind   = 0xf000
	modeFolder = 0x4000
	modeFile   = 0x8000
)

// central reads one header of the directory, which is its number from 1.
func (w *walk) central(number int) error {
	fixed, err := w.src.take(46)
	if err != nil {
		return w.broken(err, nil, "its directory")
	}
	f := fields(fixed[8:])
	e := &entry{number: number, listed: true, flags: f.u16(), method: f.u16()}
	f.u32() // time and date
	e.crc, e.packed, e.plain = f.u32(), uint64(f.u32()), uint64(f.u32())
	nameSize, extraSize, commentSize := int(f.u16()), int(f.u16()), int(f.u16())
	disk := f.u16()
	f.u16() // internal attributes
	mode := f.u32() >> 16 & modeKind
	offset := uint64(f.u32())
	rest, err := w.src.take(nameSize + extraSize + commentSize)
	if err != nil {
		return w.broken(err, nil, "its directory")
	}
	e.name = string(rest[:nameSize])
	if !widen(rest[nameSize:nameSize+extraSize], &e.plain, &e.packed, &offset) {
		return w.stop(Damaged, e, "has no size or place")
	}
	front := w.entries[int64(offset)]
	if front == nil || disk != 0 && disk != all16 {
		return w.stop(DirectoriesDisagree, e, "is not where it says")
	}
	e.number, e.listed = front.number, false
	delete(w.entries, int64(offset))
	const telling = flagEncrypted | flagDescriptor
	if e.name != front.name || e.method != front.method || e.flags&telling != front.flags&telling ||
		e.crc != front.crc || e.packed != front.packed || e.plain != front.plain {
		return w.stop(DirectoriesDisagree, e, "is described otherwise in the directory")
	}
	if mode != 0 && mode != modeFile && mode != modeFolder {
		w.note(LinkEntry, e, "is a link or a device, not a file")
	}
	return nil
}

// directory is where the directory is and what it holds.
type directory struct{ count, size, offset uint64 }

// end reads what follows the directory: the zip64 records if there are any,
// the end record, and nothing.
func (w *walk) end(found directory) error {
	sig, err := w.signature()
	if err != nil {
		return w.broken(err, nil, "its end record")
	}
	long := sig == sigEnd64
	if long {
		if err := w.end64(found); err != nil {
			return err
		}
	}
	fixed, err := w.src.take(22)
	if err != nil {
		return w.broken(err, nil, "its end record")
	}
	f := fields(fixed)
	if f.u32() != sigEnd {
		return w.stop(Damaged, nil, "the archive holds bytes of no known meaning")
	}
	disks := f.u32()
	here, count := uint64(f.u16()), uint64(f.u16())
	size, offset := uint64(f.u32()), uint64(f.u32())
	short := func(said, found, all uint64) bool { return said == found || long && said == all }
	if disks != 0 && !(long && disks == all32) || !short(here, found.count, all16) || !short(count, found.count, all16) ||
		!short(size, found.size, all32) || !short(offset, found.offset, all32) {
		return w.stop(DirectoriesDisagree, nil, "the end record describes another directory")
	}
	comment, err := w.src.take(int(f.u16()))
	if err != nil {
		return w.broken(err, nil, "its comment")
	}
	if bytes.Contains(append(fixed[4:], comment...), []byte("PK\x05\x06")) {
		return w.stop(DirectoriesDisagree, nil, "the archive has two end records")
	}
	switch _, err := w.src.Peek(1); {
	case err == nil:
		return w.stop(Damaged, nil, "more bytes follow the end of the archive")
	case !ended(err):
		return err
	}
	return nil
}

// end64 reads the zip64 end record and its locator.
func (w *walk) end64(found directory) error {
	at := uint64(w.src.at())
	b, err := w.src.take(56)
	if err != nil {
		return w.broken(err, nil, "its end record")
	}
	f := fields(b[4:])
	more := f.u64() - 44
	f.u32() // versions
	disks := f.u64()
	here, said := f.u64(), directory{f.u64(), f.u64(), f.u64()}
	if more > 1<<16 {
		return w.stop(Damaged, nil, "the end record is larger than it can be")
	}
	if disks != 0 || here != found.count || said != found {
		return w.stop(DirectoriesDisagree, nil, "the zip64 end record describes another directory")
	}
	if _, err := w.src.Discard(int(more)); err != nil {
		return w.broken(err, nil, "its end record")
	}
	if b, err = w.src.take(20); err != nil {
		return w.broken(err, nil, "its end record")
	}
	f = fields(b)
	if f.u32() != sigLocator || f.u32() != 0 || f.u64() != at || f.u32() > 1 {
		return w.stop(Damaged, nil, "the zip64 end record cannot be found from the end")
	}
	return nil
}
