package process

import "io"

const teeSize = 128 << 10

// tee gives a stream's bytes on and to a digest, which may still be at one part
// while the next is read.
type tee struct {
	from   io.Reader
	ended  func() error // why reading must stop, nil while it may go on
	digest Digest
	parts  [2][]byte // what the digest was given, and what it will be given next
	turn   int
}

func (t *tee) Read(p []byte) (int, error) {
	if err := t.ended(); err != nil {
		return 0, err
	}
	n, err := t.from.Read(p[:min(len(p), teeSize)])
	if n > 0 {
		t.parts[t.turn] = append(t.parts[t.turn][:0], p[:n]...)
		t.digest.Add(t.parts[t.turn])
		t.turn ^= 1
	}
	return n, err
}
