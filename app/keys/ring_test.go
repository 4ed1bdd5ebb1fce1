package keys_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footbridge/app/keys"
	"footbridge/core"
)

var now = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

func open(t *testing.T, dir string) *keys.Ring {
	t.Helper()
	r, err := keys.OpenRing(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// pair makes a key and its certificate, as PEM.
func pair(t *testing.T) (private *rsa.PrivateKey, secret, certificate string) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "an older app"}, NotAfter: now.AddDate(1, 0, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	return private, block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(private)), block("CERTIFICATE", der)
}

func TestARingKeepsItsKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd [name] *", "keys")
	r := open(t, dir)
	if _, err := r.PublicKey(); !errors.Is(err, core.ErrNotFound) || len(r.Keys()) != 0 {
		t.Errorf("an empty ring: %v", err)
	}
	own, err := r.Create("test-app", now)
	if err != nil || !own.Current || own.Certificate.Subject.CommonName != "test-app" || own.Private.N.BitLen() != 3072 {
		t.Fatalf("%+v, %v", own, err)
	}
	_, secret, certificate := pair(t)
	older, err := r.Import([]byte("a note\n"+secret+certificate), false, now.Add(time.Minute))
	if err != nil || older.Current {
		t.Fatalf("%+v, %v", older, err)
	}
	again, err := r.Import([]byte(certificate+secret), false, now.Add(time.Hour))
	if err != nil || again.Fingerprint != older.Fingerprint || !again.Added.Equal(older.Added) || len(r.List()) != 2 {
		t.Errorf("imported twice: %+v, %v", again, err)
	}
	for _, ring := range []*keys.Ring{r, open(t, dir)} {
		public, err := ring.PublicKey()
		if want := block("CERTIFICATE", own.Certificate.Raw); err != nil || public != want {
			t.Errorf("devices are given %s, %v", public, err)
		}
		if all := ring.List(); len(all) != 2 || len(ring.Keys()) != 2 || all[0].Current == all[1].Current {
			t.Errorf("it holds %+v", all)
		}
	}
	if got, err := r.Import([]byte(secret+certificate), true, now); err != nil || !got.Current {
		t.Errorf("made current: %v", err)
	}
	if public, _ := open(t, dir).PublicKey(); public != certificate {
		t.Error("the current key was not kept")
	}
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		if info, _ := file.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", file.Name(), info.Mode().Perm())
		}
	}
	if len(files) != 3 {
		t.Errorf("files %v", files)
	}
}

// A key that was copied in by hand is closed to others; one that is gone is not
// given to devices any more.
func TestAFolderThatPeopleTouched(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir)
	_, secret, certificate := pair(t)
	if _, err := r.Import([]byte(secret+certificate), true, now); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "upload-*.pem"))
	os.Remove(names[0])
	_, secret, certificate = pair(t)
	copied := filepath.Join(dir, "upload-copied.pem")
	os.WriteFile(copied, []byte(secret+certificate), 0o644)
	os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("not a key"), 0o644)
	if public, err := open(t, dir).PublicKey(); err != nil || public != certificate {
		t.Errorf("devices are given %s, %v", public, err)
	}
	if info, _ := os.Stat(copied); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	os.WriteFile(copied, []byte(secret), 0o600)
	if _, err := keys.OpenRing(dir); err == nil || !strings.Contains(err.Error(), "open key file upload-copied.pem: there is no certificate") || !strings.Contains(err.Error(), "backup") {
		t.Errorf("a damaged file: %v", err)
	}
}

func TestWhatIsNoKey(t *testing.T) {
	private, secret, certificate := pair(t)
	_, _, foreign := pair(t)
	pkcs8, _ := x509.MarshalPKCS8PrivateKey(private)
	curve, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	curve8, _ := x509.MarshalPKCS8PrivateKey(curve)
	curve1, _ := x509.MarshalECPrivateKey(curve)
	r := open(t, t.TempDir())
	for name, row := range map[string]struct{ text, want string }{
		"nothing":             {"", "there is no private key; put the RSA private key and its certificate into one PEM file"},
		"text":                {"hello", "there is no private key"},
		"no certificate":      {secret, "there is no certificate"},
		"no private key":      {certificate, "there is no private key"},
		"of another":          {secret + foreign, "the private key does not belong to the certificate"},
		"damaged key":         {block("PRIVATE KEY", pkcs8[:50]) + certificate, "the private key cannot be read"},
		"damaged certificate": {secret + block("CERTIFICATE", []byte("x")), "the certificate cannot be read"},
		"locked":              {block("ENCRYPTED PRIVATE KEY", []byte("x")) + certificate, "unlock it with: openssl"},
		"a curve":             {block("PRIVATE KEY", curve8) + certificate, "not an RSA key"},
		"a curve the old way": {block("EC PRIVATE KEY", curve1) + certificate, "not an RSA key"},
		"cut":                 {secret[:300], "there is no private key"},
	} {
		_, err := r.Import([]byte(row.text), true, now)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
		for _, line := range strings.Fields(row.text) {
			if len(line) > 20 && err != nil && strings.Contains(err.Error(), line) {
				t.Errorf("%s: the error has key material: %v", name, err)
			}
		}
	}
	if len(r.List()) != 0 {
		t.Error("a key was kept")
	}
	chain := block("PRIVATE KEY", pkcs8) + certificate + foreign
	if key, err := r.Import([]byte(chain), false, now); err != nil || !key.Current {
		t.Errorf("a chain: %v", err)
	}
}

// Keys may be asked for while one is imported.
func TestARingIsShared(t *testing.T) {
	r := open(t, t.TempDir())
	var busy sync.WaitGroup
	for range 4 {
		_, secret, certificate := pair(t)
		busy.Go(func() { r.Import([]byte(secret+certificate), true, now) })
		busy.Go(func() { r.List(); r.Keys(); r.PublicKey() })
	}
	busy.Wait()
	if len(r.Keys()) != 4 {
		t.Errorf("%d keys", len(r.Keys()))
	}
}

func TestTheSiteStaysTheSame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	first, err := keys.OpenIdentity(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	second, err := keys.OpenIdentity(dir, now.AddDate(1, 0, 0))
	if err != nil || second.Fingerprint != first.Fingerprint || !bytes.Equal(first.Certificate.Certificate[0], second.Certificate.Certificate[0]) {
		t.Errorf("%s became %s, %v", first.Fingerprint, second.Fingerprint, err)
	}
	if len(first.Fingerprint) != 64 {
		t.Errorf("fingerprint %s", first.Fingerprint)
	}
	site, err := x509.ParseCertificate(first.Certificate.Certificate[0])
	if err != nil || site.VerifyHostname("localhost") != nil || site.VerifyHostname("127.0.0.1") != nil || site.NotAfter.Before(now.AddDate(9, 0, 0)) {
		t.Errorf("%+v, %v", site, err)
	}
	name := filepath.Join(dir, "tls.pem")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	os.WriteFile(name, []byte("damaged"), 0o600)
	if _, err := keys.OpenIdentity(dir, now); err == nil || !strings.Contains(err.Error(), "remove it to have a new one made") {
		t.Errorf("a damaged identity: %v", err)
	}
}
