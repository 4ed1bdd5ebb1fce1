package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/store"
	"footbridge/sync/reconcile"

	"github.com/google/go-cmp/cmp"
)

var _ reconcile.Shelf = (*store.Store)(nil)

// shelf has five records, the last of which is a legacy one, and three versions.
type shelf struct{}

func (shelf) Exported(_ context.Context, _ core.DestinationID, _ string, visit func(core.Upload, core.Export) error) error {
	return records(5, visit)
}

// Planned hands a sixth, too, which is on its way.
func (shelf) Planned(_ context.Context, _ core.DestinationID, visit func(core.Upload, core.Export) error) error {
	return records(6, visit)
}

func records(n int, visit func(core.Upload, core.Export) error) error {
	for i := range n {
		id := core.UploadID(fmt.Sprint("r", i+1))
		u := core.Upload{ID: id, HealthCode: "code", Facts: &core.Facts{DateFolder: "day", FileName: string(id) + "-walk"}, Record: &core.Record{}}
		if i == 4 {
			u.Record.Legacy = &core.Legacy{Attachments: []core.Attachment{{ID: "r5-film", Field: "film"}}}
			u.Record.Data = []byte("{}")
		}
		if err := visit(u, core.Export{Record: id, ExportedOn: time.Unix(0, 0)}); err != nil {
			return err
		}
	}
	return nil
}

func (shelf) Versions(_ context.Context, _ core.StudyID, visit func(core.ParticipantVersion) error) error {
	for n := range 3 {
		if err := visit(core.ParticipantVersion{HealthCode: "code", Version: n + 1}); err != nil {
			return err
		}
	}
	return nil
}

func (shelf) Behind(core.DestinationID) bool { return false }

// busy is a shelf whose tables are about to be written.
type busy struct{ shelf }

func (busy) Behind(core.DestinationID) bool { return true }

// repository answers by path, and lists these paths.
type repository struct {
	wrong map[string]error
	paths []string
	rows  map[reconcile.Row]int
}

func (r repository) Check(_ context.Context, _ core.Destination, o core.Object) error {
	return r.wrong[o.Path]
}

func (r repository) Walk(_ context.Context, _ core.Destination, visit func(string) error) error {
	for _, path := range r.paths {
		if err := visit(path); err != nil {
			return err
		}
	}
	return nil
}

func (r repository) Rows(context.Context, core.Destination, []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	return r.rows, nil
}

func (r repository) CheckVersions(context.Context, core.Destination, []core.ParticipantVersion) error {
	return r.wrong["versions"]
}

func (r repository) CheckView(_ context.Context, _ core.Destination, date string, rows []core.FileViewRow) error {
	if len(rows) != 5 {
		return fmt.Errorf("%d rows", len(rows))
	}
	return r.wrong[date]
}

func TestCompare(t *testing.T) {
	r := repository{
		wrong: map[string]error{
			"raw-data/day/r1-walk": fmt.Errorf("look: %w", core.ErrNotFound), "raw-data/day/r2-walk": core.ErrDigestMismatch,
			"raw-data/day/r3-walk": reconcile.ErrUnannotated, "attachments/day/r5-film": core.ErrDigestMismatch, "data/day/r5.json": core.ErrNotFound,
		},
		paths: []string{"project.json", "raw-data/day/r4-walk", "annotations/day/r4.json", "annotations/day/r9.json", "raw-data/day/r9-walk", "attachments/day/r5-film",
			"attachments/day/r5-voice", "raw-data/day/r6-walk", "annotations/day/r6.json", "data/day/r5.json", "file-view/day.parquet", "participant-versions/participant_versions.csv"},
		rows: map[reconcile.Row]int{{HealthCode: "code", Version: 1}: 1, {HealthCode: "code", Version: 3}: 2, {HealthCode: "other", Version: 1}: 5},
	}
	got, err := reconcile.Compare(t.Context(), shelf{}, r, core.Destination{ID: "sleep", Study: "sleep"})
	if err != nil {
		t.Fatal(err)
	}
	want := reconcile.Plan{
		Destination: "sleep", Missing: []core.UploadID{"r1", "r5"}, Differing: []core.UploadID{"r2"}, Unannotated: []core.UploadID{"r3"},
		Orphans: []string{"annotations/day/r9.json", "raw-data/day/r9-walk", "attachments/day/r5-voice"},
		Rows:    reconcile.Rows{Missing: []string{"code/2"}, Duplicate: []string{"code/3"}},
		Tables:  []reconcile.Table{},
	}
	if diff := cmp.Diff(want, got); diff != "" || got.Clean() {
		t.Error(diff)
	}
	if diff := cmp.Diff([]core.UploadID{"r1", "r5", "r2", "r3"}, got.Wrong()); diff != "" {
		t.Error(diff)
	}
	r = repository{rows: map[reconcile.Row]int{{"code", 1}: 1, {"code", 2}: 1, {"code", 3}: 1}}
	if got, err := reconcile.Compare(t.Context(), shelf{}, r, core.Destination{ID: "sleep"}); err != nil || !got.Clean() {
		t.Errorf("%+v, %v", got, err)
	}
	r.wrong = map[string]error{"versions": core.ErrDigestMismatch, "day": core.ErrNotFound}
	if got, err := reconcile.Compare(t.Context(), busy{}, r, core.Destination{ID: "sleep"}); err != nil || !got.Clean() {
		t.Errorf("tables that are about to be written are no finding: %+v, %v", got, err)
	}
	want = reconcile.New("sleep")
	want.Tables = []reconcile.Table{{Path: "participant-versions/participant_versions.parquet"}, {Path: "file-view/day.parquet", Date: "day"}}
	if got, err := reconcile.Compare(t.Context(), shelf{}, r, core.Destination{ID: "sleep"}); err != nil || cmp.Diff(want, got) != "" || !got.Mendable() {
		t.Errorf("%s, %v", cmp.Diff(want, got), err)
	}
}

// What a table never takes is told as that, and not as something to be mended.
func TestRowsThatAreRefused(t *testing.T) {
	r := repository{rows: map[reconcile.Row]int{{"code", 1}: 1, {"code", 2}: reconcile.Passed, {"code", 3}: reconcile.Refused}}
	got, err := reconcile.Compare(t.Context(), shelf{}, r, core.Destination{ID: "sleep"})
	want := reconcile.New("sleep")
	want.Rows.Refused, want.Rows.Passed = []string{"code/3"}, []string{"code/2"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || got.Clean() || got.Mendable() {
		t.Errorf("%v %s", err, diff)
	}
	r.rows[reconcile.Row{HealthCode: "code", Version: 3}] = 1
	if got, err := reconcile.Compare(t.Context(), shelf{}, r, core.Destination{ID: "sleep"}); err != nil || !got.Clean() {
		t.Errorf("%+v, %v", got, err)
	}
}

// What cannot be compared is counted and said, and all the rest is compared.
func TestCompareWhatCanBe(t *testing.T) {
	down := errors.New("input/output error")
	r := repository{
		wrong: map[string]error{"raw-data/day/r2-walk": down, "raw-data/day/r4-walk": core.ErrNotFound, "attachments/day/r5-film": core.ErrDigestMismatch, "data/day/r5.json": errors.New("no such device"), "day": core.ErrNotFound},
		paths: []string{"raw-data/day/r9-walk"},
		rows:  map[reconcile.Row]int{{"code", 1}: 1, {"code", 2}: 1},
	}
	want := reconcile.New("sleep")
	want.Missing, want.Differing, want.Orphans = []core.UploadID{"r4"}, []core.UploadID{"r5"}, []string{"raw-data/day/r9-walk"}
	want.Rows.Missing, want.Tables = []string{"code/3"}, []reconcile.Table{{Path: "file-view/day.parquet", Date: "day"}}
	want.Unreadable, want.Failed = 2, down.Error()
	got, err := reconcile.Compare(t.Context(), shelf{}, r, core.Destination{ID: "sleep"})
	if diff := cmp.Diff(want, got); diff != "" || err != nil || got.Clean() {
		t.Errorf("%v %s", err, diff)
	}
	asked := 0
	got, err = reconcile.Compare(t.Context(), shelf{}, away{&asked}, core.Destination{ID: "sleep"})
	want = reconcile.New("sleep")
	want.Unreadable, want.Failed = 9, "no route to host" // five records, what is there, the rows, and two tables
	if diff := cmp.Diff(want, got); diff != "" || err != nil || asked != 5 {
		t.Errorf("asked %d times, %v %s", asked, err, diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reconcile.Compare(ctx, shelf{}, r, core.Destination{ID: "sleep"}); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on: %v", err)
	}
}

// away is a repository that does not answer.
type away struct{ asked *int }

func (r away) no() error {
	*r.asked++
	return errors.New("no route to host")
}

func (r away) Check(context.Context, core.Destination, core.Object) error { return r.no() }

func (r away) Walk(context.Context, core.Destination, func(string) error) error { return r.no() }

func (r away) Rows(context.Context, core.Destination, []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	return nil, r.no()
}

func (r away) CheckVersions(context.Context, core.Destination, []core.ParticipantVersion) error {
	return r.no()
}

func (r away) CheckView(context.Context, core.Destination, string, []core.FileViewRow) error {
	return r.no()
}
