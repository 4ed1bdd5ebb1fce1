package fleet

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"footbridge/core"
)

// The rules here are: who is here is gathered in memory, and written at most once a
// minute for each device; what is new of it, at once. What a crash takes of that is
// met again with the next request.

const (
	writtenEvery = time.Minute
	perUser      = 20  // devices of one participant
	agentMax     = 255 // characters
)

// Visit is how a device came to this site.
type Visit struct {
	Address   string
	UserAgent string
	Kind      string    // app, model and system, without versions
	Clock     time.Time // as the device told it; zero: it did not
}

// ahead is how far the device's clock is ahead, in seconds; nil where it did not tell.
func (v Visit) ahead(now time.Time) *int {
	if v.Clock.IsZero() {
		return nil
	}
	seconds := int(v.Clock.Sub(now).Round(time.Second) / time.Second)
	return &seconds
}

// Sightings keeps which devices were here. Safe for concurrent use.
type Sightings interface {
	// NoteDevices changes what is known of a participant's devices; a crash may lose
	// it. Errors: that of whoever keeps it.
	NoteDevices(ctx context.Context, user core.UserID, change func([]core.FieldDevice) []core.FieldDevice) error
}

// sighting is what was seen of a device and is not written yet.
type sighting struct {
	visit   Visit
	at      time.Time
	ahead   *int
	uploads int
	last    time.Time // of the uploads
}

// whose tells the devices of one participant apart.
type whose struct {
	user             core.UserID
	kind, credential string
}

// Log notes which devices are here. Safe for concurrent use.
type Log struct {
	sightings Sightings
	now       func() time.Time
	rung      chan struct{}

	mu      sync.Mutex
	waiting map[whose]*sighting
	written map[whose]time.Time // when, of what was written in the last minute
	sent    map[whose]bool      // those of them of which an upload was written
}

// NewLog makes a log.
func NewLog(sightings Sightings, now func() time.Time) *Log {
	return &Log{
		sightings: sightings, now: now, rung: make(chan struct{}, 1),
		waiting: map[whose]*sighting{}, written: map[whose]time.Time{}, sent: map[whose]bool{},
	}
}

// See notes that a participant's device is here, and has completed so many uploads.
// It waits for nothing.
func (l *Log) See(a core.Account, v Visit, uploads int) {
	now := l.now().UTC().Truncate(time.Millisecond)
	key := whose{a.ID, v.Kind, a.Credential()}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.waiting[key]
	if s == nil {
		s = &sighting{}
		l.waiting[key] = s
	}
	s.visit, s.at = v, now
	if ahead := v.ahead(now); ahead != nil {
		s.ahead = ahead
	}
	if s.uploads += uploads; uploads > 0 {
		s.last = now
	}
	if l.due(key, s, now) {
		select {
		case l.rung <- struct{}{}:
		default: // it is known already
		}
	}
}

// due reports whether something is to be written now.
func (l *Log) due(key whose, s *sighting, now time.Time) bool {
	at, lately := l.written[key]
	return !lately || now.Sub(at) >= writtenEvery || s.uploads > 0 && !l.sent[key]
}

// Rung rings when something is to be written at once. Nobody closes it.
func (l *Log) Rung() <-chan struct{} { return l.rung }

// Write writes what is due, or with all whatever there is. What cannot be written
// stays.
func (l *Log) Write(ctx context.Context, all bool) (failed error) {
	for key, s := range l.take(all) {
		err := l.sightings.NoteDevices(ctx, key.user, func(known []core.FieldDevice) []core.FieldDevice { return note(known, key, *s) })
		if err != nil {
			l.putBack(key, s)
			failed = err
		}
	}
	return failed
}

// putBack lets what could not be written wait again.
func (l *Log) putBack(key whose, s *sighting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if newer := l.waiting[key]; newer != nil {
		newer.uploads += s.uploads
		if newer.last.Before(s.last) {
			newer.last = s.last
		}
		return
	}
	l.waiting[key] = s
}

// take gives what is to be written.
func (l *Log) take(all bool) map[whose]*sighting {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, taken := l.now(), map[whose]*sighting{}
	for key, s := range l.waiting {
		if !all && !l.due(key, s, now) {
			continue
		}
		taken[key] = s
		delete(l.waiting, key)
		l.written[key], l.sent[key] = now, l.sent[key] || s.uploads > 0
	}
	for key, at := range l.written { // what nobody asks for again would stay for good
		if l.waiting[key] == nil && now.Sub(at) >= writtenEvery {
			delete(l.written, key)
			delete(l.sent, key)
		}
	}
	return taken
}

// note adds a sighting to what is known of a participant's devices. Whoever has the
// password that a pairing gave is the device that was paired; others are known by
// their kind.
func note(known []core.FieldDevice, key whose, s sighting) []core.FieldDevice {
	known = slices.Clone(known)
	i := slices.IndexFunc(known, func(k core.FieldDevice) bool { return !k.PairedOn.IsZero() && k.Credential == key.credential })
	if i < 0 {
		i = slices.IndexFunc(known, func(k core.FieldDevice) bool { return k.PairedOn.IsZero() && k.Kind == key.kind })
	}
	if i < 0 {
		i = len(known)
		known = append(known, core.FieldDevice{ID: core.DeviceID(core.NewID(s.at)), User: key.user})
	}
	k := &known[i]
	if k.FirstSeen.IsZero() {
		k.FirstSeen = s.at
	}
	if !s.at.Before(k.LastSeen) { // else another app on it was here since
		k.LastSeen, k.Kind, k.Credential = s.at, cmp.Or(key.kind, k.Kind), key.credential
		arrive(k, s.visit)
	}
	if s.ahead != nil {
		k.Ahead = s.ahead
	}
	if k.Uploads += s.uploads; k.LastUpload.Before(s.last) {
		k.LastUpload = s.last
	}
	return newest(known)
}

// newest keeps the devices that were here last.
func newest(known []core.FieldDevice) []core.FieldDevice {
	slices.SortStableFunc(known, func(a, b core.FieldDevice) int { return b.Seen().Compare(a.Seen()) })
	return known[:min(len(known), perUser)]
}

// arrive notes where a device came from.
func arrive(k *core.FieldDevice, v Visit) {
	k.Address, k.UserAgent = v.Address, plain(v.UserAgent, agentMax)
}
