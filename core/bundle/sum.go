package bundle

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"footbridge/core"
)

// sum computes the digest of what is written to it. Writing never fails.
type sum struct {
	size   int64
	md5    hash.Hash
	sha256 hash.Hash
}

func newSum() *sum { return &sum{md5: md5.New(), sha256: sha256.New()} }

func (s *sum) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	s.md5.Write(p)
	s.sha256.Write(p)
	return len(p), nil
}

func (s *sum) digest() core.Digest {
	return core.Digest{Size: s.size, MD5: hex.EncodeToString(s.md5.Sum(nil)), SHA256: hex.EncodeToString(s.sha256.Sum(nil))}
}

func digestOf(p []byte) core.Digest {
	s := newSum()
	s.Write(p)
	return s.digest()
}
