package cms_test

import (
	"bytes"
	"encoding/asn1"
	"slices"
	"testing"

	"footbridge/testdata"

	"pgregory.net/rapid"
)

// element encodes an element in DER.
func element(tag byte, parts ...[]byte) []byte {
	content := slices.Concat(parts...)
	head := []byte{tag}
	switch n := len(content); {
	case n < 0x80:
		head = append(head, byte(n))
	case n < 1<<8:
		head = append(head, 0x81, byte(n))
	case n < 1<<16:
		head = append(head, 0x82, byte(n>>8), byte(n))
	default:
		head = append(head, 0x84, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return append(head, content...)
}

func oid(arcs ...int) []byte {
	der, err := asn1.Marshal(asn1.ObjectIdentifier(arcs))
	if err != nil {
		panic(err)
	}
	return der
}

// segmented re-encodes a message of Seal with segments of another size.
func segmented(t testing.TB, message []byte, size int) []byte {
	t.Helper()
	start := bytes.Index(message, []byte{0xa0, 0x80, 0x04, 0x83})
	if start < 0 {
		t.Fatal("no content found")
	}
	out := slices.Clone(message[:start+2])
	var content []byte
	rest := message[start+2:]
	for rest[0] == 0x04 {
		var segment []byte
		var err error
		if rest, err = asn1.Unmarshal(rest, &segment); err != nil {
			t.Fatal(err)
		}
		content = append(content, segment...)
	}
	for segment := range slices.Chunk(content, size) {
		out = append(out, element(0x04, segment)...)
	}
	return append(out, rest...)
}

// loosen re-encodes DER as some other BER of the same value.
func loosen(t *rapid.T, der []byte) []byte {
	var out []byte
	for len(der) > 0 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(der, &v)
		if err != nil {
			t.Fatal(err)
		}
		der = rest
		switch {
		case v.IsCompound:
			out = append(out, frame(t, v.FullBytes[0], loosen(t, v.Bytes))...)
		case v.Class == 0 && v.Tag == 4, v.Class == 2 && v.Tag == 0:
			out = append(out, pieces(t, v.FullBytes[0], v.Bytes, 3)...)
		default:
			out = append(out, v.FullBytes...)
		}
	}
	return out
}

// pieces writes an octet string whole or in segments, of segments perhaps.
func pieces(t *rapid.T, tag byte, content []byte, depth int) []byte {
	if depth == 0 || rapid.Bool().Draw(t, "whole") {
		return length(t, tag, content)
	}
	var inner []byte
	for len(content) > 0 {
		n := rapid.IntRange(0, len(content)).Draw(t, "segment")
		inner = append(inner, pieces(t, 0x04, content[:n], depth-1)...)
		content = content[n:]
	}
	return frame(t, tag|0x20, inner)
}

func frame(t *rapid.T, tag byte, content []byte) []byte {
	if rapid.Bool().Draw(t, "indefinite") {
		return slices.Concat([]byte{tag, 0x80}, content, []byte{0, 0})
	}
	return length(t, tag, content)
}

// length writes a definite length, longer than need be perhaps.
func length(t *rapid.T, tag byte, content []byte) []byte {
	n := len(content)
	if n < 0x80 && rapid.Bool().Draw(t, "short") {
		return append([]byte{tag, byte(n)}, content...)
	}
	head := []byte{tag, 0x80 | byte(rapid.IntRange(3, 8).Draw(t, "octets"))}
	for i := int(head[1]&0x7f) - 1; i >= 0; i-- {
		head = append(head, byte(n>>(8*i)))
	}
	return append(head, content...)
}

func TestEveryEncodingOfAMessageOpens(t *testing.T) {
	key, plain := testdata.Key(t, "test-only"), testdata.Vector(t, "cms/plain.txt")
	messages := map[string][]byte{}
	names := []string{"aes-256-cbc.der", "des3.der", "aes-128-gcm.der", "keyid.der", "oaep-sha256.der", "oaep-mixed.der"}
	for _, name := range names {
		messages[name] = testdata.Vector(t, "cms/"+name)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "vector")
		message := loosen(t, messages[name])
		got, err := open(message, key)
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("%s as %x: got %q, %v", name, message, got, err)
		}
	})
}

func TestWhatFollowsAMessageIsNotRead(t *testing.T) {
	key, plain := testdata.Key(t, "test-only"), testdata.Vector(t, "cms/plain.txt")
	got, err := open(append(testdata.Vector(t, "cms/aes-256-cbc.ber"), "more"...), key)
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("got %q, %v", got, err)
	}
}
