package main

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"footbridge/core"
	"footbridge/core/cms"
	"footbridge/core/process"
	"footbridge/store/blob"
)

// decryption is the row of opening an encrypted zip, hashing it and looking at
// it, beside the openssl program, which only opens it.
func decryption(p plan, _ string) error {
	key, err := newKey(p.dir)
	if err != nil {
		return err
	}
	sealed := filepath.Join(p.dir, "large.cms")
	if err := sealZip(sealed, p.large, key.Certificate); err != nil {
		return err
	}
	megabytes := float64(p.large) / 1e6
	begun := time.Now()
	digest, err := judge(sealed, key)
	if err != nil {
		return err
	}
	ours := megabytes / time.Since(begun).Seconds()

	opened := filepath.Join(p.dir, "large.zip")
	begun = time.Now()
	err = openssl("cms", "-decrypt", "-binary", "-inform", "DER", "-in", sealed, "-out", opened,
		"-inkey", filepath.Join(p.dir, "key.pem"), "-recip", filepath.Join(p.dir, "certificate.pem"))
	if err != nil {
		return err
	}
	theirs := megabytes / time.Since(begun).Seconds()
	row(fmt.Sprintf("encrypted %d MiB: decrypt, hash, look, beside openssl", p.large>>20), ours, theirs, "MB/s", 3)

	begun = time.Now()
	if err := openssl("md5", opened); err != nil {
		return err
	}
	row("  beside openssl md5 of the same bytes", ours, megabytes/time.Since(begun).Seconds(), "MB/s", 0.6)
	info, err := os.Stat(opened)
	if err != nil || info.Size() != digest.Size {
		return fmt.Errorf("openssl opened another file (%v)", err)
	}
	return nil
}

func openssl(args ...string) error {
	if out, err := exec.Command("openssl", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("openssl %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// judge processes a sealed file as the appliance does.
func judge(name string, key cms.Key) (core.Digest, error) {
	b := &bench{name: name}
	worker := process.NewWorker(b, process.Config{
		Keys: func() []cms.Key { return []cms.Key{key} }, Now: time.Now,
		NewDigest: func() process.Digest { return blob.NewHasher() },
	})
	if _, err := worker.Step(context.Background()); err != nil {
		return core.Digest{}, err
	}
	if b.upload.State != core.StateSucceeded || len(b.upload.Messages) > 0 {
		return core.Digest{}, fmt.Errorf("the file is %s: %v", b.upload.State, b.upload.Messages)
	}
	return b.upload.Record.Plain, nil
}

// bench holds one upload, which is due (process.Bench).
type bench struct {
	name   string
	upload core.Upload
}

func (b *bench) Claim(context.Context) (core.Upload, bool, error) {
	b.upload = core.Upload{
		Request: core.Request{Name: "large.zip", Encrypted: true}, State: core.StateCompleted,
		Blob: &core.Blob{}, Facts: &core.Facts{Schemaless: true},
	}
	return b.upload, true, nil
}
func (b *bench) Open(context.Context, core.Blob) (io.ReadCloser, error) { return os.Open(b.name) }
func (b *bench) Uses(context.Context, string, core.Digest) int          { return 0 }
func (b *bench) Settle(_ context.Context, _ core.UploadID, change func(*core.Upload) ([]core.Export, error)) error {
	_, err := change(&b.upload)
	return err
}
func (b *bench) Release(core.UploadID, time.Time) {}

func newKey(dir string) (cms.Key, error) {
	private, err := rsa.GenerateKey(rand.Reader, 3072)
	if err != nil {
		return cms.Key{}, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "bench"}, NotAfter: time.Now().AddDate(1, 0, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return cms.Key{}, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return cms.Key{}, err
	}
	for name, block := range map[string]*pem.Block{
		"key.pem":         {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)},
		"certificate.pem": {Type: "CERTIFICATE", Bytes: der},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			return cms.Key{}, err
		}
	}
	return cms.Key{Certificate: certificate, Private: private}, nil
}

// sealZip writes a zip with one stored file of noise, sealed as devices do.
func sealZip(name string, size int64, certificate *x509.Certificate) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	sealed, err := cms.Seal(out, certificate)
	if err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyN(sum, noise(), size); err != nil {
		return err
	}
	archive := zip.NewWriter(sealed)
	entry, err := archive.CreateRaw(&zip.FileHeader{
		Name: "accelerometer.bin", Method: zip.Store, CRC32: sum.Sum32(),
		CompressedSize64: uint64(size), UncompressedSize64: uint64(size),
	})
	if err != nil {
		return err
	}
	if _, err := io.CopyN(entry, noise(), size); err != nil {
		return err
	}
	for _, finish := range []func() error{archive.Close, sealed.Close, out.Flush, f.Close} {
		if err := finish(); err != nil {
			return err
		}
	}
	return nil
}

// noise is the same bytes each time; they do not compress.
func noise() io.Reader { return mathrand.NewChaCha8([32]byte{}) }
