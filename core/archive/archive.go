package archive

import (
	"errors"
	"io"
)

// Limits says how much an archive may hold. A field that is zero takes its
// value from DefaultLimits.
type Limits struct {
	Entries   int   // folders count too
	EntrySize int64 // bytes of one entry, unpacked
	TotalSize int64 // bytes of all entries, unpacked
	Ratio     int   // unpacked bytes per packed byte, of what is larger than a few MiB
}

// DefaultLimits are those that devices are used to, and two more that no
// honest device comes near: 100 entries of 100,000,000 bytes, 2 GiB in all,
// and 200 to 1.
func DefaultLimits() Limits {
	return Limits{Entries: 100, EntrySize: 100_000_000, TotalSize: 2 << 30, Ratio: 1000}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Entries == 0 {
		l.Entries = d.Entries
	}
	if l.EntrySize == 0 {
		l.EntrySize = d.EntrySize
	}
	if l.TotalSize == 0 {
		l.TotalSize = d.TotalSize
	}
	if l.Ratio == 0 {
		l.Ratio = d.Ratio
	}
	return l
}

// ratioFrom is how much unpacked data may be packed as tightly as it likes.
const ratioFrom = 4 << 20 // bytes

// Report is what Look found.
type Report struct {
	Zip      bool  // it begins like a zip
	Entries  int   // seen
	Plain    int64 // bytes of them, unpacked, as far as looked at
	Problems []Problem
}

// Problem is one thing wrong with an archive.
type Problem struct {
	Code    string // stable, for programs
	Entry   string // name of the entry, shortened and printable; empty if it is about all. It may be personal.
	Message string // for a person; calls the entry by its place, from 1, as entry 3, and quotes no names
}

// The codes of problems.
const (
	NotAZip             = "not_a_zip"
	TooManyEntries      = "too_many_entries"
	EntryTooLarge       = "entry_too_large"
	TotalTooLarge       = "total_too_large"
	RatioTooHigh        = "ratio_too_high"
	DuplicateName       = "duplicate_name"
	UnsafeName          = "unsafe_name"
	LinkEntry           = "link_entry"
	EncryptedEntry      = "encrypted_entry"
	UnsupportedMethod   = "unsupported_method"
	Damaged             = "damaged"
	DirectoriesDisagree = "directories_disagree"
	UnknownLength       = "unknown_length" // stored, its length told only afterwards: no stream can tell where it ends
)

// Look reads an archive from its first byte to its last and reports what is
// wrong with it. It goes on past a bad name, and stops at what makes the rest
// meaningless; r is then left somewhere in the middle, and is for the caller
// to drain. The error is that of r, wrapped; the report then tells how far it
// got and is no verdict.
func Look(r io.Reader, limits Limits) (Report, error) {
	w := newWalk(r, limits.orDefault())
	err := w.records()
	if errors.Is(err, errStop) {
		err = nil
	}
	return w.report, err
}
