package process

import "io"

const teeSize = 128 << 10

// stoppable is a stream that ends early once there is a reason to.
type stoppable struct {
	io.Reader
	reason func() error // nil while reading may go on
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.reason(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// tee gives a stream's bytes on and to a digest, which may still be at one part
// while the next is read.
type tee struct {
	from   io.Reader
	digest Digest
	parts  [2][]byte // what the digest was given, and what it will be given next
	turn   int
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.from.Read(p[:min(len(p), teeSize)])
	if n > 0 {
		t.parts[t.turn] = append(t.parts[t.turn][:0], p[:n]...)
		t.digest.Add(t.parts[t.turn])
		t.turn ^= 1
	}
	return n, err
}

// drain reads a stream to its end.
func drain(r io.Reader) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, make([]byte, teeSize))
	return err
}
