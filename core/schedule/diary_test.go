package schedule_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"
	"footbridge/store"
)

var _ schedule.Book = (*store.Store)(nil)

// diary is a Diary on a store, at a time that the test sets, for one participant
// of one study.
type diary struct {
	*schedule.Diary
	t   *testing.T
	now time.Time
}

const (
	user  core.UserID  = "user"
	study core.StudyID = "memory"
)

func newDiary(t *testing.T) *diary {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Config{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	for _, id := range []core.StudyID{study, "sleep"} {
		_, err = s.CreateStudy(t.Context(), core.Study{ID: id, App: "tapping"})
		must(t, err)
	}
	d := &diary{t: t, now: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)}
	d.Diary = schedule.NewDiary(s, func() time.Time { return d.now })
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// day is the event of most tests; hour gives a time after it.
var day = time.Date(2026, 5, 12, 0, 0, 0, 0, time.UTC)

func hour(n int) time.Time { return day.Add(time.Duration(n) * time.Hour) }

// did is a record of the day's event.
func did(guid string, started, finished time.Time) core.AdherenceRecord {
	return core.AdherenceRecord{InstanceGUID: guid, EventTimestamp: day, StartedOn: started, FinishedOn: finished}
}

func declined(guid string) core.AdherenceRecord {
	return core.AdherenceRecord{InstanceGUID: guid, EventTimestamp: day, Declined: true}
}

func (d *diary) save(records ...core.AdherenceRecord) {
	d.t.Helper()
	must(d.t, d.Save(d.t.Context(), study, user, records))
}

// search gives the records that match, by instance and start.
func (d *diary) search(s schedule.Search) []core.AdherenceRecord {
	d.t.Helper()
	found, total, err := d.Search(d.t.Context(), study, user, s)
	must(d.t, err)
	if total != len(found) {
		d.t.Errorf("%d of %d", len(found), total)
	}
	slices.SortStableFunc(found, func(a, b core.AdherenceRecord) int { return cmp.Compare(a.InstanceGUID, b.InstanceGUID) })
	return found
}

// lines shows records, one line each: what they are of and what happened.
func lines(records []core.AdherenceRecord) []string {
	all := []string{}
	clock := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.Format("15:04")
	}
	for _, r := range records {
		line := r.InstanceGUID + " " + clock(r.StartedOn) + " " + clock(r.FinishedOn)
		if r.Declined {
			line += " declined"
		}
		for _, id := range r.UploadIDs {
			line += " " + string(id)
		}
		all = append(all, line)
	}
	return all
}

func (d *diary) all() []string {
	d.t.Helper()
	return lines(d.search(schedule.Search{}))
}
