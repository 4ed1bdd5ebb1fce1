package blob

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"footbridge/core"
)

// Hashing on two cores at once repays the hand-over when there is much to hash:
// from so many bytes on, in pieces of at least so many.
const (
	asideFrom  = 256 << 10
	asidePiece = 16 << 10
)

// Hasher computes the digest of what is written to it: MD5, the slower of the
// two, beside SHA-256. One goroutine at a time may use it; Digest or Stop ends it.
type Hasher struct {
	size   int64
	md5    hash.Hash
	sha256 hash.Hash
	work   chan []byte   // to the goroutine that computes MD5
	done   chan struct{} // it has taken in what was sent
	busy   bool          // it has not yet
}

// NewHasher begins a digest.
func NewHasher() *Hasher { return &Hasher{md5: md5.New(), sha256: sha256.New()} }

// Write takes p into both hashes before it returns. It never fails.
func (h *Hasher) Write(p []byte) (int, error) {
	h.Add(p)
	h.Wait()
	return len(p), nil
}

// Add takes p into both hashes. p must not change before Wait has returned.
func (h *Hasher) Add(p []byte) {
	h.Wait()
	h.size += int64(len(p))
	if h.size <= asideFrom || len(p) < asidePiece {
		h.md5.Write(p)
		h.sha256.Write(p)
		return
	}
	if h.work == nil {
		h.work, h.done = make(chan []byte), make(chan struct{})
		go h.hashAside(h.work, h.done)
	}
	h.busy = true
	h.work <- p
	h.sha256.Write(p)
}

func (h *Hasher) hashAside(work <-chan []byte, done chan<- struct{}) {
	defer close(done)
	for p := range work {
		h.md5.Write(p)
		done <- struct{}{}
	}
}

// Wait returns once both hashes hold all that was added.
func (h *Hasher) Wait() {
	if h.busy {
		<-h.done
		h.busy = false
	}
}

// Digest ends the hasher and gives the digest of all that was written.
func (h *Hasher) Digest() core.Digest {
	h.Stop()
	return core.Digest{
		Size:   h.size,
		MD5:    hex.EncodeToString(h.md5.Sum(nil)),
		SHA256: hex.EncodeToString(h.sha256.Sum(nil)),
	}
}

// Stop ends the hasher. It is idempotent.
func (h *Hasher) Stop() {
	h.Wait()
	if h.work != nil {
		close(h.work)
		<-h.done
		h.work = nil
	}
}
