package archive

import (
	"errors"
	"io"
)

// Entry is a file of an archive, when Read comes by it.
type Entry struct {
	Number int    // from 1, in the order of the archive, folders counted
	Name   string // fit to be a path on any system, slash-separated, within the archive. It may be personal.
}

// Read reads an archive from its first byte to its last, within limits, and hands
// each file to visit as it comes by. It stops at the first problem, so that no
// file is handed on whose name is unfit, was there before, or whose entry breaks a
// limit; visit then sees an error in the middle of its data. What an entry holds
// is proved by its checksum behind it, and what it is by the directory at the end:
// what was visited is to be used only if the report has no problems.
//
// visit may leave data unread, and must not keep the reader. The error is that of
// visit, as it is, or that of r, wrapped; the report is then no verdict.
func Read(r io.Reader, limits Limits, visit func(Entry, io.Reader) error) (Report, error) {
	w := newWalk(r, limits.orDefault())
	w.visit = visit
	err := w.records()
	if errors.Is(err, errStop) {
		err = nil
	}
	return w.report, err
}

// hand runs an entry's data through the tally and the visitor, and to its end.
func (w *walk) hand(e *entry, t *tally) error {
	data := &data{tally: t}
	var err error
	if e.method == methodStored {
		var left uint64
		if left, err = w.length(e); err != nil {
			return err
		}
		data.from = &exactly{w.src, left}
	} else if data.from, err = w.inflate.open(w.src); err != nil {
		return err
	}
	visited := w.visit(Entry{e.number, e.name}, data)
	if visited != nil && (data.err == nil || data.err == io.EOF) {
		return visited
	}
	if _, err := io.Copy(io.Discard, data); err != nil {
		return w.unpacked(e, err)
	}
	return nil
}

// data is what an entry holds, counted and summed while it is read. Nothing is
// given beyond the limits.
type data struct {
	from  io.Reader
	tally *tally
	err   error // how it ended
}

func (d *data) Read(p []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.from.Read(p)
	if _, over := d.tally.Write(p[:n]); over != nil {
		n, err = 0, over
	}
	d.err = err
	return n, err
}

// exactly gives so many bytes of an archive, and fails where it ends before.
type exactly struct {
	src  *source
	left uint64
}

func (x *exactly) Read(p []byte) (int, error) {
	if x.left == 0 {
		return 0, io.EOF
	}
	n, err := x.src.Read(p[:min(uint64(len(p)), x.left)])
	x.left -= uint64(n)
	if err == io.EOF && x.left > 0 {
		err = io.ErrUnexpectedEOF
	} else if err == io.EOF {
		err = nil
	}
	return n, err
}
