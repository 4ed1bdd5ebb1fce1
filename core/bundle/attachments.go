package bundle

import (
	"bytes"
	"io"

	"footbridge/core"
	"footbridge/core/archive"
)

// Attachments reads a bundle once more and hands visit the bytes of each
// attachment that Read found in it: those that are JSON in their order, then files
// in the order of the bundle. It does not open the bundle for JSON alone.
//
// visit may leave bytes unread, and must not keep the reader. What it took is to
// be kept only where Attachments gives no error, as checksums come behind the
// data. Errors: that of visit, as it is within; those of open and of what it
// opened, wrapped; core.ErrDigestMismatch where the bundle is not what it was.
func Attachments(open Opener, all []Attachment, visit func(Attachment, io.Reader) error) error {
	files := map[int]Attachment{}
	for _, a := range all {
		if a.Number != 0 {
			files[a.Number] = a
		} else if err := visit(a, bytes.NewReader(a.JSON)); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return nil
	}
	return readAgain(open, len(files), func(e archive.Entry, r io.Reader) (bool, error) {
		a, ok := files[e.Number]
		if !ok || a.File != e.Name {
			return false, nil
		}
		counted := &counter{from: r}
		if err := visit(a, counted); err != nil {
			return true, err
		}
		if _, err := io.Copy(io.Discard, counted); err != nil {
			return true, err
		}
		if counted.n != a.Size {
			return true, core.ErrDigestMismatch
		}
		return true, nil
	})
}

// counter counts what is read of a file.
type counter struct {
	from io.Reader
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}
