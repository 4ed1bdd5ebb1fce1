package cms

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"encoding/asn1"
	"encoding/binary"
	"fmt"
)

// seal is how the content is encrypted: its algorithm and parameters.
type seal struct {
	keySize int
	cipher  func(key []byte) (cipher.Block, error)
	iv      []byte
	tagSize int // 0: CBC
}

var contentCiphers = []struct {
	oid     asn1.ObjectIdentifier
	keySize int
	gcm     bool
	cipher  func([]byte) (cipher.Block, error)
}{
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 2}, 16, false, aes.NewCipher},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 22}, 24, false, aes.NewCipher},
	{oidAES256CBC, 32, false, aes.NewCipher},
	{asn1.ObjectIdentifier{1, 2, 840, 113549, 3, 7}, 24, false, des.NewTripleDESCipher},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 6}, 16, true, aes.NewCipher},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 26}, 24, true, aes.NewCipher},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 46}, 32, true, aes.NewCipher},
}

// sealOf finds the content encryption. Authenticated messages use GCM and the
// others CBC, never the other way round.
func sealOf(a algorithm, authenticated bool) (*seal, error) {
	for _, c := range contentCiphers {
		if c.gcm != authenticated || !c.oid.Equal(a.OID) {
			continue
		}
		s := &seal{keySize: c.keySize, cipher: c.cipher}
		if c.gcm {
			return s, s.gcmParameters(a.Parameters.FullBytes)
		}
		return s, s.cbcParameters(a.Parameters.FullBytes)
	}
	return nil, fmt.Errorf("content encryption %v: %w", a.OID, ErrUnsupported)
}

func (s *seal) cbcParameters(der []byte) error {
	if !parse(der, &s.iv, "") {
		return ErrDamaged
	}
	block, err := s.cipher(make([]byte, s.keySize))
	if err != nil || len(s.iv) != block.BlockSize() {
		return ErrDamaged
	}
	return nil
}

func (s *seal) gcmParameters(der []byte) error {
	var p struct {
		Nonce   []byte
		TagSize int `asn1:"optional,default:12"`
	}
	if !parse(der, &p, "") || len(p.Nonce) == 0 || len(p.Nonce) > 1024 || p.TagSize < 12 || p.TagSize > 16 {
		return ErrDamaged
	}
	s.iv, s.tagSize = p.Nonce, p.TagSize
	return nil
}

// opening is a content being decrypted, in place.
type opening interface {
	// part decrypts ciphertext that more follows, a multiple of 16 bytes, and
	// reports how much from its start is plaintext now. The rest is to come
	// again.
	part(b []byte) int

	// last decrypts the rest and reports how much of it is plaintext, and
	// whether all that can be checked is right.
	last(b []byte, t trailer) (int, bool)
}

func (s *seal) open(key []byte) (opening, error) {
	block, err := s.cipher(key)
	if err != nil {
		return nil, ErrDamaged
	}
	if s.tagSize == 0 {
		return cbc{cipher.NewCBCDecrypter(block, s.iv)}, nil
	}
	return openGCM(block, s.iv, s.tagSize)
}

type cbc struct{ cipher.BlockMode }

// part keeps a block back: should it prove to be the last, it holds padding.
func (c cbc) part(b []byte) int {
	n := len(b) - c.BlockSize()
	c.CryptBlocks(b[:n], b[:n])
	return n
}

func (c cbc) last(b []byte, _ trailer) (int, bool) {
	size := c.BlockSize()
	if len(b) == 0 || len(b)%size != 0 {
		return 0, false
	}
	c.CryptBlocks(b, b)
	padding := int(b[len(b)-1])
	if padding == 0 || padding > size {
		return 0, false
	}
	wrong := byte(0)
	for _, p := range b[len(b)-padding:] {
		wrong |= p ^ byte(padding)
	}
	return len(b) - padding, wrong == 0
}

type gcm struct {
	hash    *ghash
	stream  *counter
	mask    field // of the tag
	tagSize int
	size    uint64
}

const gcmLimit = 1<<36 - 32 // bytes, NIST SP 800-38D

func openGCM(block cipher.Block, nonce []byte, tagSize int) (*gcm, error) {
	hash, err := newGHASH(block)
	if err != nil {
		return nil, ErrDamaged
	}
	var first [16]byte
	if copy(first[:], nonce); len(nonce) == 12 {
		first[15] = 1
	} else {
		hash.padded(nonce)
		hash.y.plus(field{low: uint64(len(nonce)) * 8}).times(hash.h).put(first[:])
		hash.y = field{}
	}
	g := &gcm{hash: hash, tagSize: tagSize}
	var mask [16]byte
	block.Encrypt(mask[:], first[:])
	g.mask = fieldOf(mask[:])
	binary.BigEndian.PutUint32(first[12:], binary.BigEndian.Uint32(first[12:])+1)
	g.stream = newCounter(block, first)
	return g, nil
}

func (g *gcm) part(b []byte) int {
	g.size += uint64(len(b))
	g.hash.padded(b)
	g.stream.xor(b)
	return len(b)
}

func (g *gcm) last(b []byte, t trailer) (int, bool) {
	g.part(b)
	var tag [16]byte
	g.hash.after(t.attributes, g.size).plus(g.mask).put(tag[:])
	return len(b), g.size <= gcmLimit && equal(tag[:g.tagSize], t.mac)
}
