package store_test

import (
	"errors"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

// The audit gives the deeds of a time in their order, also those of one moment, and
// outlasts a restart.
func TestAudit(t *testing.T) {
	s := newSite(t, store.Config{})
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	deeds := []core.Deed{
		{At: at, Did: core.DeedSyncPaused},
		{At: at.Add(time.Millisecond), Who: "u-1", Address: "10.0.0.7", Did: core.DeedAccessGranted, With: map[string]string{"account": "jo"}},
		{At: at.Add(time.Millisecond), Did: core.DeedSyncResumed, Who: "u-1"},
		{At: at.Add(time.Second), Did: core.DeedKeyCreated},
	}
	for _, i := range []int{3, 0, 1} {
		must(t, s.Note(t.Context(), deeds[i]))
	}
	s = s.reopen()
	must(t, s.Note(t.Context(), deeds[2]))
	given := func(since, until time.Time) (all []core.Deed) {
		must(t, s.Deeds(t.Context(), since, until, func(d core.Deed) error { all = append(all, d); return nil }))
		return all
	}
	for name, test := range map[string]struct {
		since, until time.Time
		want         []core.Deed
	}{
		"all":     {time.Time{}, time.Time{}, deeds},
		"from on": {at.Add(time.Millisecond), time.Time{}, deeds[1:]},
		"before":  {time.Time{}, at.Add(time.Second), deeds[:3]},
		"between": {at.Add(time.Microsecond), at.Add(time.Second), deeds[1:3]},
		"nothing": {at.Add(time.Hour), time.Time{}, nil},
	} {
		if diff := cmp.Diff(test.want, given(test.since, test.until)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	enough := errors.New("enough")
	seen := 0
	if err := s.Deeds(t.Context(), time.Time{}, time.Time{}, func(core.Deed) error { seen++; return enough }); !errors.Is(err, enough) || seen != 1 {
		t.Errorf("Deeds() = %v after %d", err, seen)
	}
}
