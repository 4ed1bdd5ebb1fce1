package remote

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"footbridge/core"
)

// Check is one step of a probe.
type Check struct {
	Step    string  `json:"step"` // reach, write, read, annotations, delete
	OK      bool    `json:"ok"`
	Text    string  `json:"text"` // what was done, or what is wrong
	Trouble Trouble `json:"trouble,omitempty"`
	Advice  string  `json:"advice,omitempty"`
}

// Probe tries a remote out: it writes a file of its own, reads it back, compares
// it, and deletes it. The folder of a remote that is elsewhere is made where it is
// missing. It gives a check for each step, and stops at the first that
// is not OK, but deletes what it wrote. It may be repeated; it never touches
// another file.
func (r *Remote) Probe(ctx context.Context) []Check {
	name := "footbridge-probe-" + rand.Text() + ".txt"
	text := []byte("Footbridge tries this place out. This file may be deleted.\n" + name + "\n")
	sum := md5.Sum(text)
	probe := core.Object{
		Path: name, Digest: core.Digest{Size: int64(len(text)), MD5: hex.EncodeToString(sum[:])},
		ContentType: "text/plain; charset=utf-8", ModTime: time.Now(),
		Metadata: map[string]string{"recordid": "probe", "note": "Grüße"},
		Open:     func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}
	var checks []Check
	wrote := false
	for _, step := range []struct {
		name string
		do   func() (string, error)
	}{
		{"reach", func() (string, error) {
			_, err := r.Exists(ctx, name)
			if TroubleOf(err) == NoFolder && !r.Local() { // else its disk may be away
				return "The repository answers, and its folder, which was not there, is made: " + r.String() + ".", r.Make(ctx)
			}
			return "The repository answers, and may be looked into: " + r.String() + ".", err
		}},
		{"write", func() (string, error) {
			wrote = true
			return fmt.Sprintf("A file of %d bytes was written: %s.", len(text), name), r.Put(ctx, probe)
		}},
		{"read", func() (string, error) { return r.readProbe(ctx, probe, text) }},
		{"annotations", func() (string, error) {
			held, err := r.Metadata(ctx, name)
			if err == nil && maps.Equal(held, probe.Metadata) {
				return "Annotations are kept on the file itself, too.", nil
			}
			return "Annotations are kept in files of their own; this place holds none on the files themselves.", err
		}},
	} {
		said, err := step.do()
		checks = append(checks, checked(step.name, said, err))
		if err != nil {
			break
		}
	}
	if !wrote {
		return checks
	}
	err := r.Remove(context.WithoutCancel(ctx), name)
	if last := checks[len(checks)-1]; last.OK || err == nil {
		checks = append(checks, checked("delete", "No probe file is left.", err))
	}
	return checks
}

// readProbe reads the probe file back and compares it.
func (r *Remote) readProbe(ctx context.Context, probe core.Object, text []byte) (string, error) {
	in, err := r.Read(ctx, probe.Path)
	if err != nil {
		return "", err
	}
	got, err := io.ReadAll(io.LimitReader(in, int64(len(text))+1))
	if err = errors.Join(err, in.Close()); err != nil {
		return "", r.fileFailure(ctx, "read", probe.Path, err)
	}
	if !bytes.Equal(got, text) {
		return "", r.fileFailure(ctx, "read", probe.Path, fmt.Errorf("it holds other bytes than were written: %w", core.ErrDigestMismatch))
	}
	held, err := r.Hash(ctx, probe.Path)
	if err == nil && held != probe.Digest {
		err = r.fileFailure(ctx, "hash", probe.Path, fmt.Errorf("its MD5 is %s: %w", held.MD5, core.ErrDigestMismatch))
	}
	return "It was read back, and is what was written.", err
}

// checked puts the outcome of a step into words.
func checked(step, said string, err error) Check {
	if err == nil {
		return Check{Step: step, OK: true, Text: said}
	}
	kind := TroubleOf(err)
	advice := kind.Advice()
	if advice == "" {
		advice = "Check the repository's name and options; what stands last is what it said itself."
	}
	return Check{Step: step, Text: err.Error(), Trouble: kind, Advice: advice}
}
