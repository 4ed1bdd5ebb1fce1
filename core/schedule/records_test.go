package schedule_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsWrongWithRecords(t *testing.T) {
	d := newDiary(t)
	good := did("a-1", hour(1), hour(2))
	err := d.Save(t.Context(), study, user, []core.AdherenceRecord{good,
		{},
		{InstanceGUID: strings.Repeat("x", 256), EventTimestamp: time.Date(300, 1, 1, 0, 0, 0, 0, time.UTC)},
		{InstanceGUID: "a", EventTimestamp: day, StartedOn: hour(2), FinishedOn: hour(1), ClientTimeZone: "Mars/Olympus"},
		{InstanceGUID: "a", EventTimestamp: day, ClientData: []byte("{"), PostProcessingAttributes: []byte("[]"), UploadIDs: []core.UploadID{""}},
		{InstanceGUID: "a", EventTimestamp: day, ClientData: []byte(`"` + strings.Repeat("x", 64<<10) + `"`), PostProcessingStatus: strings.Repeat("x", 256)},
	})
	var invalid *core.Invalid
	if !errors.As(err, &invalid) || invalid.Entity != "AdherenceRecordList" {
		t.Fatal(err)
	}
	want := map[string][]string{
		"records[1].instanceGuid":             {"records[1].instanceGuid cannot be null or blank"},
		"records[1].eventTimestamp":           {"records[1].eventTimestamp cannot be null"},
		"records[2].instanceGuid":             {"records[2].instanceGuid must have at most 255 bytes"},
		"records[2].eventTimestamp":           {"records[2].eventTimestamp must be a time of the years 1000 to 9999"},
		"records[3].startedOn":                {"records[3].startedOn cannot be later than finishedOn"},
		"records[3].clientTimeZone":           {"records[3].clientTimeZone is not a recognized IANA time zone name"},
		"records[4].clientData":               {"records[4].clientData must be JSON"},
		"records[4].postProcessingAttributes": {"records[4].postProcessingAttributes must be an object"},
		"records[4].uploadIds":                {"records[4].uploadIds must be upload ids"},
		"records[5].clientData":               {"records[5].clientData must have at most 65536 bytes"},
		"records[5].postProcessingStatus":     {"records[5].postProcessingStatus must have at most 255 characters"},
	}
	if diff := cmp.Diff(want, invalid.Fields); diff != "" {
		t.Error(diff)
	}
	if got := d.all(); len(got) != 0 {
		t.Errorf("a refused list left %v", got)
	}
	if err := d.Save(t.Context(), study, user, nil); !errors.Is(err, schedule.ErrNoRecords) {
		t.Error(err)
	}
	if err := d.Save(t.Context(), study, user, make([]core.AdherenceRecord, 1001)); !errors.As(err, &invalid) {
		t.Error(err)
	}
}

func TestARecordIsKeptAsItCame(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	record := core.AdherenceRecord{
		Study: "another", User: "another", Derived: true, InstanceGUID: "a-1",
		EventTimestamp: time.Date(2026, 5, 12, 2, 0, 0, 1, time.FixedZone("", 7200)), StartedOn: hour(1).Add(123456789), FinishedOn: hour(2),
		ClientTimeZone: "America/Chicago", ClientData: json.RawMessage(` {"steps": 12} `), UploadedOn: hour(3), UploadIDs: []core.UploadID{"u"},
		PostProcessingAttributes: json.RawMessage(`{"a": 1}`), PostProcessingCompletedOn: hour(4), PostProcessingStatus: "done",
	}
	d.save(record)
	want := record
	want.Study, want.User, want.Derived = study, user, false
	want.EventTimestamp, want.InstanceTimestamp, want.StartedOn = day, day, hour(1).Add(123*time.Millisecond)
	want.ClientData, want.PostProcessingAttributes = []byte(`{"steps":12}`), []byte(`{"a":1}`)
	want.AssessmentGUID = "g-walk"
	session := core.AdherenceRecord{Study: study, User: user, InstanceGUID: "s-1", EventTimestamp: day, InstanceTimestamp: day,
		StartedOn: want.StartedOn, Derived: true, SessionGUID: "morning"}
	if diff := cmp.Diff([]core.AdherenceRecord{want, session}, d.search(schedule.Search{})); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsSavedAgainReplacesMostOfWhatWas(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	first := did("a-1", hour(1), hour(2))
	first.ClientData, first.ClientTimeZone = []byte(`1`), "America/Chicago"
	first.UploadedOn, first.UploadIDs = hour(5), []core.UploadID{"u1", "u2"}
	first.PostProcessingAttributes, first.PostProcessingCompletedOn, first.PostProcessingStatus = []byte(`{"a":1,"b":1}`), hour(6), "done"
	d.save(first)
	second := did("a-1", hour(3), time.Time{})
	second.UploadedOn, second.UploadIDs = hour(4), []core.UploadID{"u3", "u2"}
	second.PostProcessingAttributes = []byte(`{"b":2,"c":2}`)
	d.save(second)
	want := second
	want.Study, want.User, want.InstanceTimestamp, want.AssessmentGUID = study, user, day, "g-walk"
	want.UploadIDs = []core.UploadID{"u1", "u2", "u3"}
	want.PostProcessingAttributes = []byte(`{"a":1,"b":2,"c":2}`)
	want.PostProcessingCompletedOn, want.PostProcessingStatus = hour(6), "done"
	get := func() core.AdherenceRecord {
		return d.search(schedule.Search{InstanceGUIDs: []string{"a-1"}})[0]
	}
	if diff := cmp.Diff(want, get()); diff != "" {
		t.Error(diff)
	}
	second.UploadedOn, second.PostProcessingStatus = hour(9), "again"
	d.save(second)
	want.PostProcessingStatus = "again"
	if diff := cmp.Diff(want, get()); diff != "" {
		t.Error("a later uploadedOn: ", diff)
	}
}

func TestWhatIsNeitherStartedNorDeclinedIsNotThere(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	d.save(did("a-1", time.Time{}, time.Time{}), did("unknown", time.Time{}, time.Time{}))
	if got := d.all(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	linked := did("a-1", hour(1), time.Time{})
	linked.UploadIDs = []core.UploadID{"u1"}
	d.save(linked, did("unknown", hour(1), time.Time{}))
	d.save(did("a-1", time.Time{}, time.Time{}), did("unknown", time.Time{}, time.Time{})) // taken back
	if got := d.all(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if got := d.search(schedule.Search{UploadID: "u1"}); len(got) != 0 {
		t.Errorf("got %v", lines(got))
	}
	d.save(did("a-1", hour(2), time.Time{}), declined("unknown"))
	if diff := cmp.Diff([]string{"a-1 02:00 - u1", "s-1 02:00 -", "unknown - - declined"}, d.all()); diff != "" {
		t.Error(diff)
	}
}

// Outside a persistent window an event has one record of an instance; within
// one, each start has its own.
func TestRepeats(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	for _, n := range []int{1, 3, 3, 2} {
		d.save(did("a-1", hour(n), time.Time{}), did("a-3", hour(n), time.Time{}))
	}
	other := did("a-1", hour(5), time.Time{})
	other.EventTimestamp = hour(4)
	d.save(other)
	want := []string{"a-1 02:00 -", "a-1 05:00 -", "a-3 01:00 -", "a-3 02:00 -", "a-3 03:00 -", "s-1 01:00 -", "s-1 05:00 -", "s-2 01:00 -"}
	want[5] = "s-1 02:00 -"
	if diff := cmp.Diff(want, d.all()); diff != "" {
		t.Error(diff)
	}
	remove := func(guid string, started time.Time) {
		must(t, d.Delete(t.Context(), study, user, guid, day, started))
	}
	remove("a-1", hour(9)) // the start matters not
	remove("a-3", hour(2))
	remove("a-3", hour(9))
	remove("unknown", hour(1))
	want = []string{"a-1 05:00 -", "a-3 01:00 -", "a-3 03:00 -", "s-1 05:00 -", "s-2 01:00 -"}
	if diff := cmp.Diff(want, d.all()); diff != "" {
		t.Error(diff)
	}
	remove("s-2", hour(1))
	if diff := cmp.Diff([]string{"a-1 05:00 -", "a-3 01:00 -", "a-3 03:00 -", "s-1 05:00 -"}, d.all()); diff != "" {
		t.Error(diff)
	}
}

// A window that becomes persistent keeps the records that it had.
func TestAWindowMayBecomePersistent(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, strings.Replace(walking, `"persistent": true,`, "", 1))
	d.save(did("a-3", hour(1), time.Time{}))
	put(t, d.Diary, walking)
	d.save(did("a-3", hour(1), hour(2)), did("a-3", hour(3), time.Time{}))
	if diff := cmp.Diff([]string{"a-3 01:00 02:00", "a-3 03:00 -", "s-2 01:00 02:00"}, d.all()); diff != "" {
		t.Error(diff)
	}
}

func TestASessionFollowsItsAssessments(t *testing.T) {
	none := time.Time{}
	for name, test := range map[string]struct {
		saves [][]core.AdherenceRecord
		want  string
	}{
		"one is started":       {[][]core.AdherenceRecord{{did("a-1", hour(2), none)}}, "s-1 02:00 -"},
		"the other earlier":    {[][]core.AdherenceRecord{{did("a-1", hour(2), none)}, {did("a-2", hour(1), hour(3))}}, "s-1 01:00 -"},
		"both are finished":    {[][]core.AdherenceRecord{{did("a-1", hour(1), hour(4))}, {did("a-2", hour(2), hour(3))}}, "s-1 01:00 04:00"},
		"at once":              {[][]core.AdherenceRecord{{did("a-2", hour(2), hour(3)), did("a-1", hour(1), hour(4))}}, "s-1 01:00 04:00"},
		"one is declined":      {[][]core.AdherenceRecord{{declined("a-1")}}, ""},
		"one declined, one on": {[][]core.AdherenceRecord{{declined("a-1"), did("a-2", hour(1), none)}}, "s-1 01:00 -"},
		"one declined, one finished": {[][]core.AdherenceRecord{{declined("a-1"), did("a-2", hour(1), hour(2))}},
			"s-1 01:00 -"},
		"both are declined":       {[][]core.AdherenceRecord{{declined("a-1")}, {declined("a-2")}}, "s-1 - - declined"},
		"one is done after all":   {[][]core.AdherenceRecord{{declined("a-1"), declined("a-2")}, {did("a-1", hour(1), hour(2))}}, "s-1 01:00 -"},
		"one is taken back":       {[][]core.AdherenceRecord{{did("a-1", hour(1), hour(2)), did("a-2", hour(1), hour(2))}, {did("a-2", none, none)}}, "s-1 01:00 -"},
		"both are taken back":     {[][]core.AdherenceRecord{{did("a-1", hour(1), none)}, {did("a-1", none, none)}}, ""},
		"of another event":        {[][]core.AdherenceRecord{{{InstanceGUID: "a-1", EventTimestamp: hour(1), StartedOn: hour(2)}}}, ""},
		"the device says more":    {[][]core.AdherenceRecord{{did("s-1", hour(1), none), did("a-1", hour(2), hour(3)), did("a-2", hour(2), hour(3))}}, "s-1 01:00 03:00"},
		"the device says it all":  {[][]core.AdherenceRecord{{did("s-1", hour(1), hour(9))}, {did("a-1", hour(2), hour(3))}, {did("a-1", none, none)}}, "s-1 01:00 09:00"},
		"the device says nothing": {[][]core.AdherenceRecord{{did("s-1", hour(1), hour(9))}, {did("s-1", none, none), did("a-1", hour(2), hour(3))}}, "s-1 02:00 -"},
		"nothing of nothing":      {[][]core.AdherenceRecord{{did("s-1", none, none)}}, ""},
		"before its assessments":  {[][]core.AdherenceRecord{{did("s-1", hour(5), none)}, {did("a-1", hour(2), hour(3)), did("a-2", hour(2), hour(3))}}, "s-1 05:00 -"},
		"the device declines":     {[][]core.AdherenceRecord{{declined("s-1")}, {did("a-1", hour(2), none)}}, "s-1 02:00 - declined"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiary(t)
			put(t, d.Diary, walking)
			for _, records := range test.saves {
				d.save(records...)
			}
			want := []string{}
			if test.want != "" {
				want = append(want, test.want)
			}
			got := lines(d.search(schedule.Search{InstanceGUIDs: []string{"s-1"}, EventTimestampStart: day, EventTimestampEnd: day.Add(1)}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// In a persistent window, what a device says of a session is said of the record
// that followed the assessments so far; other performances are its own to tell.
func TestADeviceSpeaksForASession(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	d.save(did("a-3", hour(2), time.Time{}))
	d.save(did("s-2", hour(1), time.Time{}))
	d.save(did("s-2", hour(5), time.Time{}))
	d.save(did("s-2", hour(1), time.Time{}), did("s-2", hour(5), hour(6)), did("a-3", hour(2), hour(3)))
	if diff := cmp.Diff([]string{"a-3 02:00 03:00", "s-2 01:00 03:00", "s-2 05:00 06:00"}, d.all()); diff != "" {
		t.Error(diff)
	}
	d.save(did("s-2", time.Time{}, time.Time{})) // the first follows its assessments again
	if diff := cmp.Diff([]string{"a-3 02:00 03:00", "s-2 02:00 03:00", "s-2 05:00 06:00"}, d.all()); diff != "" {
		t.Error(diff)
	}
}

// What a device notes on a session stays when its assessments go on.
func TestASessionKeepsItsClientData(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	for _, guids := range [][2]string{{"s-1", "a-1"}, {"s-2", "a-3"}} { // the latter in a persistent window
		session := did(guids[0], time.Time{}, time.Time{})
		session.ClientData = []byte(`"page 2"`)
		d.save(did(guids[1], hour(2), time.Time{}))
		d.save(session)
		d.save(did(guids[1], hour(1), time.Time{}))
		d.save(session)
		got := d.search(schedule.Search{InstanceGUIDs: []string{guids[0]}})
		if len(got) != 1 || string(got[0].ClientData) != `"page 2"` || !got[0].Derived {
			t.Errorf("%+v", got)
		}
	}
}
