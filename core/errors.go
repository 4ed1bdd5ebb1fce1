package core

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"
)

// What can go wrong, for every room to recognise. Wrap them with the object
// they are about.
var (
	ErrNotFound         = errors.New("not found")
	ErrExists           = errors.New("exists already")
	ErrConflict         = errors.New("changed meanwhile")
	ErrNotAuthenticated = errors.New("not signed in")
	ErrForbidden        = errors.New("not allowed")
	ErrNotConsented     = errors.New("not consented")
	ErrDisabled         = errors.New("account disabled")
	ErrTooMany          = errors.New("too many")
	ErrNoSpace          = errors.New("no room on the disk")
	ErrDigestMismatch   = errors.New("bytes do not match their digest")
	ErrClosed           = errors.New("closed")
	ErrNoKey            = errors.New("no key for this recipient")
	ErrProjectPending   = errors.New("the project is not made yet")
	ErrNoToken          = errors.New("there is no token or key that the repository takes")
	ErrMaintenance      = errors.New("the repository is being maintained")
	ErrThrottled        = errors.New("the repository asks for a pause")
	ErrImpostor         = errors.New("something else answers in the repository's place")
	ErrNoRepository     = errors.New("the folder that the repository is in is missing")
	ErrNoFolder         = errors.New("the repository is to be in a folder, and a file is there")
	ErrLocked           = errors.New("the folder of the repository may not be written to")
	ErrOtherRepository  = errors.New("the repository does not hold this project any more")
)

// Invalid reports what is wrong with the fields of an entity.
type Invalid struct {
	Entity string              // the entity's name on the wire
	Fields map[string][]string // field path → complaints
}

// Complain adds a complaint about a field.
func (i *Invalid) Complain(field, format string, args ...any) {
	if i.Fields == nil {
		i.Fields = map[string][]string{}
	}
	i.Fields[field] = append(i.Fields[field], field+" "+fmt.Sprintf(format, args...))
}

// Err is i where something was complained about, else nil.
func (i *Invalid) Err() error {
	if len(i.Fields) == 0 {
		return nil
	}
	return i
}

// Error joins every complaint in field order.
func (i *Invalid) Error() string {
	fields := make([]string, 0, len(i.Fields))
	for field := range i.Fields {
		fields = append(fields, field)
	}
	sort.Strings(fields)
	var all []string
	for _, field := range fields {
		all = append(all, i.Fields[field]...)
	}
	return i.Entity + " is invalid: " + strings.Join(all, "; ")
}

// Later says that the same call may succeed after a while.
type Later struct {
	After time.Duration
	Err   error // why not now
}

// Error is that of Err.
func (l *Later) Error() string { return l.Err.Error() }

// Unwrap gives Err.
func (l *Later) Unwrap() error { return l.Err }
