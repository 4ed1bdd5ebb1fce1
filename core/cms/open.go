package cms

import (
	"errors"
	"io"
)

const contentSize = 128 << 10 // bytes decrypted at a time, a multiple of 16

// Reader gives the plaintext of a message. Trust it only once Read has
// returned io.EOF. It is not safe for concurrent use and needs no closing.
type Reader struct {
	lock          lock
	decoder       *decoder
	sealed        *octets
	opening       opening
	authenticated bool
	buf           []byte
	held          []byte // ciphertext in buf that is still to be decrypted
	ready         []byte // plaintext in buf that is still to be read
	err           error
}

// Open reads the head of a message, up to its content, and gives a reader of
// the plaintext. It fails with ErrNotEnveloped, ErrUnsupported, ErrDamaged or
// a *ForeignError as the message deserves; the reader can only fail with
// ErrDamaged, then a *DamagedError. Errors of r come wrapped from both. Bytes of
// r behind the message are not looked at unless Trailing asks for them, though
// some may be consumed.
func Open(r io.Reader, keys []Key) (*Reader, error) {
	for _, key := range keys {
		if err := key.check(); err != nil {
			return nil, err
		}
	}
	d := newDecoder(r)
	authenticated, err := outer(d)
	if err != nil {
		return nil, err
	}
	locks, err := recipients(d, keys)
	if err != nil {
		return nil, err
	}
	s, sealed, err := content(d, authenticated)
	if err != nil {
		return nil, locks[0].named(err)
	}
	used, key, err := unwrapAny(locks, s.keySize)
	if err != nil {
		return nil, used.named(err)
	}
	opening, err := s.open(key)
	if err != nil {
		return nil, used.named(err)
	}
	return &Reader{lock: used, decoder: d, sealed: sealed, opening: opening,
		authenticated: authenticated, buf: make([]byte, contentSize)}, nil
}

// Envelope identifies the envelope that the content key came in: hex SHA-256
// over the wrapped key of the recipient whose key opens it. It is there at once,
// and in the *DamagedError of a message that proves damaged. Whoever alters a
// message to learn from the verdicts what it holds cannot change its envelope,
// so a caller that counts failures by it can stop them; honest devices use an
// envelope once.
func (r *Reader) Envelope() string { return r.lock.envelope() }

// Trailing reports, once Read has returned io.EOF or WriteTo nil, whether bytes
// follow the message. For that it reads at most one buffer further, so it may
// have to wait where the source is a connection. Errors of the source come
// wrapped and are no verdict: whether bytes follow is then unknown, but the
// message was whole. Before its end, and after a failure, it has an error too.
func (r *Reader) Trailing() (bool, error) {
	if r.err == nil || len(r.ready) > 0 {
		return false, errors.New("look behind sealed message: it was not read to its end")
	}
	if r.err != io.EOF {
		return false, r.err
	}
	return r.decoder.more()
}

// Read reads plaintext.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 && len(p) > 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// WriteTo writes all plaintext to w, without a copy in between. The error is
// nil only if the whole message was right and w took it.
func (r *Reader) WriteTo(w io.Writer) (total int64, err error) {
	for {
		if len(r.ready) > 0 {
			n, err := w.Write(r.ready)
			total += int64(n)
			r.ready = r.ready[n:]
			if err == nil && len(r.ready) > 0 {
				err = io.ErrShortWrite
			}
			if err != nil {
				return total, err
			}
		}
		if r.err == io.EOF {
			return total, nil
		}
		if r.err != nil {
			return total, r.err
		}
		r.fill()
	}
}

// fill decrypts the next part of the content, and with the last part reads
// the message to its end.
func (r *Reader) fill() {
	n := copy(r.buf, r.held)
	for n < len(r.buf) {
		m, err := r.sealed.Read(r.buf[n:])
		n += m
		if err == io.EOF {
			r.finish(r.buf[:n])
			return
		}
		if err != nil {
			r.err = r.lock.named(err)
			return
		}
	}
	n = r.opening.part(r.buf)
	r.ready, r.held = r.buf[:n], r.buf[n:]
}

func (r *Reader) finish(rest []byte) {
	t, err := readTrailer(r.decoder, r.authenticated)
	if err != nil {
		r.err = r.lock.named(err)
		return
	}
	n, ok := r.opening.last(rest, t)
	if !ok {
		r.err = r.lock.named(ErrDamaged)
		return
	}
	r.ready, r.err = rest[:n], io.EOF
}
