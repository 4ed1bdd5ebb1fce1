package cms

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	_ "crypto/sha1" // an OAEP hash
	"crypto/sha256"
	_ "crypto/sha512" // OAEP hashes
	"encoding/asn1"
	"encoding/hex"
	"fmt"
)

// The rule here is: whether a wrapped key is right must not show. A wrong one
// gives another key of the right size, and the content then proves damaged.

// lock is a wrapped content key and the private key that opens it.
type lock struct {
	private *rsa.PrivateKey
	transport
	recipient Recipient
}

var (
	oidRSA  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidOAEP = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 7}
	oidMGF1 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 8}
	oidSpec = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 9}
)

var hashes = []struct {
	oid  asn1.ObjectIdentifier
	hash crypto.Hash
}{
	{asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}, crypto.SHA1},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, crypto.SHA256},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}, crypto.SHA384},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}, crypto.SHA512},
}

// unwrap gives the content key, size bytes of it.
func (l lock) unwrap(size int) ([]byte, error) {
	key := l.decoy()[:size]
	switch {
	case l.Algorithm.OID.Equal(oidRSA):
		//lint:ignore SA1019 devices seal with PKCS #1 v1.5, and this form of it is no oracle
		if err := rsa.DecryptPKCS1v15SessionKey(nil, l.private, l.Key, key); err != nil {
			return nil, ErrDamaged // its size is wrong, which anyone can see
		}
		return key, nil
	case l.Algorithm.OID.Equal(oidOAEP):
		options, err := oaepOf(l.Algorithm.Parameters.FullBytes)
		if err != nil {
			return nil, err
		}
		if found, err := l.private.Decrypt(nil, l.Key, options); err == nil && len(found) == size {
			return found, nil
		}
		return key, nil
	}
	return nil, fmt.Errorf("key encryption %v: %w", l.Algorithm.OID, ErrUnsupported)
}

// envelope gives hex SHA-256 over the wrapped key, written with the length of
// the modulus as RFC 8017 has it: zeros in front, which some leave out and
// anyone may, must not make it another one.
func (l lock) envelope() string {
	wrapped := bytes.TrimLeft(l.Key, "\x00")
	if missing := l.private.Size() - len(wrapped); missing > 0 {
		wrapped = append(make([]byte, missing), wrapped...)
	}
	sum := sha256.Sum256(wrapped)
	return hex.EncodeToString(sum[:])
}

// decoy is the key taken in place of a wrong one. Nobody without the private
// key can tell it from a real one, and it is the same each time, so that a
// message never gets two verdicts.
func (l lock) decoy() []byte {
	secret := sha256.Sum256(l.private.D.Bytes())
	mac := hmac.New(sha256.New, secret[:])
	mac.Write(l.Key)
	return mac.Sum(nil)
}

// oaepOf reads RSAES-OAEP-params, RFC 4055.
func oaepOf(der []byte) (*rsa.OAEPOptions, error) {
	var p struct {
		Hash  algorithm `asn1:"optional,explicit,tag:0"`
		Mask  algorithm `asn1:"optional,explicit,tag:1"`
		Label algorithm `asn1:"optional,explicit,tag:2"`
	}
	if len(der) > 0 && !parse(der, &p, "") {
		return nil, ErrDamaged
	}
	options := &rsa.OAEPOptions{Hash: crypto.SHA1, MGFHash: crypto.SHA1}
	var err error
	if p.Hash.OID != nil {
		if options.Hash, err = hashOf(p.Hash.OID); err != nil {
			return nil, err
		}
	}
	if p.Mask.OID != nil {
		var inner algorithm
		if !p.Mask.OID.Equal(oidMGF1) {
			return nil, fmt.Errorf("mask generation %v: %w", p.Mask.OID, ErrUnsupported)
		}
		if !parse(p.Mask.Parameters.FullBytes, &inner, "") {
			return nil, ErrDamaged
		}
		if options.MGFHash, err = hashOf(inner.OID); err != nil {
			return nil, err
		}
	}
	if p.Label.OID != nil {
		if !p.Label.OID.Equal(oidSpec) || !parse(p.Label.Parameters.FullBytes, &options.Label, "") {
			return nil, ErrDamaged
		}
	}
	return options, nil
}

func hashOf(oid asn1.ObjectIdentifier) (crypto.Hash, error) {
	for _, h := range hashes {
		if h.oid.Equal(oid) {
			return h.hash, nil
		}
	}
	return 0, fmt.Errorf("hash %v: %w", oid, ErrUnsupported)
}
