package cms

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// Key is what opens a message: a private key and the certificate that devices
// seal for.
type Key struct {
	Certificate *x509.Certificate
	Private     *rsa.PrivateKey
}

// check finds keys that could not open anything. To go on with one would blame
// every message for it.
func (k Key) check() error {
	if k.Certificate == nil || k.Private == nil {
		return errors.New("use key: certificate or private key is missing")
	}
	if !k.Private.PublicKey.Equal(k.Certificate.PublicKey) {
		return fmt.Errorf("use key of certificate %x: private key belongs to another", k.Certificate.SerialNumber)
	}
	if err := k.Private.Validate(); err != nil {
		return fmt.Errorf("use key of certificate %x: %w", k.Certificate.SerialNumber, err)
	}
	return nil
}

func (k Key) keyID() []byte {
	if len(k.Certificate.SubjectKeyId) > 0 {
		return k.Certificate.SubjectKeyId
	}
	sum := sha1.Sum(x509.MarshalPKCS1PublicKey(&k.Private.PublicKey)) // RFC 5280, 4.2.1.2, method 1
	return sum[:]
}

// Recipient is whom a message was sealed for, as the message says. Its parts
// are hex, or empty where the message does not give them.
type Recipient struct {
	Issuer string // of the certificate, RFC 2253, printable
	Serial string // of the certificate
	KeyID  string // subject key identifier
	Kind   string // for what is not an RSA key: a few words
}

// String names the recipient for a person.
func (r Recipient) String() string {
	switch {
	case r.Kind != "":
		return r.Kind
	case r.KeyID != "":
		return "key id " + r.KeyID
	}
	return "serial " + r.Serial + " of issuer " + r.Issuer
}

// algorithm is an AlgorithmIdentifier.
type algorithm struct {
	OID        asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

// transport is a KeyTransRecipientInfo.
type transport struct {
	Version   int
	ID        asn1.RawValue
	Algorithm algorithm
	Key       []byte
}

// parse reads DER that has nothing behind it.
func parse(der []byte, value any, params string) bool {
	rest, err := asn1.UnmarshalWithParams(der, value, params)
	return err == nil && len(rest) == 0
}

// certificateID is an IssuerAndSerialNumber.
type certificateID struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

var otherKinds = map[int]string{
	1: "a key agreement key",
	2: "a key encryption key",
	3: "a password",
	4: "a recipient of another kind",
}

// recipientsOf reads a SET OF RecipientInfo. It gives whom the message is for
// and of these the ones that a key fits.
func recipientsOf(der []byte, keys []Key) (all []Recipient, ours []lock, err error) {
	var infos []asn1.RawValue
	if !parse(der, &infos, "set") {
		return nil, nil, ErrDamaged
	}
	for _, info := range infos {
		if info.Class == asn1.ClassContextSpecific {
			kind, known := otherKinds[info.Tag]
			if !known {
				return nil, nil, ErrDamaged
			}
			all = append(all, Recipient{Kind: kind})
			continue
		}
		var t transport
		if !parse(info.FullBytes, &t, "") {
			return nil, nil, ErrDamaged
		}
		recipient, fits, err := t.recipient()
		if err != nil {
			return nil, nil, err
		}
		all = append(all, recipient)
		for _, key := range keys {
			if fits(key) {
				ours = append(ours, lock{key.Private, t, recipient})
			}
		}
	}
	return all, ours, nil
}

// recipient reads the recipient's identifier, and gives a test for keys.
func (t transport) recipient() (Recipient, func(Key) bool, error) {
	if t.ID.Class == asn1.ClassContextSpecific && t.ID.Tag == 0 {
		id, ok := keyIDOf(t.ID)
		if !ok {
			return Recipient{}, nil, ErrDamaged
		}
		return Recipient{KeyID: shorten(fmt.Sprintf("%x", id))},
			func(k Key) bool { return bytes.Equal(k.keyID(), id) }, nil
	}
	var id certificateID
	var issuer pkix.RDNSequence
	if !parse(t.ID.FullBytes, &id, "") || !parse(id.Issuer.FullBytes, &issuer, "") {
		return Recipient{}, nil, ErrDamaged
	}
	fits := func(k Key) bool {
		return k.Certificate.SerialNumber.Cmp(id.Serial) == 0 &&
			bytes.Equal(k.Certificate.RawIssuer, id.Issuer.FullBytes)
	}
	return Recipient{Issuer: shorten(issuer.String()), Serial: shorten(id.Serial.Text(16))}, fits, nil
}

// keyIDOf joins the segments of an identifier that comes in some.
func keyIDOf(value asn1.RawValue) ([]byte, bool) {
	if !value.IsCompound {
		return value.Bytes, len(value.Bytes) > 0
	}
	var id []byte
	for rest := value.Bytes; len(rest) > 0; {
		var segment []byte
		var err error
		if rest, err = asn1.Unmarshal(rest, &segment); err != nil {
			return nil, false
		}
		id = append(id, segment...)
	}
	return id, len(id) > 0
}

// shorten makes what a stranger wrote fit to be shown.
func shorten(s string) string {
	const most = 200
	runes := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
