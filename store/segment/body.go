package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"footbridge/core"
)

// Batch gathers records that are appended together. Its zero value is empty.
type Batch struct {
	at  Position
	buf []byte
}

// Reset empties the batch; it will be appended at the given end of the log.
func (b *Batch) Reset(end Position) { b.at, b.buf = end, b.buf[:0] }

// Len is the size of the batch in bytes.
func (b *Batch) Len() int { return len(b.buf) }

// Cut drops everything added after the batch had the given size.
func (b *Batch) Cut(size int) { b.buf = b.buf[:size] }

// Rows adds a transaction's changes.
func (b *Batch) Rows(payload []byte) { b.buf = appendFrame(b.buf, Rows, payload) }

// Body adds a body and tells where it will be.
func (b *Batch) Body(body []byte) Place {
	place := Place{Segment: b.at.Segment, Offset: b.at.Offset + int64(len(b.buf)) + headerSize, Size: int64(len(body))}
	b.buf = appendFrame(b.buf, Body, body)
	return place
}

// Place is where a body lies.
type Place struct {
	Segment uint64
	Offset  int64
	Size    int64
}

// String is the place's form in a row.
func (p Place) String() string { return fmt.Sprintf("segment/%d/%d/%d", p.Segment, p.Offset, p.Size) }

// ParsePlace reads what String wrote.
func ParsePlace(s string) (Place, error) {
	var p Place
	if _, err := fmt.Sscanf(s, "segment/%d/%d/%d", &p.Segment, &p.Offset, &p.Size); err != nil || p.String() != s || p.Offset < headerSize || p.Size < 0 || p.Size > maxPayload {
		return Place{}, fmt.Errorf("%q is no place in a segment", s)
	}
	return p, nil
}

// Open reads the body at a place, whole, and holds it against its checksum.
// Errors: core.ErrNotFound where its segment is gone, core.ErrDigestMismatch
// where it is not what was written. The caller closes it.
func (l *Log) Open(p Place) (io.ReadCloser, error) {
	f, err := os.Open(l.name(p.Segment))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open body: segment %d: %w", p.Segment, core.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("open body: %w", err)
	}
	defer f.Close()
	frame := make([]byte, headerSize+p.Size)
	if _, err := f.ReadAt(frame, p.Offset-headerSize); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read body: %w", err)
	}
	payload := frame[headerSize:]
	if int64(binary.LittleEndian.Uint32(frame)) != p.Size || Kind(frame[8]) != Body ||
		checksum(Body, payload) != binary.LittleEndian.Uint32(frame[4:]) {
		return nil, fmt.Errorf("read body at %s: %w", p, core.ErrDigestMismatch)
	}
	return io.NopCloser(bytes.NewReader(payload)), nil
}
