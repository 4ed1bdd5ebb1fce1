package cms_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/testdata"
)

// openssl runs the program, which these tests cannot do without: it is the
// other implementation that ours is held against.
func openssl(t *testing.T, args ...string) []byte {
	t.Helper()
	program, err := exec.LookPath("openssl")
	if err != nil {
		t.Fatal("the program openssl is missing: install OpenSSL 3.0 or newer (Debian: apt-get install openssl)")
	}
	var stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program, args...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("openssl %q: %v: %s", args, err, stderr.Bytes())
	}
	return out
}

func certificateFile(name string) string { return filepath.Join(vectors, name+"-cert.pem") }
func keyFile(name string) string         { return filepath.Join(vectors, name+"-key.pem") }

func write(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// oddly is plaintext without a pattern that hides mistakes of order.
func oddly(size int) []byte {
	plain := make([]byte, size)
	for i, x := 0, uint32(1); i < size; i++ {
		x = x*1664525 + 1013904223
		plain[i] = byte(x >> 24)
	}
	return plain
}

func TestWeOpenWhatOpenSSLSeals(t *testing.T) {
	key := testdata.Key(t, "test-only")
	certificate := certificateFile("test-only")
	recipients := map[string][]string{
		"issuer and serial": {certificate},
		"key id":            {"-keyid", certificate},
		"second of three":   {certificateFile("other-only"), certificate, certificateFile("other-only")},
		"oaep":              {"-recip", certificate, "-keyopt", "rsa_padding_mode:oaep"},
		"oaep sha256": {"-recip", certificate, "-keyopt", "rsa_padding_mode:oaep",
			"-keyopt", "rsa_oaep_md:sha256"},
		"oaep sha512 and sha1": {"-recip", certificate, "-keyopt", "rsa_padding_mode:oaep",
			"-keyopt", "rsa_oaep_md:sha512", "-keyopt", "rsa_mgf1_md:sha1"},
	}
	for _, size := range []int{0, 15, 16, 300_000} {
		plain := oddly(size)
		in := write(t, plain)
		for _, cipher := range []string{"-aes-128-cbc", "-aes-192-cbc", "-aes-256-cbc", "-des3",
			"-aes-128-gcm", "-aes-192-gcm", "-aes-256-gcm"} {
			for name, recipient := range recipients {
				if size != 300_000 && name != "issuer and serial" {
					continue
				}
				if size == 0 && strings.HasSuffix(cipher, "gcm") {
					continue // OpenSSL 3.0 itself fails to seal nothing with GCM
				}
				for _, form := range []string{"-stream", "-binary"} {
					args := append([]string{"cms", "-encrypt", "-binary", "-outform", "DER", "-in", in, cipher, form}, recipient...)
					got, err := open(openssl(t, args...), key)
					if err != nil || !bytes.Equal(got, plain) {
						t.Errorf("%s %s, %s, %d bytes: got %d bytes, %v", cipher, form, name, size, len(got), err)
					}
				}
			}
		}
	}
}

func TestOpenSSLOpensWhatWeSeal(t *testing.T) {
	key := testdata.Key(t, "test-only")
	for _, size := range []int{0, 1, 16, 65535, 65536, 300_000} {
		plain := oddly(size)
		got := openssl(t, "cms", "-decrypt", "-binary", "-inform", "DER", "-in", write(t, seal(t, key, plain)),
			"-recip", certificateFile("test-only"), "-inkey", keyFile("test-only"))
		if !bytes.Equal(got, plain) {
			t.Errorf("%d bytes: got %d other ones", size, len(got))
		}
	}
}
