package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/ui/view"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// ready tells whoever watches this site whether it takes uploads now.
func (h *Handlers) ready(r *http.Request) (any, error) {
	s, err := h.snapshot(r.Context())
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
func (h *Handlers) metrics(r *http.Request) (any, error) {
	s, err := h.snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	registry := gauges(s)
	if err := h.gaugeNotices(r.Context(), registry); err != nil {
		return nil, err
	}
	families, err := registry.Gather()
	if err != nil {
		return nil, fmt.Errorf("gather metrics: %w", err)
	}
	return api.Stream{ContentType: "text/plain; version=0.0.4; charset=utf-8", Write: func(w io.Writer) error {
		for _, family := range families {
			if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

// families makes families of gauges in a registry.
func families(registry *prometheus.Registry) func(name, help string, labels ...string) *prometheus.GaugeVec {
	return func(name, help string, labels ...string) *prometheus.GaugeVec {
		g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "footbridge", Name: name, Help: help}, labels)
		registry.MustRegister(g)
		return g
	}
}

// gauges writes a snapshot as gauges.
func gauges(s view.Snapshot) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	family := families(registry)
	uploads := family("uploads", "Uploads in a state.", "state")
	for state, n := range s.Uploads {
		uploads.WithLabelValues(string(state)).Set(float64(n))
	}
	records := family("records", "Records at a destination in a state.", "destination", "state")
	oldest := family("oldest_waiting_seconds", "Since when the oldest record waits.", "destination")
	last := family("last_export_timestamp_seconds", "When a record was last exported.", "destination")
	for _, d := range s.Destinations {
		for state, n := range d.Exports {
			records.WithLabelValues(string(d.ID), string(state)).Set(float64(n))
		}
		if !d.Oldest.IsZero() {
			oldest.WithLabelValues(string(d.ID)).Set(s.Now.Sub(d.Oldest).Seconds())
		}
		if !d.LastSuccess.IsZero() {
			last.WithLabelValues(string(d.ID)).Set(float64(d.LastSuccess.Unix()))
		}
	}
	family("disk_free_bytes", "Bytes that uploads may take.").WithLabelValues().Set(float64(s.Disk.FreeBytes))
	family("disk_floor_bytes", "Bytes that uploads leave free.").WithLabelValues().Set(float64(s.Disk.FloorBytes))
	failed := family("store_failed", "1 where nothing can be stored.").WithLabelValues()
	if s.Broken != "" {
		failed.Set(1)
	}
	return registry
}

// gaugeNotices writes what waits for receivers as gauges.
func (h *Handlers) gaugeNotices(ctx context.Context, registry *prometheus.Registry) error {
	all, err := h.Store.Subscriptions(ctx)
	if err != nil {
		return err
	}
	family, counts := families(registry), h.Store.Counts()
	waiting := family("notices_waiting", "Notices that wait for a subscription's receiver.", "subscription")
	failing := family("receiver_failing_seconds", "Since when a subscription's receiver fails.", "subscription")
	for _, s := range all {
		waiting.WithLabelValues(string(s.ID)).Set(float64(counts["notices/"+string(s.ID)]))
		if s.Failures > 0 && s.EndedOn.IsZero() {
			failing.WithLabelValues(string(s.ID)).Set(time.Since(s.FailingOn).Seconds())
		}
	}
	return nil
}
