package cms_test

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"footbridge/core/cms"
	"footbridge/testdata"
)

// wrappedKey finds the wrapped content key of a message with one recipient: the
// first octet string of the modulus' length.
func wrappedKey(t testing.TB, message []byte, private *rsa.PrivateKey) []byte {
	t.Helper()
	size := private.Size()
	at := bytes.Index(message, []byte{0x04, 0x82, byte(size >> 8), byte(size)})
	if at < 0 {
		t.Fatal("no wrapped key")
	}
	return message[at+4:][:size]
}

func envelope(wrapped []byte) string {
	sum := sha256.Sum256(wrapped)
	return hex.EncodeToString(sum[:])
}

func TestEnvelopeStaysWhateverIsAltered(t *testing.T) {
	key := testdata.Key(t, "test-only")
	message := seal(t, key, oddly(1000))
	wrapped := wrappedKey(t, message, key.Private)
	r, err := cms.Open(bytes.NewReader(message), []cms.Key{key})
	if err != nil {
		t.Fatal(err)
	}
	want := envelope(wrapped)
	if got := r.Envelope(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	behind := bytes.Index(message, wrapped) + len(wrapped)
	early, late := 0, 0
	for at := behind; at < len(message); at++ {
		bad := slices.Clone(message)
		bad[at] ^= 0x11
		r, err := cms.Open(bytes.NewReader(bad), []cms.Key{key})
		if err == nil {
			if got := r.Envelope(); got != want {
				t.Fatalf("byte %d: envelope %s", at, got)
			}
			if _, err = io.Copy(io.Discard, r); err != nil {
				late++
			}
		} else if errors.Is(err, cms.ErrDamaged) {
			early++
		}
		if !errors.Is(err, cms.ErrDamaged) {
			continue // unsupported, or nothing that CBC could notice
		}
		var damaged *cms.DamagedError
		if !errors.As(err, &damaged) || damaged.Envelope != want || damaged.Recipient.Serial == "" {
			t.Fatalf("byte %d: %#v", at, err)
		}
		if want := fmt.Sprintf("sealed message is damaged (sealed for %s)", damaged.Recipient); err.Error() != want {
			t.Fatalf("byte %d: %q, want %q", at, err, want)
		}
	}
	if early == 0 || late == 0 {
		t.Errorf("%d found damaged when opened, %d when read", early, late)
	}
	if again, err := cms.Open(bytes.NewReader(seal(t, key, oddly(1000))), []cms.Key{key}); err != nil || again.Envelope() == want {
		t.Errorf("another message has the same envelope: %v", err)
	}
}

// recipients replaces the one recipient of a message by those that change makes
// of it. It is given what stands before the wrapped key, and that key.
func recipients(t testing.TB, message []byte, change func(head, wrapped []byte) [][]byte) []byte {
	t.Helper()
	at := bytes.Index(message, []byte{0x31, 0x82})
	if at < 0 {
		t.Fatal("no recipients")
	}
	var set, info asn1.RawValue
	rest, err := asn1.Unmarshal(message[at:], &set)
	if err == nil {
		_, err = asn1.Unmarshal(set.Bytes, &info)
	}
	if err != nil {
		t.Fatal(err)
	}
	wrapped := wrappedKey(t, message, testdata.Key(t, "test-only").Private)
	head, _, _ := bytes.Cut(info.Bytes, element(0x04, wrapped))
	return slices.Concat(message[:at], element(0x31, change(head, wrapped)...), rest)
}

// Zeros in front of the wrapped key may be left out or added without changing
// the number that it is.
func TestEnvelopeStaysWithOtherZeros(t *testing.T) {
	key := testdata.Key(t, "test-only")
	var message, wrapped []byte
	for wrapped == nil || wrapped[0] != 0 { // one of 256
		message = seal(t, key, oddly(100))
		wrapped = wrappedKey(t, message, key.Private)
	}
	for name, other := range map[string][]byte{"as it is": wrapped, "shorter": wrapped[1:], "longer": append([]byte{0}, wrapped...)} {
		message := recipients(t, message, func(head, _ []byte) [][]byte {
			return [][]byte{element(0x30, head, element(0x04, other))}
		})
		message[len(message)-20] ^= 1 // in the last block
		_, err := open(message, key)
		var damaged *cms.DamagedError
		if !errors.As(err, &damaged) || damaged.Envelope != envelope(wrapped) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Whoever puts recipients in front that nobody can use does not get another
// envelope by it.
func TestEnvelopeIsThatOfTheKeyInUse(t *testing.T) {
	key, other := testdata.Key(t, "test-only"), testdata.Key(t, "other-only")
	message := testdata.Vector(t, "cms/several.ber")
	seen := map[string]bool{}
	for _, keys := range [][]cms.Key{{key}, {other, key}, {key, other}, {other}} {
		r, err := cms.Open(bytes.NewReader(message), keys)
		if err != nil {
			t.Fatal(err)
		}
		seen[r.Envelope()] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d envelopes for two recipients", len(seen))
	}

	sealed := seal(t, key, oddly(100))
	wrapped := wrappedKey(t, sealed, key.Private)
	rsaOID := []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01")
	varied := recipients(t, sealed, func(head, wrapped []byte) [][]byte {
		unknown := bytes.Replace(head, rsaOID, append(rsaOID[:8:8], 0x02), 1)
		return [][]byte{
			element(0x30, unknown, element(0x04, []byte("another one each time"))),
			element(0x30, head, element(0x04, wrapped)),
		}
	})
	r, err := cms.Open(bytes.NewReader(varied), []cms.Key{key})
	if err != nil || r.Envelope() != envelope(wrapped) {
		t.Errorf("got %+v, %v", r, err)
	}
}
