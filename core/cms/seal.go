package cms

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"slices"
)

const segmentSize = 64 << 10 // bytes, a multiple of the block size

var errSealed = errors.New("sealed message is closed")

// Seal starts a message for the holder of a certificate, in the form devices
// use: enveloped data, one recipient by issuer and serial number, RSA PKCS #1
// v1.5, AES-256-CBC, indefinite lengths. What is written to the result is
// sealed and goes to w. Close ends the message; without it the message is
// damaged. Close does not close w and may be called again.
func Seal(w io.Writer, certificate *x509.Certificate) (io.WriteCloser, error) {
	public, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("seal for certificate %x: it holds no RSA key", certificate.SerialNumber)
	}
	key, iv := make([]byte, 32), make([]byte, aes.BlockSize)
	rand.Read(key) // never fails
	rand.Read(iv)
	//lint:ignore SA1019 the message is to be what devices send
	wrapped, err := rsa.EncryptPKCS1v15(rand.Reader, public, key)
	if err != nil {
		return nil, fmt.Errorf("wrap key: %w", err)
	}
	head, err := sealedHead(certificate, wrapped, iv)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("use key: %w", err)
	}
	if _, err := w.Write(head); err != nil {
		return nil, fmt.Errorf("write sealed message: %w", err)
	}
	return &sealer{w: w, mode: cipher.NewCBCEncrypter(block, iv), buf: make([]byte, 0, segmentSize)}, nil
}

func sealedHead(certificate *x509.Certificate, wrapped, iv []byte) ([]byte, error) {
	issuer := asn1.RawValue{FullBytes: certificate.RawIssuer}
	id, err := asn1.Marshal(certificateID{issuer, certificate.SerialNumber})
	if err != nil {
		return nil, fmt.Errorf("write recipient: %w", err)
	}
	recipient, err := asn1.MarshalWithParams([]transport{{
		ID:        asn1.RawValue{FullBytes: id},
		Algorithm: algorithm{oidRSA, asn1.NullRawValue},
		Key:       wrapped,
	}}, "set")
	if err != nil {
		return nil, fmt.Errorf("write recipient: %w", err)
	}
	octets := asn1.RawValue{Tag: asn1.TagOctetString, Bytes: iv}
	parts := [][]byte{
		{tagSequence, 0x80}, oidBytes(oidEnveloped), {tagContext0 | tagConstructed, 0x80},
		{tagSequence, 0x80}, {tagInteger, 1, 0}, recipient,
		{tagSequence, 0x80}, oidBytes(oidData),
	}
	encryption, err := asn1.Marshal(struct {
		OID asn1.ObjectIdentifier
		IV  asn1.RawValue
	}{oidAES256CBC, octets})
	if err != nil {
		return nil, fmt.Errorf("write content encryption: %w", err)
	}
	parts = append(parts, encryption, []byte{tagContext0 | tagConstructed, 0x80})
	return slices.Concat(parts...), nil
}

// oidBytes encodes one of the identifiers above, which all can be.
func oidBytes(oid asn1.ObjectIdentifier) []byte {
	der, _ := asn1.Marshal(oid)
	return der
}

type sealer struct {
	w    io.Writer
	mode cipher.BlockMode
	buf  []byte
	err  error
	done bool
}

// Write seals p.
func (s *sealer) Write(p []byte) (total int, err error) {
	if s.done {
		return 0, errSealed
	}
	for len(p) > 0 {
		if s.err != nil {
			return total, s.err
		}
		n := min(len(p), cap(s.buf)-len(s.buf))
		s.buf = append(s.buf, p[:n]...)
		p = p[n:]
		total += n
		if len(s.buf) == cap(s.buf) {
			s.segment()
		}
	}
	return total, s.err
}

// Close pads and ends the message.
func (s *sealer) Close() error {
	if s.done {
		return s.err
	}
	s.done = true
	padding := s.mode.BlockSize() - len(s.buf)%s.mode.BlockSize()
	for range padding { // a full buffer was written before, so there is room
		s.buf = append(s.buf, byte(padding))
	}
	s.segment()
	s.write(make([]byte, 10)) // the ends of five indefinite lengths
	return s.err
}

func (s *sealer) segment() {
	s.mode.CryptBlocks(s.buf, s.buf)
	s.write(appendLength([]byte{tagOctets}, len(s.buf)))
	s.write(s.buf)
	s.buf = s.buf[:0]
}

func (s *sealer) write(b []byte) {
	if s.err != nil {
		return
	}
	if _, err := s.w.Write(b); err != nil {
		s.err = fmt.Errorf("write sealed message: %w", err)
	}
}
