package cms_test

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/core/cms"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const vectors = "../../testdata/vectors/cms"

func open(message []byte, keys ...cms.Key) ([]byte, error) {
	r, err := cms.Open(bytes.NewReader(message), keys)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func seal(t testing.TB, key cms.Key, plain []byte) []byte {
	t.Helper()
	var message bytes.Buffer
	w, err := cms.Seal(&message, key.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return message.Bytes()
}

// sealedVectors are the messages that test-only opens.
func sealedVectors(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob(vectors + "/*.?er")
	if err != nil || len(all) < 20 {
		t.Fatalf("found %d vectors: %v", len(all), err)
	}
	var names []string
	for _, path := range all {
		if name := filepath.Base(path); name != "foreign.der" {
			names = append(names, name)
		}
	}
	return names
}

func TestVectorsOpen(t *testing.T) {
	key, other, plain := testdata.Key(t, "test-only"), testdata.Key(t, "other-only"), testdata.Vector(t, "cms/plain.txt")
	for _, name := range sealedVectors(t) {
		got, err := open(testdata.Vector(t, "cms/"+name), other, key)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestForeignMessageNamesItsRecipients(t *testing.T) {
	key := testdata.Key(t, "test-only")
	_, err := open(testdata.Vector(t, "cms/foreign.der"), key)
	var foreign *cms.ForeignError
	if !errors.As(err, &foreign) {
		t.Fatalf("got %v", err)
	}
	want := []cms.Recipient{{Issuer: "CN=another test key\\, not for data,O=Footbridge TEST ONLY", Serial: "7e4"}}
	if diff := cmp.Diff(want, foreign.Recipients); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(err.Error(), "serial 7e4 of issuer CN=another") {
		t.Errorf("message %q does not name the recipient", err)
	}
	if _, err := open(testdata.Vector(t, "cms/keyid.der"), testdata.Key(t, "other-only")); !errors.As(err, &foreign) || foreign.Recipients[0].KeyID == "" {
		t.Errorf("key id: got %v", err)
	}
	if _, err := open(testdata.Vector(t, "cms/several.ber")); !errors.As(err, &foreign) || len(foreign.Recipients) != 2 {
		t.Errorf("no keys: got %v", err)
	}
}

func TestKeyIDIsComputedWhereTheCertificateHasNone(t *testing.T) {
	key := testdata.Key(t, "test-only")
	bare := *key.Certificate
	bare.SubjectKeyId = nil
	if _, err := open(testdata.Vector(t, "cms/keyid.der"), cms.Key{Certificate: &bare, Private: key.Private}); err != nil {
		t.Error(err)
	}
}

func TestUnfitKeyIsNoVerdict(t *testing.T) {
	key, other := testdata.Key(t, "test-only"), testdata.Key(t, "other-only")
	broken := *key.Private
	broken.Primes, broken.Precomputed = other.Private.Primes, rsa.PrecomputedValues{}
	for _, unfit := range []cms.Key{{}, {Certificate: key.Certificate, Private: &broken},
		{Certificate: key.Certificate}, {Certificate: key.Certificate, Private: other.Private}} {
		_, err := open(testdata.Vector(t, "cms/aes-256-cbc.der"), unfit)
		if err == nil || isVerdict(err) {
			t.Errorf("got %v", err)
		}
	}
}

func TestWhatIsNotEnveloped(t *testing.T) {
	key := testdata.Key(t, "test-only")
	for name, bytes := range map[string]string{
		"nothing":      "",
		"zip":          "PK\x03\x04 and so on",
		"text":         "0 is the tag of a sequence",
		"signed data":  "\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0\x80\x30\x80",
		"endless":      strings.Repeat("\x30\x80", 1000),
		"huge":         "\x30\x88\x7f\xff\xff\xff\xff\xff\xff\xff\x06\x88\x7f\xff\xff\xff\xff\xff\xff\x00",
		"bad oid":      "\x30\x80\x06\x01\x80",
		"first octets": "\x30\x80\x06\x09\x2a\x86",
	} {
		if _, err := open([]byte(bytes), key); !errors.Is(err, cms.ErrNotEnveloped) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	key := testdata.Key(t, "test-only")
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(65500, 65600),
			rapid.IntRange(131040, 131120), rapid.IntRange(0, 400_000)).Draw(t, "size")
		plain := bytes.Repeat([]byte("steps,1204\n"), size/11+1)[:size]
		var message bytes.Buffer
		w, err := cms.Seal(&message, key.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		piece := rapid.IntRange(1, 100_000).Draw(t, "piece")
		for rest := plain; len(rest) > 0; {
			n := min(len(rest), piece)
			if m, err := w.Write(rest[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := cms.Open(&message, []cms.Key{key})
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if rapid.Bool().Draw(t, "WriteTo") {
			_, err = r.WriteTo(&got)
		} else {
			_, err = io.Copy(&got, struct{ io.Reader }{r})
		}
		if err != nil || !bytes.Equal(got.Bytes(), plain) {
			t.Fatalf("got %d bytes, want %d: %v", got.Len(), size, err)
		}
	})
}

func isVerdict(err error) bool {
	var foreign *cms.ForeignError
	return errors.Is(err, cms.ErrDamaged) || errors.Is(err, cms.ErrNotEnveloped) ||
		errors.Is(err, cms.ErrUnsupported) || errors.As(err, &foreign)
}
