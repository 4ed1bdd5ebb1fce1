package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const bufferSize = 256 << 10

// readError marks an error of the reader that the archive comes from, so that
// no decoder in between makes it a verdict.
type readError struct{ err error }

func (e *readError) Error() string { return fmt.Sprintf("read archive: %v", e.err) }
func (e *readError) Unwrap() error { return e.err }

// source is the archive's bytes, and how many were taken.
type source struct {
	*bufio.Reader // the inflater is fastest on just this type
	under         counted
}

type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		err = &readError{err}
	}
	return n, err
}

func newSource(r io.Reader) *source {
	s := &source{under: counted{r: r}}
	s.Reader = bufio.NewReaderSize(&s.under, bufferSize)
	return s
}

// at is the offset of the next byte.
func (s *source) at() int64 { return s.under.n - int64(s.Buffered()) }

// take reads n bytes.
func (s *source) take(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(s, b)
	return b, err
}

// chunk gives what is buffered, at least one byte and at most n, without
// copying. It is valid until the next read; Discard consumes it.
func (s *source) chunk(n uint64) ([]byte, error) {
	if s.Buffered() == 0 {
		if _, err := s.Peek(1); err != nil {
			return nil, err
		}
	}
	return s.Peek(int(min(n, uint64(s.Buffered()))))
}

// fields reads little-endian numbers one after another.
type fields []byte

func (f *fields) u16() uint16 {
	v := binary.LittleEndian.Uint16(*f)
	*f = (*f)[2:]
	return v
}

func (f *fields) u32() uint32 {
	v := binary.LittleEndian.Uint32(*f)
	*f = (*f)[4:]
	return v
}

func (f *fields) u64() uint64 {
	v := binary.LittleEndian.Uint64(*f)
	*f = (*f)[8:]
	return v
}

// wide gives the content of the zip64 field among extra fields, or nil.
func wide(extra fields) fields {
	for len(extra) >= 4 {
		id, size := extra.u16(), int(extra.u16())
		if size > len(extra) {
			return nil
		}
		if id == 1 {
			return extra[:size]
		}
		extra = extra[size:]
	}
	return nil
}

// widen replaces each value that is all ones by the next one of the zip64
// field, and reports whether there was one for each.
func widen(extra []byte, values ...*uint64) bool {
	field := wide(extra)
	for _, v := range values {
		if *v != all32 {
			continue
		}
		if len(field) < 8 {
			return false
		}
		*v = field.u64()
	}
	return true
}

const (
	all16 = 1<<16 - 1
	all32 = 1<<32 - 1
)

var errStop = errors.New("nothing more to learn")

// ended tells an archive that stops short from a reader that fails.
func ended(err error) bool {
	var failed *readError
	return err != nil && !errors.As(err, &failed)
}
