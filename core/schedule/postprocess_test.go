package schedule_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"

	"github.com/google/go-cmp/cmp"
)

// processed names a record of the day's event and says what came of its uploads.
func processed(guid string, started time.Time, attributes, status string) core.AdherenceRecord {
	return core.AdherenceRecord{InstanceGUID: guid, EventTimestamp: day, StartedOn: started,
		PostProcessingAttributes: []byte(attributes), PostProcessingStatus: status}
}

func TestPostProcessing(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	first := did("a-1", hour(1), hour(2))
	first.UploadedOn, first.UploadIDs, first.ClientData = hour(3), []core.UploadID{"u1"}, []byte(`1`)
	d.save(first, did("a-3", hour(5), time.Time{}), did("a-3", hour(6), time.Time{}), did("unknown", hour(7), time.Time{}))
	apply := func(change core.AdherenceRecord) {
		t.Helper()
		must(t, d.PostProcess(t.Context(), study, user, change))
	}
	get := func(guid string) core.AdherenceRecord {
		t.Helper()
		return d.search(schedule.Search{InstanceGUIDs: []string{guid}})[0]
	}

	want := get("a-1")
	apply(processed("a-1", time.Time{}, `{"rows": 7, "score": null}`, "Pending"))
	done := processed("a-1", hour(9), `{"score": 3}`, "") // the start matters not: there is one
	done.PostProcessingCompletedOn = hour(8).Add(time.Microsecond)
	apply(done)
	apply(processed("a-1", time.Time{}, "", ""))
	want.PostProcessingAttributes, want.PostProcessingStatus, want.PostProcessingCompletedOn = []byte(`{"rows":7,"score":3}`), "Pending", hour(8)
	if diff := cmp.Diff(want, get("a-1")); diff != "" {
		t.Error(diff)
	}

	apply(processed("a-3", hour(6), "", "Scored"))
	apply(processed("s-1", time.Time{}, "", "Scored")) // follows its assessments
	apply(processed("unknown", time.Time{}, "", "Scored"))
	d.save(did("a-2", hour(2), hour(3)))
	for guid, status := range map[string]string{"a-3@" + core.FormatTime(hour(6)): "Scored", "a-3@" + core.FormatTime(hour(5)): "", "s-1": "Scored", "unknown": "Scored"} {
		if got := get(guid); got.PostProcessingStatus != status {
			t.Errorf("%s: %+v", guid, got)
		}
	}
}

func TestWhatCannotBePostProcessed(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	d.save(did("a-1", hour(1), hour(2)), did("a-3", hour(5), time.Time{}), did("a-3", hour(6), time.Time{}))
	must(t, d.PostProcess(t.Context(), study, user, processed("a-1", time.Time{}, `{"a":"`+strings.Repeat("x", 60<<10)+`"}`, "")))
	other := processed("a-1", time.Time{}, "", "")
	other.EventTimestamp = hour(1)
	for name, test := range map[string]struct {
		change core.AdherenceRecord
		want   string
	}{
		"another instance":   {processed("a-2", time.Time{}, "", ""), "adherence record: not found"},
		"another event":      {other, "adherence record: not found"},
		"another start":      {processed("a-3", hour(7), "", ""), "adherence record: not found"},
		"one of two":         {processed("a-3", time.Time{}, "", ""), "startedOn must say which record is meant: the activity was done 2 times"},
		"no object":          {processed("a-1", time.Time{}, "[]", ""), "postProcessingAttributes must be an object"},
		"a long status":      {processed("a-1", time.Time{}, "", strings.Repeat("x", 256)), "postProcessingStatus must have at most 255 characters"},
		"too much with more": {processed("a-1", time.Time{}, `{"b":"`+strings.Repeat("x", 60<<10)+`"}`, ""), "postProcessingAttributes must have at most 65536 bytes with those that are there"},
	} {
		err := d.PostProcess(t.Context(), study, user, test.change)
		if err == nil || strings.TrimPrefix(err.Error(), "AdherencePostProcessingAttributes is invalid: ") != test.want {
			t.Errorf("%s: %v", name, err)
		}
		var invalid *core.Invalid
		if found := errors.Is(err, core.ErrNotFound); found == errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
