package keys

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Identity is a site's TLS key and self-signed certificate. Devices know the
// site by its fingerprint, so it stays the same for good.
type Identity struct {
	tls.Certificate
	Fingerprint string // hex SHA-256 of the certificate
	Pin         string // base64url SHA-256 of its public key (SubjectPublicKeyInfo)
}

// OpenIdentity reads the identity in the folder, or makes one there; the folder
// is made where it is missing.
func OpenIdentity(dir string, now time.Time) (Identity, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Identity{}, fmt.Errorf("open the site's certificate: %w", err)
	}
	name := filepath.Join(dir, "tls.pem")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = newIdentity(now); err == nil {
			err = WriteFile(name, text)
		}
	}
	if err != nil {
		return Identity{}, fmt.Errorf("open the site's certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(text, text)
	if err != nil {
		return Identity{}, fmt.Errorf("open the site's certificate: tls.pem cannot be read; remove it to have a new one made, and pair the devices again")
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return Identity{}, fmt.Errorf("open the site's certificate: %w", err)
	}
	sum := sha256.Sum256(pair.Certificate[0])
	key := sha256.Sum256(pair.Leaf.RawSubjectPublicKeyInfo)
	return Identity{pair, hex.EncodeToString(sum[:]), base64.RawURLEncoding.EncodeToString(key[:])}, nil
}

func newIdentity(now time.Time) ([]byte, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Footbridge"},
		NotBefore: now.AddDate(0, 0, -2), NotAfter: now.AddDate(10, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"}, IPAddresses: addresses(),
	}
	if host, err := os.Hostname(); err == nil {
		template.DNSNames = append(template.DNSNames, host, host+".local")
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: certificate, Bytes: der})...), nil
}

// addresses lists this machine's addresses.
func addresses() []net.IP {
	all := []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	found, err := net.InterfaceAddrs()
	if err != nil {
		return all
	}
	for _, a := range found {
		if network, ok := a.(*net.IPNet); ok && !network.IP.IsLoopback() && !network.IP.IsLinkLocalUnicast() {
			all = append(all, network.IP)
		}
	}
	return all
}
