package cms

import (
	"encoding/asn1"
	"errors"
	"fmt"
	"math"
)

var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEnveloped     = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 3}
	oidAuthEnveloped = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 23}
	oidAES256CBC     = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}
)

// outer enters ContentInfo and tells which of the two kinds it holds.
func outer(d *decoder) (authenticated bool, err error) {
	oid, err := func() (oid asn1.ObjectIdentifier, err error) {
		if err := d.into(tagSequence); err != nil {
			return nil, err
		}
		return d.oid()
	}()
	if errors.Is(err, ErrDamaged) {
		return false, ErrNotEnveloped
	}
	if err != nil {
		return false, err
	}
	if authenticated = oid.Equal(oidAuthEnveloped); !authenticated && !oid.Equal(oidEnveloped) {
		return false, fmt.Errorf("content type %v: %w", oid, ErrNotEnveloped)
	}
	if err := d.into(tagContext0 | tagConstructed); err != nil {
		return false, err
	}
	return authenticated, d.into(tagSequence)
}

func (d *decoder) oid() (oid asn1.ObjectIdentifier, err error) {
	h, err := d.expect(tagOID)
	if err != nil {
		return nil, err
	}
	der, err := d.der(h)
	if err == nil && !parse(der, &oid, "") {
		err = ErrDamaged
	}
	return oid, err
}

// recipients reads up to and with RecipientInfos.
func recipients(d *decoder, keys []Key) ([]lock, error) {
	h, err := d.expect(tagInteger) // the version tells nothing that the rest does not
	if err != nil {
		return nil, err
	}
	if _, err := d.der(h); err != nil {
		return nil, err
	}
	h, more, err := d.next()
	if err == nil && more && h.tag() == tagContext0|tagConstructed { // originatorInfo
		if _, err = d.der(h); err == nil {
			h, more, err = d.next()
		}
	}
	if err != nil {
		return nil, err
	}
	if !more || h.tag() != tagSet {
		return nil, ErrDamaged
	}
	der, err := d.der(h)
	if err != nil {
		return nil, err
	}
	all, ours, err := recipientsOf(der, keys)
	if err == nil && len(ours) == 0 {
		err = &ForeignError{all}
	}
	return ours, err
}

// content reads EncryptedContentInfo up to the first byte of the content.
func content(d *decoder, authenticated bool) (*seal, *octets, error) {
	if err := d.into(tagSequence); err != nil {
		return nil, nil, err
	}
	if _, err := d.oid(); err != nil { // of the content; what it says is not our business
		return nil, nil, err
	}
	h, err := d.expect(tagSequence)
	if err != nil {
		return nil, nil, err
	}
	der, err := d.der(h)
	if err != nil {
		return nil, nil, err
	}
	var a algorithm
	if !parse(der, &a, "") {
		return nil, nil, ErrDamaged
	}
	s, err := sealOf(a, authenticated)
	if err != nil {
		return nil, nil, err
	}
	h, more, err := d.next()
	if err != nil {
		return nil, nil, err
	}
	if !more || h.tag()&^tagConstructed != tagContext0 {
		return nil, nil, ErrDamaged
	}
	d.ceiling = math.MaxInt64
	sealed, err := d.octets(h)
	return s, sealed, err
}

// unwrapAny takes the first lock whose algorithm is known. Where there is none,
// the lock is the last.
func unwrapAny(locks []lock, size int) (used lock, key []byte, err error) {
	for _, used = range locks {
		if key, err = used.unwrap(size); !errors.Is(err, ErrUnsupported) {
			break
		}
	}
	return used, key, err
}
