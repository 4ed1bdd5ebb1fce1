package segment

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
)

// Kind tells what a record holds.
type Kind byte

// The kinds of record.
const (
	Rows Kind = 1 // a transaction's changes
	Body Kind = 2 // the bytes of one small upload
)

const (
	headerSize = 9       // length, checksum, kind
	maxPayload = 1 << 28 // 256 MiB; a larger length is damage
)

// errTorn says that the bytes at an offset are no whole record: the tail of a
// log whose writer died, or damage.
var errTorn = errors.New("torn record")

// castagnoli is the checksum's polynomial, which processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendFrame(to []byte, kind Kind, payload []byte) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(len(payload)))
	to = binary.LittleEndian.AppendUint32(to, checksum(kind, payload))
	to = append(to, byte(kind))
	return append(to, payload...)
}

func checksum(kind Kind, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte{byte(kind)}, castagnoli), castagnoli, payload)
}

// readFrame reads one record of at most limit bytes. io.EOF means that the log
// ends here, errTorn that what follows is not a whole record.
func readFrame(r io.Reader, limit int64, buf []byte) (Kind, []byte, error) {
	var header [headerSize]byte
	switch _, err := io.ReadFull(r, header[:]); {
	case err == io.EOF:
		return 0, buf, io.EOF
	case err == io.ErrUnexpectedEOF:
		return 0, buf, errTorn
	case err != nil:
		return 0, buf, err
	}
	size, kind := binary.LittleEndian.Uint32(header[:]), Kind(header[8])
	if size > maxPayload || int64(size)+headerSize > limit || (kind != Rows && kind != Body) {
		return 0, buf, errTorn
	}
	if cap(buf) < int(size) {
		buf = make([]byte, size)
	}
	buf = buf[:size]
	switch _, err := io.ReadFull(r, buf); {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return 0, buf, errTorn
	case err != nil:
		return 0, buf, err
	}
	if checksum(kind, buf) != binary.LittleEndian.Uint32(header[4:]) {
		return 0, buf, errTorn
	}
	return kind, buf, nil
}

// holdsBody reports whether a segment holds any body, reading headers only.
func holdsBody(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var header [headerSize]byte
	for at := int64(0); ; {
		switch _, err := f.ReadAt(header[:], at); {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, err
		case Kind(header[8]) != Rows:
			return true, nil
		}
		at += headerSize + int64(binary.LittleEndian.Uint32(header[:]))
	}
}
