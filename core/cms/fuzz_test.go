package cms_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"footbridge/core/cms"
	"footbridge/testdata"
)

// FuzzOpen holds that any bytes get a verdict, the same however they arrive.
func FuzzOpen(f *testing.F) {
	for _, name := range append(sealedVectors(f), "foreign.der") {
		f.Add(testdata.Vector(f, "cms/"+name))
	}
	key := testdata.Key(f, "test-only")
	f.Fuzz(func(t *testing.T, message []byte) {
		plain, err := open(message, key)
		if err != nil && !isVerdict(err) {
			t.Fatalf("%v is no verdict", err)
		}
		if err == nil && len(plain) >= len(message) {
			t.Fatalf("%d bytes came out of %d", len(plain), len(message))
		}
		if len(message) > 4096 {
			return
		}
		r, again := cms.Open(iotest.OneByteReader(bytes.NewReader(message)), []cms.Key{key})
		var slowly bytes.Buffer
		if again == nil {
			_, again = io.Copy(&slowly, r)
		}
		if (again == nil) != (err == nil) || err == nil && !bytes.Equal(slowly.Bytes(), plain) {
			t.Fatalf("got %v and %q, then %v and %q", err, plain, again, slowly.Bytes())
		}
		for _, verdict := range []error{cms.ErrDamaged, cms.ErrNotEnveloped, cms.ErrUnsupported} {
			if errors.Is(err, verdict) != errors.Is(again, verdict) {
				t.Fatalf("got %v, then %v", err, again)
			}
		}
	})
}
