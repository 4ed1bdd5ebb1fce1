package cms

import (
	"fmt"
	"io"
	"math"
)

// The rules here are: a length is a claim, so nothing is allocated or skipped
// on its word beyond the ceiling; elements end inside their parents; nesting
// is bounded. What breaks a rule is ErrDamaged.

const (
	inputSize   = 64 << 10
	headerLimit = 256 << 10 // bytes that all but the content may take
	depthLimit  = 32
)

// The identifiers that are looked for; 0x20 is the constructed bit.
const (
	tagInteger     = 0x02
	tagOctets      = 0x04
	tagOID         = 0x06
	tagSequence    = 0x30
	tagSet         = 0x31
	tagContext0    = 0x80
	tagConstructed = 0x20
)

// header is the identifier and length of an element.
type header struct {
	id     [4]byte
	idSize int
	length int64 // -1: indefinite
}

func (h header) tag() byte         { return h.id[0] }
func (h header) constructed() bool { return h.id[0]&tagConstructed != 0 }

// span is an element that the decoder is inside of.
type span struct {
	indefinite bool
	end        int64 // offset no child may pass; of an indefinite span its parent's
}

// decoder walks BER as it arrives.
type decoder struct {
	r        io.Reader
	buf      []byte
	from, to int
	at       int64 // offset in the message
	ceiling  int64 // offset not to be passed
	open     []span
	failed   error // of r
}

func newDecoder(r io.Reader) *decoder {
	d := &decoder{r: r, buf: make([]byte, inputSize), ceiling: headerLimit}
	d.open = append(make([]span, 0, depthLimit), span{end: math.MaxInt64})
	return d
}

// pull reads from the source at least one byte. Its end is damage: whoever
// asks is inside a message.
func (d *decoder) pull(p []byte) (int, error) {
	if d.failed != nil {
		return 0, d.failed
	}
	for range 100 {
		n, err := d.r.Read(p)
		if err != nil && err != io.EOF {
			d.failed = fmt.Errorf("read sealed message: %w", err)
		} else if err == io.EOF {
			d.failed = ErrDamaged
		}
		if n > 0 {
			return n, nil
		}
		if d.failed != nil {
			return 0, d.failed
		}
	}
	d.failed = fmt.Errorf("read sealed message: %w", io.ErrNoProgress)
	return 0, d.failed
}

func (d *decoder) fill() (err error) {
	d.from, d.to = 0, 0
	d.to, err = d.pull(d.buf)
	return err
}

// more reports whether anything follows, and leaves it there.
func (d *decoder) more() (bool, error) {
	if d.from < d.to {
		return true, nil
	}
	err := d.fill()
	if err == ErrDamaged { // only the end is that, see pull
		return false, nil
	}
	return err == nil, err
}

// read reads at least one byte into p, past the buffer where p is large.
func (d *decoder) read(p []byte) (n int, err error) {
	if d.from == d.to && len(p) >= len(d.buf) {
		n, err = d.pull(p)
		d.at += int64(n)
		return n, err
	}
	if d.from == d.to {
		if err := d.fill(); err != nil {
			return 0, err
		}
	}
	n = copy(p, d.buf[d.from:d.to])
	d.from += n
	d.at += int64(n)
	return n, nil
}

func (d *decoder) byte() (byte, error) {
	if d.from == d.to {
		if err := d.fill(); err != nil {
			return 0, err
		}
	}
	b := d.buf[d.from]
	d.from++
	d.at++
	return b, nil
}

// next reads the header of the next element of the innermost open one. At its
// end it closes it and reports false.
func (d *decoder) next() (h header, more bool, err error) {
	in := d.open[len(d.open)-1]
	if d.at >= in.end {
		if in.indefinite || d.at > in.end {
			return h, false, ErrDamaged
		}
		d.open = d.open[:len(d.open)-1]
		return h, false, nil
	}
	if h, err = d.header(); err != nil {
		return h, false, err
	}
	switch {
	case d.at > in.end || d.at > d.ceiling:
		return h, false, ErrDamaged
	case h.tag() == 0 && in.indefinite:
		if h.length != 0 {
			return h, false, ErrDamaged
		}
		d.open = d.open[:len(d.open)-1]
		return h, false, nil
	case h.tag() == 0, h.length > in.end-d.at, h.length < 0 && !h.constructed():
		return h, false, ErrDamaged
	}
	return h, true, nil
}

func (d *decoder) header() (h header, err error) {
	if h.id[0], err = d.byte(); err != nil {
		return h, err
	}
	h.idSize = 1
	if h.id[0]&0x1f == 0x1f {
		for more := true; more; h.idSize++ {
			if h.idSize == len(h.id) {
				return h, ErrDamaged
			}
			if h.id[h.idSize], err = d.byte(); err != nil {
				return h, err
			}
			more = h.id[h.idSize]&0x80 != 0
		}
	}
	size, err := d.byte()
	switch {
	case err != nil:
		return h, err
	case size < 0x80:
		h.length = int64(size)
		return h, nil
	case size == 0x80:
		h.length = -1
		return h, nil
	case size > 0x88:
		return h, ErrDamaged
	}
	for range size & 0x7f {
		b, err := d.byte()
		if err != nil {
			return h, err
		}
		if h.length >= 1<<55 {
			return h, ErrDamaged
		}
		h.length = h.length<<8 | int64(b)
	}
	return h, nil
}

// enter opens the element whose header was just read.
func (d *decoder) enter(h header) error {
	if !h.constructed() || len(d.open) == depthLimit {
		return ErrDamaged
	}
	s := span{indefinite: h.length < 0, end: d.open[len(d.open)-1].end}
	if !s.indefinite {
		s.end = d.at + h.length
	}
	d.open = append(d.open, s)
	return nil
}

// expect reads the header of the next element, which must be there with this tag.
func (d *decoder) expect(tag byte) (header, error) {
	h, more, err := d.next()
	if err == nil && (!more || h.tag() != tag) {
		err = ErrDamaged
	}
	return h, err
}

// into expects an element and opens it.
func (d *decoder) into(tag byte) error {
	h, err := d.expect(tag)
	if err != nil {
		return err
	}
	return d.enter(h)
}

// close expects the end of the innermost open element.
func (d *decoder) close() error {
	_, more, err := d.next()
	if err == nil && more {
		err = ErrDamaged
	}
	return err
}
