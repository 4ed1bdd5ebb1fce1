package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/rclone/rclone/fs"
	rhash "github.com/rclone/rclone/fs/hash"

	"footbridge/core"
)

var errReadOnly = errors.New("the source of a transfer is not to be changed")

// source shows a core.Object to rclone as a file of another remote.
type source struct {
	object core.Object
	name   string      // on the remote, while it is being written
	meta   fs.Metadata // nil for none
	types  rhash.Set   // hashes to take while reading, because the remote tells no MD5
	sums   map[rhash.Type]string
	broken atomic.Pointer[error]
}

// Open gives the bytes from the beginning; rclone has been told not to seek.
func (s *source) Open(ctx context.Context, _ ...fs.OpenOption) (io.ReadCloser, error) {
	in, err := s.object.Open(ctx)
	if err != nil {
		s.broken.Store(&err)
		return nil, err
	}
	stream := &stream{ctx: ctx, source: s, in: in}
	if s.types.Count() > 0 {
		if stream.sum, err = rhash.NewMultiHasherTypes(s.types); err != nil {
			in.Close()
			return nil, err
		}
	}
	return stream, nil
}

// stream gives the bytes of a source, of which the last ones come only once all
// of them are known to be those that were promised: no remote can have the whole
// of anything else, however fast it answers.
type stream struct {
	ctx    context.Context // of one transfer; io.Reader has no other way
	source *source
	in     io.ReadCloser
	sum    *rhash.MultiHasher
	size   int64
}

// Read gives bytes, or what broke the source.
func (s *stream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.in.Read(p)
	s.size += int64(n)
	if s.sum != nil {
		s.sum.Write(p[:n])
	}
	if s.size >= s.source.object.Size || err == io.EOF { // who knows the size may never ask for the end
		err = s.end(err)
	}
	if err != nil && err != io.EOF {
		s.source.broken.Store(&err)
		return 0, err
	}
	return n, err
}

// end gives io.EOF where a source that gave as many bytes as were promised, or said
// err, is at its end and as promised.
func (s *stream) end(err error) error {
	if err == nil && s.size == s.source.object.Size {
		var more int
		more, err = io.ReadFull(s.in, make([]byte, 1))
		s.size += int64(more)
	}
	if err != nil && err != io.EOF {
		return err
	}
	return cmp.Or(s.verify(), io.EOF)
}

// verify holds what was read against what was promised.
func (s *stream) verify() error {
	want := s.source.object.Digest
	if s.size != want.Size {
		return fmt.Errorf("read %d bytes of %d: %w", s.size, want.Size, core.ErrDigestMismatch)
	}
	if s.sum == nil {
		return nil
	}
	s.source.sums = s.sum.Sums()
	if s.source.sums[rhash.MD5] != want.MD5 {
		return fmt.Errorf("read %d bytes: %w", s.size, core.ErrDigestMismatch)
	}
	return nil
}

// Close closes what the object opened.
func (s *stream) Close() error { return s.in.Close() }

// What rclone asks of a file.

func (s *source) Fs() fs.Info                       { return origin{} }
func (s *source) Remote() string                    { return s.name }
func (s *source) String() string                    { return s.name }
func (s *source) Size() int64                       { return s.object.Size }
func (s *source) Storable() bool                    { return true }
func (s *source) MimeType(context.Context) string   { return s.object.ContentType }
func (s *source) ModTime(context.Context) time.Time { return s.object.ModTime }
func (s *source) Remove(context.Context) error      { return errReadOnly }

func (s *source) Metadata(context.Context) (fs.Metadata, error) { return s.meta, nil }
func (s *source) SetModTime(context.Context, time.Time) error   { return errReadOnly }
func (s *source) Hash(_ context.Context, t rhash.Type) (string, error) {
	if t != rhash.MD5 {
		return "", rhash.ErrUnsupported
	}
	return s.object.MD5, nil
}
func (s *source) Update(context.Context, io.Reader, fs.ObjectInfo, ...fs.OpenOption) error {
	return errReadOnly
}

// origin is the remote that sources are of.
type origin struct{}

func (origin) Name() string             { return "footbridge" }
func (origin) Root() string             { return "" }
func (origin) String() string           { return "footbridge" }
func (origin) Precision() time.Duration { return time.Nanosecond }
func (origin) Hashes() rhash.Set        { return rhash.NewHashSet(rhash.MD5) }
func (origin) Features() *fs.Features {
	return &fs.Features{NoMultiThreading: true, ReadMetadata: true, UserMetadata: true, ReadMimeType: true}
}

var (
	_ fs.Object     = (*source)(nil)
	_ fs.Metadataer = (*source)(nil)
	_ fs.MimeTyper  = (*source)(nil)
)
