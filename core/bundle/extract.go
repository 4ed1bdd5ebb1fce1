package bundle

import (
	"errors"
	"fmt"
	"io"

	"footbridge/core"
	"footbridge/core/archive"
	"footbridge/core/schema"
)

// errExtracted ends a reading that has found what it was for.
var errExtracted = errors.New("the attachment is written")

// Extract writes an attachment that Read found in a bundle. It opens the bundle
// once, reads no further than it needs, and takes constant memory. What was written
// is to be used only where there is no error. Errors: those of open, of what it
// opened, and of to, wrapped; core.ErrDigestMismatch where the bundle is not what
// it was.
func Extract(open Opener, a core.Attachment, to io.Writer) error {
	written := newSum()
	to = io.MultiWriter(to, written)
	var err error
	if a.File == 0 {
		err = extractAnswers(open, to)
	} else {
		err = extractPart(open, a, to)
	}
	if err == nil && written.digest() != a.Digest {
		err = core.ErrDigestMismatch
	}
	if err != nil {
		return fmt.Errorf("read an attachment from its bundle: %w", err)
	}
	return nil
}

// extractPart writes a part of one file.
func extractPart(open Opener, a core.Attachment, to io.Writer) error {
	stream, err := open()
	if err != nil {
		return err
	}
	defer stream.Close()
	_, err = archive.Read(stream, archive.DefaultLimits(), func(e archive.Entry, r io.Reader) error {
		if e.Number != a.File {
			return nil
		}
		_, err := io.CopyN(io.Discard, r, a.Offset)
		if err == nil {
			_, err = io.CopyN(to, r, a.Size)
		}
		if err == io.EOF {
			err = core.ErrDigestMismatch
		}
		if err != nil {
			return err
		}
		return errExtracted
	})
	if err == nil {
		return core.ErrDigestMismatch
	}
	if errors.Is(err, errExtracted) {
		return nil
	}
	return err
}

// extractAnswers writes the answers of a v1_legacy survey together.
func extractAnswers(open Opener, to io.Writer) error {
	b := &reading{open: open}
	if err := b.list(); err != nil {
		return err
	}
	if b.refused() {
		return core.ErrDigestMismatch
	}
	_, err := to.Write(b.answers()[schema.AnswersField].raw)
	return err
}
