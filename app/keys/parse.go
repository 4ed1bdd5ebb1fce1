package keys

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
)

// certificate is the type of a certificate's PEM block.
const certificate = "CERTIFICATE"

var errNotRSA = errors.New("the private key is not an RSA key; devices seal for RSA keys only")

// parse reads a private key and its certificate.
func parse(text []byte) (Key, error) {
	var key Key
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		switch block.Type {
		case certificate:
			if key.Certificate != nil {
				continue // a chain: the first is the key's own
			}
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return key, errors.New("the certificate cannot be read")
			}
			key.Certificate = c
		case "PRIVATE KEY", "RSA PRIVATE KEY":
			private, err := parsePrivate(block)
			if err != nil {
				return key, err
			}
			key.Private = private
		case "EC PRIVATE KEY", "DSA PRIVATE KEY":
			return key, errNotRSA
		case "ENCRYPTED PRIVATE KEY":
			return key, errors.New("the private key is locked with a password; unlock it with: openssl pkey -in FILE.pem -out UNLOCKED.pem")
		}
	}
	switch {
	case key.Private == nil:
		return key, errors.New("there is no private key; put the RSA private key and its certificate into one PEM file")
	case key.Certificate == nil:
		return key, errors.New("there is no certificate; put the RSA private key and its certificate into one PEM file")
	case !key.Private.PublicKey.Equal(key.Certificate.PublicKey):
		return key, errors.New("the private key does not belong to the certificate")
	}
	sum := sha256.Sum256(key.Certificate.Raw)
	key.Fingerprint = hex.EncodeToString(sum[:])
	return key, nil
}

func parsePrivate(block *pem.Block) (*rsa.PrivateKey, error) {
	if private, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return private, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the private key cannot be read")
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errNotRSA
	}
	return private, nil
}
