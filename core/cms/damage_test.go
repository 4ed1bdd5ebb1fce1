package cms_test

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footbridge/core/cms"
	"footbridge/testdata"

	"github.com/smallstep/pkcs7"
)

func TestEveryTruncationIsSeen(t *testing.T) {
	key := testdata.Key(t, "test-only")
	for _, name := range sealedVectors(t) {
		message := testdata.Vector(t, "cms/"+name)
		for cut := range message {
			_, err := open(message[:cut], key)
			if !errors.Is(err, cms.ErrDamaged) && !errors.Is(err, cms.ErrNotEnveloped) {
				t.Errorf("%s cut at %d of %d: got %v", name, cut, len(message), err)
			}
		}
	}
}

// One bit of every byte is flipped in turn. CBC cannot notice all of it; GCM
// must notice all that touches key, content, nonce or tag.
func TestFlippedBits(t *testing.T) {
	key, plain := testdata.Key(t, "test-only"), testdata.Vector(t, "cms/plain.txt")
	for _, name := range []string{"aes-256-cbc.ber", "aes-256-gcm.ber", "aes-128-gcm.der", "oaep-sha256.der", "keyid.der"} {
		message := testdata.Vector(t, "cms/"+name)
		for at := range message {
			bad := slices.Clone(message)
			bad[at] ^= 1 << (at * 3 % 8)
			got, err := open(bad, key)
			if err != nil && !isVerdict(err) {
				t.Fatalf("%s, byte %d: %v is no verdict", name, at, err)
			}
			if err == nil && !strings.Contains(name, "cbc") && name != "keyid.der" && !bytes.Equal(got, plain) {
				t.Fatalf("%s, byte %d: %q came through authentication", name, at, got)
			}
		}
	}
}

func TestDamages(t *testing.T) {
	key := testdata.Key(t, "test-only")
	cbc, gcm := testdata.Vector(t, "cms/aes-256-cbc.ber"), testdata.Vector(t, "cms/aes-256-gcm.der")
	streamed := testdata.Vector(t, "cms/aes-256-gcm.ber")
	replace := func(message []byte, old, new string) []byte {
		t.Helper()
		bad := bytes.Replace(message, []byte(old), []byte(new), 1)
		if bytes.Equal(bad, message) {
			t.Fatalf("%x is not in the message", old)
		}
		return bad
	}
	oidCBC, oidGCM := "\x60\x86\x48\x01\x65\x03\x04\x01\x2a", "\x60\x86\x48\x01\x65\x03\x04\x01\x2e"
	rsaOID := "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"
	end := strings.Repeat("\x00", 10)
	for name, c := range map[string]struct {
		message []byte
		want    error
	}{
		"unknown cipher":          {replace(cbc, oidCBC, oidCBC[:8]+"\x2b"), cms.ErrUnsupported},
		"gcm not authenticated":   {replace(cbc, oidCBC, oidGCM), cms.ErrUnsupported},
		"cbc authenticated":       {replace(gcm, oidGCM, oidCBC), cms.ErrUnsupported},
		"unknown key encryption":  {replace(cbc, rsaOID, rsaOID[:8]+"\x02"), cms.ErrUnsupported},
		"vector too short":        {replace(cbc, oidCBC+"\x04\x10", oidCBC+"\x04\x0f"), cms.ErrDamaged},
		"smaller cipher":          {replace(cbc, oidCBC, oidCBC[:8]+"\x02"), cms.ErrDamaged},
		"a null in the content":   {replace(cbc, end, "\x05\x00"+end), cms.ErrDamaged},
		"an octet more":           {replace(cbc, end, "\x04\x01\x00"+end), cms.ErrDamaged},
		"garbage behind content":  {replace(cbc, end, "\x00\x00\x05\x00"+end[2:]), cms.ErrDamaged},
		"end with a length":       {replace(cbc, end, "\x00\x01"+end[2:]), cms.ErrDamaged},
		"garbage behind envelope": {replace(cbc, end, end[:6]+"\x05\x00"+end[6:]), cms.ErrDamaged},
		"garbage at the end":      {replace(cbc, end, end[:8]+"\x05\x00"+end[8:]), cms.ErrDamaged},
		"endless content":         {slices.Concat(bytes.TrimSuffix(cbc, []byte(end)), bytes.Repeat([]byte("\x24\x80"), 99)), cms.ErrDamaged},
		"endless attributes":      {slices.Concat(bytes.TrimSuffix(cbc, []byte(end[4:])), bytes.Repeat([]byte("\xa1\x80"), 99)), cms.ErrDamaged},
		"huge attribute":          {slices.Concat(bytes.TrimSuffix(cbc, []byte(end[4:])), []byte("\x81\x84\x7f\xff\xff\xff")), cms.ErrDamaged},
		"attributes":              {replace(cbc, end, end[:4]+"\xa1\x02\x05\x00"+end[4:]), nil},
		"no tag":                  {slices.Concat(streamed[:len(streamed)-6-18], streamed[len(streamed)-6:]), cms.ErrDamaged},
		"all but the head":        {replace(cbc, end, ""), cms.ErrDamaged},
	} {
		if _, err := open(c.message, key); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if _, err := open(replace(cbc, oidCBC, oidCBC[:8]+"\x2b"), key); !strings.Contains(err.Error(), "2.16.840.1.101.3.4.1.43") {
		t.Errorf("%v does not name the algorithm", err)
	}
}

// The same damage gets the same verdict each time, though a wrong wrapped key
// is replaced by one that looks random.
func TestWrongKeyGetsOneVerdict(t *testing.T) {
	key := testdata.Key(t, "test-only")
	// The other key under our name: what a device that mixed up keys would send.
	mixed := *testdata.Key(t, "other-only").Certificate
	mixed.RawIssuer, mixed.SerialNumber = key.Certificate.RawIssuer, key.Certificate.SerialNumber
	damaged := 0
	for range 20 {
		message := seal(t, cms.Key{Certificate: &mixed}, oddly(1000))
		_, err := open(message, key)
		if errors.Is(err, cms.ErrDamaged) {
			damaged++
		} else if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if _, again := open(message, key); fmt.Sprint(again) != fmt.Sprint(err) {
				t.Fatalf("got %v, then %v", err, again)
			}
		}
	}
	if damaged < 17 { // 1 of 256 garbled contents ends in what looks like padding
		t.Errorf("only %d of 20 were seen", damaged)
	}
}

func TestAgreesWithPKCS7(t *testing.T) {
	key := testdata.Key(t, "test-only")
	theirs := func(message []byte) (plain []byte, err error) {
		defer func() {
			if recover() != nil { // it panics where padding claims more than there is
				err = cms.ErrDamaged
			}
		}()
		p, err := pkcs7.Parse(message)
		if err != nil {
			return nil, err
		}
		return p.Decrypt(key.Certificate, key.Private)
	}
	pkcs7.ContentEncryptionAlgorithm = pkcs7.EncryptionAlgorithmAES256CBC
	for _, size := range []int{1, 15, 16, 17, 1000, 300_000} {
		plain := oddly(size)
		message, err := pkcs7.Encrypt(plain, []*x509.Certificate{testdata.Key(t, "other-only").Certificate, key.Certificate})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := open(message, key); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes of theirs: got %d, %v", size, len(got), err)
		}
		if got, err := theirs(seal(t, key, plain)); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes of ours: got %d, %v", size, len(got), err)
		}
	}
	// From the initialisation vector on, any alteration must read alike.
	message := testdata.Vector(t, "cms/aes-256-cbc.der")
	for at := len(message) - 32 - 2 - 16; at < len(message); at++ {
		for bit := range 8 {
			bad := slices.Clone(message)
			bad[at] ^= 1 << bit
			want, theirErr := theirs(bad)
			if len(want) == 32 {
				theirErr = cms.ErrDamaged // they let a padding of no bytes pass
			}
			got, err := open(bad, key)
			if (err == nil) != (theirErr == nil) || err == nil && !bytes.Equal(got, want) {
				t.Errorf("byte %d, bit %d: got %q, %v; they got %q, %v", at, bit, got, err, want, theirErr)
			}
		}
	}
}
