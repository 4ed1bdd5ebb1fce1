package synapse_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

// shelf is a table and what its owner keeps of an append.
type shelf struct {
	s     *synapsetest.Server
	table synapse.Table
	begun synapse.Begun
	saves []synapse.Begun
}

func newShelf(t *testing.T, config synapsetest.Config) *shelf {
	t.Helper()
	return newShelfOf(t, config, synapse.VersionColumns())
}

func newShelfOf(t *testing.T, config synapsetest.Config, columns []synapse.Column) *shelf {
	t.Helper()
	s := synapsetest.Start(t, config)
	c := open(t, s, hasty())
	project, err := c.MakeProject(t.Context(), "Sleep")
	if err != nil {
		t.Fatal(err)
	}
	id, err := c.MakeTable(t.Context(), project, "Table", columns)
	if err != nil {
		t.Fatal(err)
	}
	table, err := c.Table(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return &shelf{s: s, table: table}
}

func (h *shelf) append(ctx context.Context, c *synapse.Client, versions ...core.ParticipantVersion) (synapse.Appended, error) {
	return h.take(ctx, c, synapse.Versions{All: versions})
}

func (h *shelf) take(ctx context.Context, c *synapse.Client, content synapse.Content) (synapse.Appended, error) {
	return c.AppendMissing(ctx, synapse.Append{Table: h.table, Content: content, Begun: h.begun,
		Save: func(_ context.Context, b synapse.Begun) error {
			h.begun = b
			h.saves = append(h.saves, b)
			return nil
		}})
}

// patiently appends until nothing is to be waited for.
func (h *shelf) patiently(t *testing.T, c *synapse.Client, versions ...core.ParticipantVersion) synapse.Appended {
	t.Helper()
	return h.takePatiently(t, c, synapse.Versions{All: versions})
}

func (h *shelf) takePatiently(t *testing.T, c *synapse.Client, content synapse.Content) synapse.Appended {
	t.Helper()
	for range 100 {
		done, err := h.take(t.Context(), c, content)
		var later *core.Later
		switch {
		case errors.As(err, &later):
			time.Sleep(later.After)
		case err != nil:
			t.Fatal(err)
		default:
			return done
		}
	}
	t.Fatal("it never ended")
	return synapse.Appended{}
}

// rows fails unless the table has each version of somebody once, from 1 on.
func (h *shelf) rows(t *testing.T, want int) {
	t.Helper()
	seen := map[string]int{}
	for _, row := range h.s.Rows(string(h.table.ID)) {
		seen[row["healthCode"]+"/"+row["participantVersion"]]++
	}
	for key, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", key, n)
		}
	}
	if len(seen) != want {
		t.Errorf("%d versions are there, want %d", len(seen), want)
	}
}

// people gives so many versions of several participants.
func people(n int) []core.ParticipantVersion {
	var all []core.ParticipantVersion
	for i := range n {
		v := version
		v.HealthCode, v.Version = core.HealthCode(fmt.Sprintf("code-%04d", i/3)), i%3+1
		all = append(all, v)
	}
	return all
}

func TestAppend(t *testing.T) {
	h := newShelf(t, synapsetest.Config{PageRows: 7, PerMinute: 5000})
	c := open(t, h.s, hasty())
	all := people(450)
	done, err := h.append(t.Context(), c, all[:100]...)
	if err != nil || done.Rows != 100 {
		t.Fatal(done, err)
	}
	done, err = h.append(t.Context(), c, append(all, all...)...)
	if err != nil || done.Rows != 350 || len(done.Refused) != 0 {
		t.Fatal(done, err)
	}
	h.rows(t, 450)
	if sets := h.s.ChangeSets(string(h.table.ID)); sets != 3 {
		t.Errorf("the rows took %d change sets", sets)
	}
	if h.begun != (synapse.Begun{}) {
		t.Errorf("%+v is still begun", h.begun)
	}
	held, err := c.Rows(t.Context(), h.table, []core.HealthCode{"code-0000", "it's nobody"})
	if err != nil || len(held) != 3 || held[synapse.Key{HealthCode: "code-0000", Version: 2}] != 1 {
		t.Errorf("Rows() = %v, %v", held, err)
	}
	h.s.AppendRow(string(h.table.ID), map[string]string{"healthCode": "code-0000", "participantVersion": "2"})
	if held, err = c.Rows(t.Context(), h.table, []core.HealthCode{"code-0000"}); err != nil || held[synapse.Key{HealthCode: "code-0000", Version: 2}] != 2 {
		t.Errorf("Rows() = %v, %v; want to see the duplicate", held, err)
	}
	if _, err := h.append(t.Context(), c); err != nil {
		t.Errorf("nothing to append: %v", err)
	}
}

// Each version is there once, whichever call was the last of a run that broke off,
// and whether or not that call had its effect.
func TestAppendAfterACrashAtAnyCall(t *testing.T) {
	whole := newShelf(t, synapsetest.Config{})
	before := len(whole.s.Calls())
	if _, err := whole.append(t.Context(), open(t, whole.s, once()), people(5)...); err != nil {
		t.Fatal(err)
	}
	calls := len(whole.s.Calls()) - before
	for at := 1; at <= calls; at++ {
		for name, fault := range map[string]synapsetest.Fault{
			"before": {Cut: true}, "after": {DropReply: true}, "instead of": synapsetest.Portal(),
			"throttled at": synapsetest.Throttled("3600"), "failing at": synapsetest.Refused(500, "Oops"), "beyond a gateway at": synapsetest.BadGateway(),
		} {
			h := newShelf(t, synapsetest.Config{})
			fault.Nth = at
			h.s.Inject(fault)
			_, broken := h.append(t.Context(), open(t, h.s, once()), people(5)...)
			h.patiently(t, open(t, h.s, once()), people(5)...)
			h.rows(t, 5)
			if t.Failed() {
				t.Fatalf("%s call %d (%v)", name, at, broken)
			}
		}
	}
}

// A crash between what is sent and what is kept: whatever was kept last, each
// version is there once.
func TestAppendAfterAnySave(t *testing.T) {
	for at := 1; at <= 3; at++ {
		h := newShelf(t, synapsetest.Config{})
		ended := errors.New("killed")
		saves := 0
		_, err := open(t, h.s, once()).AppendMissing(t.Context(), synapse.Append{Table: h.table, Content: synapse.Versions{All: people(5)},
			Save: func(_ context.Context, b synapse.Begun) error {
				if saves++; saves == at {
					return ended
				}
				h.begun = b
				return nil
			}})
		if !errors.Is(err, ended) {
			t.Fatalf("save %d: %v", at, err)
		}
		h.patiently(t, open(t, h.s, once()), people(5)...)
		h.rows(t, 5)
	}
}

// While it is not known whether a job will still run, nothing is sent again, and
// the table is not believed.
func TestAppendThatIsSlow(t *testing.T) {
	h := newShelf(t, synapsetest.Config{})
	h.s.HoldJobs()
	h.s.Inject(synapsetest.Fault{DropReply: true, Method: "POST", Path: "/repo/v1/entity/*/table/append/async/start"})
	config := hasty()
	config.Settle = 10 * time.Second
	now := time.Now()
	config.Now = func() time.Time { return now }
	c := open(t, h.s, config)
	for range 3 {
		_, err := h.append(t.Context(), c, people(5)...)
		if later := (*core.Later)(nil); !errors.As(err, &later) || later.After > config.Settle {
			t.Fatalf("AppendMissing() = %v", err)
		}
		now = now.Add(3 * time.Second)
	}
	now = now.Add(-time.Hour) // the clock goes back
	if _, err := h.append(t.Context(), c, people(5)...); !errors.As(err, new(*core.Later)) {
		t.Fatalf("AppendMissing() = %v", err)
	}
	h.s.ReleaseJobs()
	now = now.Add(config.Settle)
	if done, err := h.append(t.Context(), c, people(5)...); err != nil || done.Rows != 0 {
		t.Fatalf("AppendMissing() = %+v, %v", done, err)
	}
	h.rows(t, 5)

	// A job whose name is known is asked after, for as long as it takes.
	h.s.HoldJobs()
	config.JobTime = time.Second
	c = open(t, h.s, config)
	for range 2 {
		if _, err := h.append(t.Context(), c, people(9)...); !errors.As(err, new(*core.Later)) || h.begun.Token == "" {
			t.Fatalf("AppendMissing() = %v, %+v", err, h.begun)
		}
		now = now.Add(time.Hour)
	}
	h.s.ReleaseJobs()
	if _, err := h.append(t.Context(), c, people(9)...); err != nil {
		t.Fatal(err)
	}
	h.rows(t, 9)
}

// A row that the table does not take is found; the others are appended.
func TestAppendWithARowThatIsRefused(t *testing.T) {
	h := newShelf(t, synapsetest.Config{PerMinute: 5000})
	c := open(t, h.s, hasty())
	all := people(40)
	all[7].DataGroups = []string{strings.Repeat("g", 251)}
	narrow := h.table // as if the table had been changed behind our back
	narrow.Columns = append([]synapse.Column(nil), h.table.Columns...)
	for i := range narrow.Columns {
		if narrow.Columns[i].Name == "clientTimeZone" {
			narrow.Columns[i].Size = 1000
		}
	}
	all[23].ClientTimeZone = strings.Repeat("private", 10)
	h.table = narrow
	done, err := h.append(t.Context(), c, all...)
	if err != nil || done.Rows != 38 || len(done.Refused) != 2 {
		t.Fatalf("AppendMissing() = %+v, %v", done, err)
	}
	for _, at := range []int{7, 23} {
		err := done.Refused[synapse.Key{HealthCode: all[at].HealthCode, Version: all[at].Version}]
		if !errors.Is(err, synapse.ErrInvalid) || strings.Contains(err.Error(), "private") {
			t.Errorf("row %d: %v", at, err)
		}
	}
	h.rows(t, 38)
}

// A table that takes nothing more is not asked row by row.
func TestAppendToAFullTable(t *testing.T) {
	h := newShelf(t, synapsetest.Config{ChangeSets: 1, PerMinute: 5000})
	c := open(t, h.s, hasty())
	if _, err := h.append(t.Context(), c, people(3)...); err != nil {
		t.Fatal(err)
	}
	calls := len(h.s.Calls())
	if _, err := h.append(t.Context(), c, people(300)...); !errors.Is(err, synapse.ErrInvalid) {
		t.Errorf("AppendMissing() = %v", err)
	}
	if more := len(h.s.Calls()) - calls; more > 120 {
		t.Errorf("it was asked %d times", more)
	}
	h.rows(t, 3)
}

// A job that failed and says that it may be tried again is; any other is not.
func TestJobsThatFail(t *testing.T) {
	for text, passes := range map[string]bool{
		"Lock wait timeout exceeded; please try again": true,
		"Please slow down": true,
		"Value at [0,1] was not a valid INTEGER. For input: 'timeout'": false,
		"You may not do this": false,
	} {
		h := newShelf(t, synapsetest.Config{})
		c := open(t, h.s, hasty())
		h.s.Inject(synapsetest.Fault{FailJob: text, Path: "/repo/v1/entity/*/table/append/async/start"})
		done, err := h.append(t.Context(), c, people(1)...)
		if passes && !errors.Is(err, synapse.ErrAway) || !passes && (err != nil || len(done.Refused) != 1) {
			t.Errorf("%q: %+v, %v", text, done, err)
		}
		if h.begun != (synapse.Begun{}) {
			t.Errorf("%q: %+v is still begun, although it failed", text, h.begun)
		}
		if done, err = h.append(t.Context(), c, people(1)...); err != nil || done.Rows != 1 {
			t.Errorf("%q: afterwards %+v, %v", text, done, err)
		}
		h.rows(t, 1)
	}
}

// What a query asks for is not told by its errors.
func TestQueriesThatFail(t *testing.T) {
	h := newShelf(t, synapsetest.Config{})
	h.s.Inject(synapsetest.Fault{FailJob: "Encountered code-0000 at line 1, column 80", Path: "/repo/v1/entity/*/table/query/async/start"})
	_, err := h.append(t.Context(), open(t, h.s, hasty()), people(1)...)
	if !errors.Is(err, synapse.ErrInvalid) || strings.Contains(err.Error(), "code-0000") || !strings.Contains(err.Error(), "column 80") {
		t.Errorf("AppendMissing() = %v", err)
	}
	h.rows(t, 0)
}
