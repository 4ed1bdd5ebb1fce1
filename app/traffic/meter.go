package traffic

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"footbridge/core"
	"footbridge/sync/push"
)

// Rate is how much is sent in a minute.
type Rate struct {
	Records float64
	Bytes   float64
}

// Meter measures what is sent. Safe for concurrent use.
type Meter struct {
	now func() time.Time

	mu      sync.Mutex
	leaving map[core.UploadID]*leaving
	paces   map[core.DestinationID]*pace
}

// leaving is a record on its way to some destinations.
type leaving struct {
	claims int
	since  time.Time
	of     int64
	gone   atomic.Int64
}

// New makes a meter.
func New(now func() time.Time) *Meter {
	return &Meter{now: now, leaving: map[core.UploadID]*leaving{}, paces: map[core.DestinationID]*pace{}}
}

// Leaving is what is being sent. Where the bytes are read twice, first to be sure of
// them, it counts them twice, one time after the other.
func (m *Meter) Leaving() []core.Moving {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]core.Moving, 0, len(m.leaving))
	for id, l := range m.leaving {
		all = append(all, core.Moving{Upload: id, Bytes: min(l.gone.Load(), l.of), Of: l.of, Since: l.since})
	}
	return all
}

// Rate is what goes to a destination at present.
func (m *Meter) Rate(d core.DestinationID) Rate {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.paces[d]; p != nil {
		return p.perMinute(m.now())
	}
	return Rate{}
}

// Outbox is an outbox that is measured.
func (m *Meter) Outbox(o push.Outbox) push.Outbox { return outbox{o, m} }

type outbox struct {
	push.Outbox
	meter *Meter
}

// ClaimExport notes that a record is on its way (push.Outbox).
func (o outbox) ClaimExport(ctx context.Context, d core.DestinationID, patience time.Duration, rests func(core.DestinationID) time.Time) (core.Export, core.Upload, bool, error) {
	e, u, ok, err := o.Outbox.ClaimExport(ctx, d, patience, rests)
	if ok && u.Record != nil {
		o.meter.begin(e.Record, u.Record.Plain.Size)
	}
	return e, u, ok, err
}

// SettleExport notes that it is no more (push.Outbox).
func (o outbox) SettleExport(ctx context.Context, e core.Export) error {
	err := o.Outbox.SettleExport(ctx, e)
	o.meter.end(e, err == nil && e.State == core.ExportExported)
	return err
}

func (m *Meter) begin(id core.UploadID, of int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leaving[id]
	if l == nil {
		l = &leaving{since: m.now(), of: of}
		m.leaving[id] = l
	}
	l.claims++
}

func (m *Meter) end(e core.Export, arrived bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leaving[e.Record]
	if l == nil {
		return
	}
	if l.claims--; l.claims == 0 {
		delete(m.leaving, e.Record)
	}
	if !arrived {
		return
	}
	p := m.paces[e.Destination]
	if p == nil {
		p = &pace{}
		m.paces[e.Destination] = p
	}
	p.add(l.of, m.now())
}

// File measures what open gives.
func (m *Meter) File(open func(context.Context, core.Upload) (io.ReadCloser, error)) func(context.Context, core.Upload) (io.ReadCloser, error) {
	return func(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
		from, err := open(ctx, u)
		if err != nil {
			return nil, err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		l := m.leaving[u.ID]
		if l == nil {
			return from, nil // someone only looks
		}
		l.gone.Store(0)
		return &measured{from, l}, nil
	}
}

// measured is a file on its way.
type measured struct {
	io.ReadCloser
	leaving *leaving
}

func (r *measured) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	r.leaving.gone.Add(int64(n))
	return n, err
}
