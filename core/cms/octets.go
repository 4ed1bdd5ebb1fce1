package cms

import "io"

// octets is the content of one octet string as a stream, whether it comes in
// one piece or in segments, segments of segments included.
type octets struct {
	d     *decoder
	left  int64 // of the segment being read
	depth int   // open elements around the string
	whole bool  // one piece: nothing follows it
}

// octets opens the string whose header was just read.
func (d *decoder) octets(h header) (*octets, error) {
	o := &octets{d: d, depth: len(d.open)}
	if !h.constructed() {
		o.left, o.whole = h.length, true
		return o, nil
	}
	return o, d.enter(h)
}

// Read gives io.EOF after the last byte of the string, with the string's end
// consumed.
func (o *octets) Read(p []byte) (int, error) {
	for o.left == 0 {
		if o.whole || len(o.d.open) == o.depth {
			return 0, io.EOF
		}
		h, more, err := o.d.next()
		switch {
		case err != nil:
			return 0, err
		case !more:
		case h.tag() == tagOctets:
			o.left = h.length
		case h.tag() == tagOctets|tagConstructed:
			if err := o.d.enter(h); err != nil {
				return 0, err
			}
		default:
			return 0, ErrDamaged
		}
	}
	n, err := o.d.read(p[:min(int64(len(p)), o.left)])
	o.left -= int64(n)
	return n, err
}
