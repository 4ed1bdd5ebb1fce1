package synapse_test

import (
	"errors"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/sync/synapse/synapsetest"
)

// A view is given another SELECT, also after an answer that was lost, and nothing else
// of it changes; what is gone is told apart.
func TestRedefine(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	p, err := build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	other := `SELECT "dataGroups" FROM ` + string(p.table)
	for name, fault := range map[string]synapsetest.Fault{"before": {Cut: true}, "after": {DropReply: true}, "instead of": synapsetest.Portal()} {
		s.Redefine(string(p.view), `SELECT "healthCode" FROM `+string(p.table))
		s.Inject(fault.At("PUT", "/repo/v1/entity/*"))
		if err := open(t, s, once()).Redefine(t.Context(), p.view, other); err == nil {
			t.Errorf("%s: it is said to be done", name)
		}
		if err := c.Redefine(t.Context(), p.view, other); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if sql, err := c.Definition(t.Context(), p.view); err != nil || sql != other {
			t.Errorf("%s: it reads %s (%v)", name, sql, err)
		}
	}
	if s.Children(string(p.project))["Latest"] != string(p.view) {
		t.Error("the view lost its name")
	}
	if err := c.Redefine(t.Context(), p.view, "SELECT x FROM syn99999"); !errors.Is(err, core.ErrOtherRepository) {
		t.Errorf("of a table that is not there: %v", err)
	}
	s.Trash(string(p.view))
	_, err = c.Definition(t.Context(), p.view)
	if again := c.Redefine(t.Context(), p.view, other); !errors.Is(err, core.ErrOtherRepository) || !errors.Is(again, core.ErrOtherRepository) || strings.Contains(again.Error(), "dataGroups") {
		t.Errorf("of a view that is gone: %v, %v", err, again)
	}
}
