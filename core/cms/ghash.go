package cms

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

// field is an element of GF(2^128) as GCM writes it: bit 0 is the leftmost.
type field struct{ high, low uint64 }

func fieldOf(b []byte) field {
	return field{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (x field) put(b []byte) {
	binary.BigEndian.PutUint64(b, x.high)
	binary.BigEndian.PutUint64(b[8:], x.low)
}

func (x field) plus(y field) field { return field{x.high ^ y.high, x.low ^ y.low} }

// times multiplies bit by bit, without branching on either factor.
func (x field) times(y field) (z field) {
	for i := range 128 {
		word := x.high
		if i >= 64 {
			word = x.low
		}
		bit := -(word >> (63 - i%64) & 1)
		z.high ^= y.high & bit
		z.low ^= y.low & bit
		carry := -(y.low & 1)
		y.low = y.low>>1 | y.high<<63
		y.high = y.high>>1 ^ 0xe1<<56&carry
	}
	return z
}

func (x field) power(n uint64) field {
	result := field{high: 1 << 63} // one
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = result.times(x)
		}
		x = x.times(x)
	}
	return result
}

// ghash is GCM's hash, a piece at a time. The standard library has it only
// inside cipher.AEAD, which wants a message whole. Yet the tag of an empty
// message with additional data X is GHASH(X ‖ length of X) under a mask that
// depends on the nonce alone. With the mask known, and the hash being linear,
// one multiplication swaps the length block for the next block of X. So the
// processor's own instructions hash all but one block of each piece.
type ghash struct {
	aead  cipher.AEAD
	h     field
	y     field
	mask  field
	nonce []byte
	tag   []byte
}

// newGHASH takes an AES block cipher.
func newGHASH(block cipher.Block) (*ghash, error) {
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	g := &ghash{aead: aead, nonce: make([]byte, aead.NonceSize()), tag: make([]byte, 0, 16)}
	g.mask = fieldOf(aead.Seal(g.tag, g.nonce, nil, nil))
	zero := make([]byte, 16)
	block.Encrypt(zero, zero)
	g.h = fieldOf(zero)
	return g, nil
}

// blocks adds whole blocks. It writes to b but leaves it as it was.
func (g *ghash) blocks(b []byte) {
	if len(b) == 0 {
		return
	}
	most, last := b[:len(b)-16], fieldOf(b[len(b)-16:])
	if len(most) == 0 {
		g.y = g.y.plus(last).times(g.h)
		return
	}
	first := fieldOf(most)
	first.plus(g.y).put(most)
	hashed := fieldOf(g.aead.Seal(g.tag, g.nonce, nil, most)).plus(g.mask)
	first.put(most)
	length := field{high: uint64(len(most)) * 8}
	g.y = hashed.plus(length.plus(last).times(g.h))
}

// padded adds b, filled with zeros to whole blocks.
func (g *ghash) padded(b []byte) {
	whole := len(b) &^ 15
	g.blocks(b[:whole])
	if whole < len(b) {
		var last [16]byte
		copy(last[:], b[whole:])
		g.blocks(last[:])
	}
}

// after gives the hash of what was added as it is when data comes before it.
// Authenticated attributes arrive after the content but are hashed before.
func (g *ghash) after(data []byte, size uint64) field {
	content := g.y
	g.y = field{}
	g.padded(data)
	before := g.y.times(g.h.power((size + 15) / 16))
	lengths := field{uint64(len(data)) * 8, size * 8}
	return before.plus(content).plus(lengths).times(g.h)
}

// counter is CTR mode whose counter is the last 32 bits of the block and wraps
// there, as in GCM; cipher.NewCTR carries into the rest.
type counter struct {
	block  cipher.Block
	iv     [16]byte
	stream cipher.Stream
	left   uint64 // bytes before the counter wraps
}

func newCounter(block cipher.Block, first [16]byte) *counter {
	left := (1<<32 - uint64(binary.BigEndian.Uint32(first[12:]))) * 16
	return &counter{block, first, cipher.NewCTR(block, first[:]), left}
}

func (c *counter) xor(b []byte) {
	for len(b) > 0 {
		n := min(uint64(len(b)), c.left)
		c.stream.XORKeyStream(b[:n], b[:n])
		b = b[n:]
		if c.left -= n; c.left == 0 {
			clear(c.iv[12:])
			*c = *newCounter(c.block, c.iv)
		}
	}
}

func equal(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }
