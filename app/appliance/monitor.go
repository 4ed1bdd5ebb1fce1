package appliance

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/ui/view"

	"github.com/VictoriaMetrics/metrics"
)

// ready tells whoever watches this site whether it takes uploads now.
func (a *Appliance) ready(r *http.Request) (any, error) {
	s, err := a.snapshot(r.Context())
	switch {
	case err != nil:
		return nil, err
	case s.Broken != "":
		return nil, api.Unavailable("Nothing can be stored: " + s.Broken + ".")
	case s.Disk.Paused:
		return nil, core.ErrNoSpace
	}
	return api.Message("ready"), nil
}

// metrics gives the counters of this site as Prometheus reads them. They name
// studies, and nobody in them.
func (a *Appliance) metrics(r *http.Request) (any, error) {
	s, err := a.snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	return api.Stream{ContentType: "text/plain; version=0.0.4; charset=utf-8", Write: func(w io.Writer) error {
		gauges := &errorWriter{to: w}
		newGauges(s).WritePrometheus(gauges)
		return gauges.failed
	}}, nil
}

// newGauges writes a snapshot as gauges.
func newGauges(s view.Snapshot) *metrics.Set {
	set := metrics.NewSet()
	gauge := func(value float64, name string, labels ...any) {
		set.GetOrCreateGauge(fmt.Sprintf(name, labels...), nil).Set(value)
	}
	for state, n := range s.Uploads {
		gauge(float64(n), `footbridge_uploads{state=%q}`, state)
	}
	for _, d := range s.Destinations {
		for state, n := range d.Exports {
			gauge(float64(n), `footbridge_records{destination=%q,state=%q}`, d.ID, state)
		}
		if !d.Oldest.IsZero() {
			gauge(s.Now.Sub(d.Oldest).Seconds(), `footbridge_oldest_waiting_seconds{destination=%q}`, d.ID)
		}
		if !d.LastSuccess.IsZero() {
			gauge(float64(d.LastSuccess.Unix()), `footbridge_last_export_timestamp_seconds{destination=%q}`, d.ID)
		}
	}
	gauge(float64(s.Disk.FreeBytes), "footbridge_disk_free_bytes")
	gauge(float64(s.Disk.FloorBytes), "footbridge_disk_floor_bytes")
	broken := 0.0
	if s.Broken != "" {
		broken = 1
	}
	gauge(broken, "footbridge_store_failed")
	return set
}

// errorWriter remembers the first error of writing.
type errorWriter struct {
	to     io.Writer
	failed error
}

func (e *errorWriter) Write(p []byte) (int, error) {
	n, err := e.to.Write(p)
	e.failed = errors.Join(e.failed, err)
	return n, err
}
