package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// The signatures of records.
const (
	sigLocal      = 0x04034b50
	sigDescriptor = 0x08074b50
	sigCentral    = 0x02014b50
	sigEnd64      = 0x06064b50
	sigLocator    = 0x07064b50
	sigEnd        = 0x06054b50
)

// walk goes through an archive record by record.
type walk struct {
	src     *source
	limits  Limits
	report  Report
	entries map[int64]*entry // by offset; the directory takes them out again
	names   map[string]bool
	inflate inflater
	visit   func(Entry, io.Reader) error // nil: nobody wants the data
}

// entry is what the front of the archive says of one entry, with checksum and
// sizes as they were found to be.
type entry struct {
	name    string
	number  int  // from 1, in the order of the front
	listed  bool // known from the directory only, and counted in its order
	flags   uint16
	method  uint16
	crc     uint32
	packed  uint64
	plain   uint64
	declare declared
}

func newWalk(r io.Reader, limits Limits) *walk {
	return &walk{src: newSource(r), limits: limits, entries: map[int64]*entry{}, names: map[string]bool{}}
}

// String names the entry without its name, which may tell who sent it.
func (e *entry) String() string {
	if e.listed {
		return fmt.Sprintf("entry %d of the directory", e.number)
	}
	return fmt.Sprintf("entry %d", e.number)
}

// folder reports whether the entry is one.
func (e *entry) folder() bool { return strings.HasSuffix(e.name, "/") }

// note adds a problem of an entry, or of the archive if that is nil.
func (w *walk) note(code string, e *entry, format string, args ...any) {
	p := Problem{Code: code, Message: fmt.Sprintf(format, args...)}
	if e != nil {
		p.Entry = shown(e.name)
		p.Message = e.String() + " " + p.Message
	}
	w.report.Problems = append(w.report.Problems, p)
}

// stop adds a problem that ends the walk.
func (w *walk) stop(code string, e *entry, format string, args ...any) error {
	w.note(code, e, format, args...)
	return errStop
}

// broken makes of an error what it means: the archive ends in a record, or its
// reader failed.
func (w *walk) broken(err error, e *entry, where string) error {
	if !ended(err) {
		return err
	}
	if e != nil {
		return w.stop(Damaged, e, "ends in the middle of %s", where)
	}
	return w.stop(Damaged, nil, "the archive ends in the middle of %s", where)
}

// signature looks at the next record's first bytes.
func (w *walk) signature() (uint32, error) {
	b, err := w.src.Peek(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// records walks the whole archive.
func (w *walk) records() error {
	sig, err := w.signature()
	if err != nil && !ended(err) {
		return err
	}
	if err != nil || sig != sigLocal && sig != sigEnd {
		return w.stop(NotAZip, nil, "the file is not a zip archive")
	}
	w.report.Zip = true
	for sig == sigLocal {
		if err := w.local(); err != nil {
			return err
		}
		if sig, err = w.signature(); err != nil {
			return w.broken(err, nil, "its entries")
		}
	}
	start := w.src.at()
	count := uint64(0)
	for sig == sigCentral {
		count++
		if err := w.central(int(count)); err != nil {
			return err
		}
		if sig, err = w.signature(); err != nil {
			return w.broken(err, nil, "its directory")
		}
	}
	if len(w.entries) > 0 {
		return w.stop(DirectoriesDisagree, nil, "%d entries are missing from the directory", len(w.entries))
	}
	return w.end(directory{count, uint64(w.src.at() - start), uint64(start)})
}

// local walks over one entry, its data included.
func (w *walk) local() error {
	at := w.src.at()
	e, err := w.localHeader()
	if err != nil {
		return err
	}
	if w.report.Entries++; w.report.Entries > w.limits.Entries {
		w.report.Entries--
		return w.stop(TooManyEntries, nil, "the archive holds more than %d entries", w.limits.Entries)
	}
	w.entries[at] = e
	if why := unfit(e.name); why != "" {
		w.note(UnsafeName, e, "%s", why)
	}
	name := path.Clean(e.name)
	if w.names[name] {
		w.note(DuplicateName, e, "is there more than once")
	}
	w.names[name] = true
	if w.visit != nil && len(w.report.Problems) > 0 {
		return errStop
	}
	if err := w.data(e); err != nil {
		return err
	}
	return w.ratio(e)
}

// ratio is judged when an entry is through, as a file may well begin with
// zeros; until then the size limits bound the work.
func (w *walk) ratio(e *entry) error {
	most := uint64(w.limits.Ratio)
	if e.plain > ratioFrom && e.plain/most > e.packed {
		return w.stop(RatioTooHigh, e, "is packed more than %d to 1", most)
	}
	if w.report.Plain > ratioFrom && w.report.Plain/int64(most) > w.src.at() {
		return w.stop(RatioTooHigh, nil, "the archive is packed more than %d to 1", most)
	}
	return nil
}

var errTooMuch = errors.New("more than allowed")
