package cms

import (
	"bytes"
	"encoding/asn1"
	"slices"
)

// trailer is what follows the content and matters.
type trailer struct {
	attributes []byte // authenticated attributes as a DER SET OF, or nothing
	mac        []byte
}

// readTrailer reads the message from behind the content to its end.
func readTrailer(d *decoder, authenticated bool) (t trailer, err error) {
	d.ceiling = d.at + headerLimit
	if err := d.close(); err != nil { // EncryptedContentInfo
		return t, err
	}
	for {
		h, more, err := d.next()
		if err != nil {
			return t, err
		}
		if !more {
			break
		}
		der, err := d.der(h)
		if err != nil {
			return t, err
		}
		if !authenticated || t.mac != nil {
			continue // unprotected attributes
		}
		if h.tag() == tagContext0|tagConstructed|1 && t.attributes == nil {
			t.attributes, err = setOf(der)
		} else if !parse(der, &t.mac, "") {
			err = ErrDamaged
		}
		if err != nil {
			return t, err
		}
	}
	if err := d.close(); err != nil { // [0]
		return t, err
	}
	return t, d.close() // ContentInfo
}

// setOf gives an implicitly tagged set as it is authenticated: with the tag of
// a set, its elements in DER's order.
func setOf(der []byte) ([]byte, error) {
	var elements []asn1.RawValue
	if !parse(der, &elements, "set,tag:1") {
		return nil, ErrDamaged
	}
	slices.SortFunc(elements, func(a, b asn1.RawValue) int { return bytes.Compare(a.FullBytes, b.FullBytes) })
	var all []byte
	for _, e := range elements {
		all = append(all, e.FullBytes...)
	}
	return append(appendLength([]byte{tagSet}, len(all)), all...), nil
}
