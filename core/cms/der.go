package cms

import "bytes"

// der reads the whole element whose header was just read and gives it in DER:
// lengths definite, octet strings in one piece. Sets stay in their order.
func (d *decoder) der(h header) ([]byte, error) {
	content, err := d.content(h)
	if err != nil {
		return nil, err
	}
	if h.tag() == tagOctets|tagConstructed {
		h.id[0] = tagOctets
	}
	out := make([]byte, 0, len(content)+10)
	out = append(out, h.id[:h.idSize]...)
	return append(appendLength(out, len(content)), content...), nil
}

func (d *decoder) content(h header) ([]byte, error) {
	if !h.constructed() {
		if h.length > d.ceiling-d.at {
			return nil, ErrDamaged
		}
		content := make([]byte, h.length)
		for n := 0; n < len(content); {
			m, err := d.read(content[n:])
			if err != nil {
				return nil, err
			}
			n += m
		}
		return content, nil
	}
	if err := d.enter(h); err != nil {
		return nil, err
	}
	var content bytes.Buffer
	for {
		child, more, err := d.next()
		if err != nil || !more {
			return content.Bytes(), err
		}
		part, err := d.part(h, child)
		if err != nil {
			return nil, err
		}
		content.Write(part)
	}
}

// part gives a child as it belongs into its parent: of an octet string's
// segment only what is in it.
func (d *decoder) part(parent, child header) ([]byte, error) {
	if parent.tag() != tagOctets|tagConstructed {
		return d.der(child)
	}
	if child.tag()&^tagConstructed != tagOctets {
		return nil, ErrDamaged
	}
	return d.content(child)
}

func appendLength(b []byte, n int) []byte {
	if n < 0x80 {
		return append(b, byte(n))
	}
	size := 1
	for n>>(8*size) != 0 {
		size++
	}
	b = append(b, 0x80|byte(size))
	for size--; size >= 0; size-- {
		b = append(b, byte(n>>(8*size)))
	}
	return b
}
