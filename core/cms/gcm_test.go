package cms_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"footbridge/core/cms"
	"footbridge/testdata"

	"pgregory.net/rapid"
)

// authenticated makes authenticated messages with the standard library's GCM,
// which is the reference for ours.
type authenticated struct {
	key        []byte // of the content; 32 zeros where nil
	nonce      []byte
	tagSize    int
	attributes [][]byte // sent in this order
	damage     func(ciphertext, tag []byte)
}

func (a authenticated) seal(t interface{ Fatal(...any) }, key cms.Key, plain []byte) []byte {
	if a.key == nil {
		a.key = make([]byte, 32)
	}
	block, err := aes.NewCipher(a.key)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(a.nonce))
	if err != nil {
		t.Fatal(err)
	}
	var additional, attributes []byte
	if len(a.attributes) > 0 {
		sorted := slices.SortedFunc(slices.Values(a.attributes), bytes.Compare)
		additional = element(0x31, sorted...)
		attributes = element(0xa1, a.attributes...)
	}
	ciphertext := aead.Seal(nil, a.nonce, plain, additional)
	ciphertext, tag := ciphertext[:len(plain)], ciphertext[len(plain):][:a.tagSize]
	if a.damage != nil {
		a.damage(ciphertext, tag)
	}
	wrapped, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, &key.Private.PublicKey, a.key, nil)
	if err != nil {
		t.Fatal(err)
	}
	parameters := [][]byte{element(0x04, a.nonce)}
	if a.tagSize != 12 {
		parameters = append(parameters, []byte{2, 1, byte(a.tagSize)})
	}
	recipient := element(0x30, []byte{2, 1, 0},
		element(0x30, key.Certificate.RawIssuer, []byte{2, 2, 0x7e, 0x57}),
		element(0x30, oid(1, 2, 840, 113549, 1, 1, 7)),
		element(0x04, wrapped))
	variant := map[int]int{16: 6, 24: 26, 32: 46}[len(a.key)]
	return element(0x30, oid(1, 2, 840, 113549, 1, 9, 16, 1, 23), element(0xa0, element(0x30,
		[]byte{2, 1, 0},
		element(0xa0, element(0xa0, element(0x30, []byte{5, 0}))), // originatorInfo
		element(0x31, element(0xa2, []byte{2, 1, 4}), element(0xa1, []byte{2, 1, 3}), recipient),
		element(0x30, oid(1, 2, 840, 113549, 1, 7, 1),
			element(0x30, oid(2, 16, 840, 1, 101, 3, 4, 1, variant), element(0x30, parameters...)),
			element(0x80, ciphertext)),
		attributes, element(0x04, tag),
		element(0xa2, []byte{5, 0}), // unauthAttrs
	)))
}

func attribute(n int) []byte {
	return element(0x30, oid(1, 2, 3, n), element(0x31, element(0x04, bytes.Repeat([]byte{byte(n)}, n))))
}

func TestGCMAgreesWithTheStandardLibrary(t *testing.T) {
	key := testdata.Key(t, "test-only")
	rapid.Check(t, func(t *rapid.T) {
		a := authenticated{
			key:     rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key")[:rapid.SampledFrom([]int{16, 24, 32}).Draw(t, "size")],
			nonce:   rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "nonce"),
			tagSize: rapid.IntRange(12, 16).Draw(t, "tag"),
		}
		for n := range rapid.IntRange(0, 4).Draw(t, "attributes") {
			a.attributes = append(a.attributes, attribute(90-20*n))
		}
		size := rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(131_000, 131_200), rapid.IntRange(0, 400_000)).Draw(t, "plain")
		plain := bytes.Repeat([]byte("heart rate,61\n"), size/14+1)[:size]
		got, err := open(a.seal(t, key, plain), key)
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("got %d bytes of %d: %v", len(got), size, err)
		}
		a.damage = func(ciphertext, tag []byte) {
			all := [][]byte{tag, ciphertext}[rapid.IntRange(0, min(1, len(ciphertext))).Draw(t, "which")]
			all[rapid.IntRange(0, len(all)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		if _, err := open(a.seal(t, key, plain), key); !errors.Is(err, cms.ErrDamaged) {
			t.Fatalf("damaged: got %v", err)
		}
	})
}

// A counter that starts just below 2^32 wraps without touching the rest.
func TestGCMCounterWraps(t *testing.T) {
	key := testdata.Key(t, "test-only")
	block, err := aes.NewCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCMWithNonceSize(block, 16)
	if err != nil {
		t.Fatal(err)
	}
	nonce, first := make([]byte, 16), make([]byte, 0, 32)
	for n := uint64(0); ; n++ {
		binary.BigEndian.PutUint64(nonce, n)
		first = aead.Seal(first[:0], nonce, make([]byte, 16), nil)
		block.Decrypt(first[:16], first[:16]) // the key stream's first counter block
		if binary.BigEndian.Uint32(first[12:]) > 1<<32-1<<16 {
			break
		}
	}
	plain := make([]byte, 2<<20)
	got, err := open(authenticated{nonce: nonce, tagSize: 16}.seal(t, key, plain), key)
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("got %d bytes: %v", len(got), err)
	}
}

func TestAttributesAreAuthenticated(t *testing.T) {
	key := testdata.Key(t, "test-only")
	a := authenticated{nonce: make([]byte, 12), tagSize: 16, attributes: [][]byte{attribute(5), attribute(4)}}
	message := a.seal(t, key, []byte("plain"))
	if _, err := open(message, key); err != nil {
		t.Fatal(err)
	}
	altered := bytes.Replace(message, []byte{4, 5, 5, 5, 5, 5, 5}, []byte{4, 5, 5, 5, 5, 5, 6}, 1)
	removed := bytes.Replace(message, element(0xa1, attribute(5), attribute(4)), nil, 1)
	for _, bad := range [][]byte{altered, removed} {
		if bytes.Equal(bad, message) {
			t.Fatal("nothing was altered")
		}
		if _, err := open(bad, key); !errors.Is(err, cms.ErrDamaged) {
			t.Errorf("got %v", err)
		}
	}
}

func TestShortTagsAreRefused(t *testing.T) {
	key := testdata.Key(t, "test-only")
	for size := range 12 {
		_, err := open(authenticated{nonce: make([]byte, 12), tagSize: size}.seal(t, key, []byte("plain")), key)
		if !errors.Is(err, cms.ErrDamaged) {
			t.Errorf("tag of %d bytes: got %v", size, err)
		}
	}
}

func ExampleRecipient() {
	fmt.Println(cms.Recipient{Issuer: "CN=study", Serial: "1a2b"})
	// Output: serial 1a2b of issuer CN=study
}
