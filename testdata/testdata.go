package testdata

import (
	"archive/zip"
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"embed"
	"encoding/pem"
	"io"
	"testing"

	"footbridge/core/cms"
)

//go:embed vectors
var vectors embed.FS

// Vector gives a file below vectors, cms/plain.txt for one.
func Vector(t testing.TB, name string) []byte {
	t.Helper()
	b, err := vectors.ReadFile("vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Key gives one of the two test keys, test-only or other-only.
func Key(t testing.TB, name string) cms.Key {
	t.Helper()
	read := func(kind string) []byte {
		block, _ := pem.Decode(Vector(t, "cms/"+name+"-"+kind+".pem"))
		return block.Bytes
	}
	certificate, err := x509.ParseCertificate(read("cert"))
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.ParsePKCS8PrivateKey(read("key"))
	if err != nil {
		t.Fatal(err)
	}
	return cms.Key{Certificate: certificate, Private: private.(*rsa.PrivateKey)}
}

// Bundle packs files into a zip, name and content by turns.
func Bundle(t testing.TB, files ...string) []byte {
	t.Helper()
	var all bytes.Buffer
	w := zip.NewWriter(&all)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}
