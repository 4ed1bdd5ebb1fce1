package device

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"os"

	"footbridge/core/cms"
)

// sending is one file on its way.
type sending struct {
	file     File
	note     note
	notePath string
	sealed   string                        // path of the sealed bytes, "" where none are needed
	open     func() (io.ReadCloser, error) // the bytes to send
	puts     int                           // how often bytes were sent
}

// prepare finds out what to send: it goes on with an upload that another run
// left, or seals and measures the file.
func (c *Client) prepare(ctx context.Context, file File) (*sending, error) {
	file, err := file.withDefaults()
	if err != nil {
		return nil, err
	}
	source, err := file.identity()
	if err != nil {
		return nil, err
	}
	purpose, err := file.purpose(c.config)
	if err != nil {
		return nil, err
	}
	s := &sending{file: file, notePath: file.workPath(noteSuffix), open: file.Open}
	if file.Encrypt != nil {
		s.sealed = file.workPath(sealedSuffix)
		s.open = func() (io.ReadCloser, error) { return os.Open(s.sealed) }
	}
	if file.Path != "" {
		if n, ok := readNote(s.notePath, purpose, source); ok && s.holds(n) {
			if n.BaseURL != c.config.BaseURL {
				n.BaseURL, n.URL = c.config.BaseURL, "" // the site moved
			}
			s.note = n
			c.config.Notify(fmt.Sprintf("going on with %s where an earlier sending ended", file.Name))
			return s, nil
		}
	}
	s.forget()
	if err := c.describe(ctx, s, source); err != nil {
		return nil, fmt.Errorf("send %s: %w", file.Name, err)
	}
	s.note.Purpose, s.note.BaseURL, s.note.Source, s.note.Step = purpose, c.config.BaseURL, source, stepReady
	c.keep(s)
	return s, nil
}

// holds reports whether the bytes of a note are still there.
func (s *sending) holds(n note) bool {
	if s.sealed == "" || n.Step == stepPut {
		return true
	}
	info, err := os.Lstat(s.sealed)
	return err == nil && info.Mode().IsRegular() && info.Size() == n.Length
}

// describe finds digest and length of the bytes to send, which it seals first
// where that is asked for.
func (c *Client) describe(ctx context.Context, s *sending, source identity) (err error) {
	if s.sealed == "" {
		s.note.MD5, s.note.Length, err = c.measure(ctx, s.open, source.Size)
	} else {
		s.note.MD5, s.note.Length, err = c.seal(ctx, s, source.Size)
	}
	if err != nil {
		return err
	}
	if now, err := s.file.identity(); err != nil {
		return err
	} else if now != source {
		s.forget()
		return ErrChanged
	}
	return nil
}

// measure gives the MD5, base64, and the length of what open gives.
func (c *Client) measure(ctx context.Context, open func() (io.ReadCloser, error), expected int64) (string, int64, error) {
	from, err := open()
	if err != nil {
		return "", 0, err
	}
	defer from.Close()
	digest := md5.New()
	length, err := c.pour(ctx, Hashing, digest, from, expected)
	return base64.StdEncoding.EncodeToString(digest.Sum(nil)), length, err
}

// seal writes the sealed file, and gives the MD5, base64, and the length of it.
func (c *Client) seal(ctx context.Context, s *sending, expected int64) (sum string, length int64, err error) {
	from, err := s.file.Open()
	if err != nil {
		return "", 0, err
	}
	defer from.Close()
	digest := md5.New()
	err = writeNew(s.sealed, func(f *os.File) error {
		w, err := cms.Seal(io.MultiWriter(f, digest), s.file.Encrypt)
		if err != nil {
			return err
		}
		if _, err := c.pour(ctx, Sealing, w, from, expected); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			length = info.Size()
		}
		return err
	})
	return base64.StdEncoding.EncodeToString(digest.Sum(nil)), length, err
}

// pour copies to the end and reports every piece. Where the total is not known
// it is 0 until the end.
func (c *Client) pour(ctx context.Context, stage Stage, w io.Writer, r io.Reader, total int64) (done int64, err error) {
	piece := make([]byte, 256<<10)
	c.config.Progress(stage, 0, total)
	for {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		n, err := r.Read(piece)
		if _, err := w.Write(piece[:n]); err != nil {
			return done, err
		}
		done += int64(n)
		ended := err == io.EOF
		if ended && done != total {
			total, n = done, 1 // there is news
		}
		if n > 0 {
			c.config.Progress(stage, done, total)
		}
		if ended {
			return done, nil
		}
		if err != nil {
			return done, err
		}
	}
}

// keep notes how far the upload has come. Without the note everything still
// works but a later run, which then starts afresh.
func (c *Client) keep(s *sending) {
	if s.file.Path == "" {
		return
	}
	if err := s.note.write(s.notePath); err != nil {
		c.config.Notify(fmt.Sprintf("a broken-off sending of %s could not go on later: %v", s.file.Name, err))
	}
}

// forget removes what was kept beside the file. What cannot be removed is of no
// use to anyone: a note of other bytes is not gone on with.
func (s *sending) forget() {
	if s.file.Path != "" {
		remove(s.notePath)
	}
	if s.sealed != "" {
		remove(s.sealed)
	}
}
