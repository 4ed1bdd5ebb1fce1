package synapse_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"

	"github.com/google/go-cmp/cmp"
)

// known gives so many rows of several participants, two of each category.
func known(n int) synapse.Demographics {
	var rows synapse.Demographics
	for i := range n {
		row := core.DemographicRow{HealthCode: core.HealthCode(fmt.Sprintf("code-%04d", i/12)), Version: i/6%2 + 1, Category: fmt.Sprint("category ", i/2%3), Units: "years"}
		if i/2%3 > 0 {
			row.Study = "sleep"
		}
		if i/2%3 < 2 || i%2 == 0 { // the third category has a value and none
			row.Value = fmt.Sprintf("it's %d", i%2)
		}
		rows = append(rows, row)
	}
	return rows
}

// demographics fails unless the table has these rows, each once.
func (h *shelf) demographics(t *testing.T, want synapse.Demographics) {
	t.Helper()
	var wants, got []string
	for _, row := range want {
		wants = append(wants, fmt.Sprint([]any{row.HealthCode, row.Version, row.Study, row.Category, row.Value, row.Units, row.Invalidity}))
	}
	for _, row := range h.s.Rows(string(h.table.ID)) {
		got = append(got, fmt.Sprint([]any{row["healthCode"], row["participantVersion"], row["studyId"], row["demographicCategoryName"], row["demographicValue"], row["demographicUnits"], row["demographicInvalidity"]}))
	}
	slices.Sort(wants)
	slices.Sort(got)
	if diff := cmp.Diff(wants, got); diff != "" {
		t.Error(diff)
	}
}

func TestDemographicRow(t *testing.T) {
	table := synapse.Table{ID: "syn1", Columns: synapse.DemographicColumns()}
	for i := range table.Columns {
		table.Columns[i].ID = fmt.Sprint("c", i)
	}
	got, err := synapse.DemographicRow(table, core.DemographicRow{HealthCode: "code", Version: 3, Category: "pets"})
	if diff := cmp.Diff(synapse.Row{{Column: "c0", Value: "code"}, {Column: "c1", Value: "3"}, {Column: "c3", Value: "pets"}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	whole := core.DemographicRow{HealthCode: "code", Version: 3, Study: "sleep", Category: strings.Repeat("é", 255), Value: strings.Repeat("é", 1024), Units: strings.Repeat("é", 255), Invalidity: strings.Repeat("é", 255)}
	if got, err := synapse.DemographicRow(table, whole); err != nil || len(got) != 7 {
		t.Errorf("%v, %v", got, err)
	}
	for name, change := range map[string]func(*core.DemographicRow){
		"demographicCategoryName": func(r *core.DemographicRow) { r.Category += "x" },
		"demographicUnits":        func(r *core.DemographicRow) { r.Units += "x" },
		"demographicInvalidity":   func(r *core.DemographicRow) { r.Invalidity += "x" },
	} {
		row := whole
		change(&row)
		if _, err := synapse.DemographicRow(table, row); !errors.Is(err, synapse.ErrInvalid) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "é") {
			t.Errorf("%s: %v", name, err)
		}
	}
	table.Columns = table.Columns[:4]
	if _, err := synapse.DemographicRow(table, whole); !errors.Is(err, synapse.ErrInvalid) || !strings.Contains(err.Error(), "no column demographicValue") {
		t.Errorf("without a column: %v", err)
	}
}

func TestAppendDemographics(t *testing.T) {
	h := newShelfOf(t, synapsetest.Config{PageRows: 7, PerMinute: 5000}, synapse.DemographicColumns())
	c := open(t, h.s, hasty())
	all := known(480)
	if done, err := h.take(t.Context(), c, all[:101]); err != nil || done.Rows != 101 {
		t.Fatal(done, err)
	}
	done, err := h.take(t.Context(), c, append(all, all...)) // half of a version is there already
	if err != nil || done.Rows != 379 || len(done.Refused) != 0 || h.begun != (synapse.Begun{}) {
		t.Fatal(done, err, h.begun)
	}
	h.demographics(t, all)
	if sets := h.s.ChangeSets(string(h.table.ID)); sets != 3 {
		t.Errorf("the rows took %d change sets", sets)
	}
	twice := all[3]
	h.s.AppendRow(string(h.table.ID), map[string]string{"healthCode": string(twice.HealthCode), "participantVersion": fmt.Sprint(twice.Version),
		"studyId": string(twice.Study), "demographicCategoryName": twice.Category, "demographicValue": twice.Value})
	held, err := c.DemographicRows(t.Context(), h.table, []synapse.Key{{HealthCode: "code-0000", Version: 1}, {HealthCode: "it's nobody", Version: 1}})
	if err != nil || len(held) != 6 || held[synapse.DemographicKey(twice)] != 2 || held[synapse.DemographicKey(all[5])] != 1 {
		t.Errorf("DemographicRows() = %v, %v", held, err)
	}
}

// Each row is there once, whichever call was the last of a run that broke off, and
// whether or not that call had its effect.
func TestAppendDemographicsAfterACrashAtAnyCall(t *testing.T) {
	whole := newShelfOf(t, synapsetest.Config{}, synapse.DemographicColumns())
	before := len(whole.s.Calls())
	if _, err := whole.take(t.Context(), open(t, whole.s, once()), known(7)); err != nil {
		t.Fatal(err)
	}
	calls := len(whole.s.Calls()) - before
	for at := 1; at <= calls; at++ {
		for name, fault := range map[string]synapsetest.Fault{"before": {Cut: true}, "after": {DropReply: true}, "failing at": synapsetest.Refused(500, "Oops")} {
			h := newShelfOf(t, synapsetest.Config{}, synapse.DemographicColumns())
			fault.Nth = at
			h.s.Inject(fault)
			_, broken := h.take(t.Context(), open(t, h.s, once()), known(7))
			h.takePatiently(t, open(t, h.s, once()), known(7))
			h.demographics(t, known(7))
			if t.Failed() {
				t.Fatalf("%s call %d (%v)", name, at, broken)
			}
		}
	}
}

// Rows that a narrow table does not take are found, before they are sent where it says
// so, and else because they make their job fail; the others are appended.
func TestAppendDemographicsThatAreRefused(t *testing.T) {
	columns := synapse.DemographicColumns()
	columns[3].Size, columns[5].Size = 50, 50 // as the original's tables have them
	h := newShelfOf(t, synapsetest.Config{PerMinute: 5000}, columns)
	c := open(t, h.s, hasty())
	all := known(40)
	all[7].Category = strings.Repeat("private", 10)
	h.table.Columns = slices.Clone(h.table.Columns)
	h.table.Columns[5].Size = 1000 // as if the table had been changed behind our back
	all[23].Units = strings.Repeat("private", 10)
	done, err := h.take(t.Context(), c, all)
	if err != nil || done.Rows != 38 || len(done.Refused) != 2 {
		t.Fatalf("AppendMissing() = %+v, %v", done, err)
	}
	for _, at := range []int{7, 23} {
		err := done.Refused[synapse.DemographicKey(all[at])]
		if !errors.Is(err, synapse.ErrInvalid) || strings.Contains(err.Error(), "private") {
			t.Errorf("row %d: %v", at, err)
		}
	}
	h.demographics(t, slices.DeleteFunc(all, func(r core.DemographicRow) bool { return strings.Contains(r.Category+r.Units, "private") }))
}
