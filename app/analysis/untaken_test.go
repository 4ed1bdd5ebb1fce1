package analysis_test

import (
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse/synapsetest"
)

// A version that a table never takes is told until a later one of the same participant
// is there, however often it is put; so are demographics.
func TestVersionsThatAreNotTaken(t *testing.T) {
	secret := strings.Repeat("Somewhere/Far", 30)
	zone := func(v *core.ParticipantVersion) { v.ClientTimeZone = secret }
	for name, test := range map[string]struct {
		fault *synapsetest.Fault
		spoil func(*core.ParticipantVersion)
		why   string
	}{
		"too long": {nil, zone, "column clientTimeZone: it takes 40 characters, and these are 390"},
		"demographics that are too long": {nil, func(v *core.ParticipantVersion) {
			v.AppDemographics = core.Demographics{"age": {Values: []core.DemographicValue{{Value: "1"}}, Units: secret}}
		}, "column demographicUnits: it takes 255 characters, and these are 390"},
		"refused by the repository": {
			&synapsetest.Fault{FailJob: "Row 1 is not valid", Path: "/repo/v1/entity/*/table/append/async/start", Times: -1},
			func(v *core.ParticipantVersion) {}, "Row 1 is not valid"},
	} {
		t.Run(name, func(t *testing.T) {
			server, m, r := project(t, synapsetest.Config{})
			versions := []core.ParticipantVersion{{HealthCode: "code", Version: 1}}
			row := func() int {
				t.Helper()
				rows, err := r.Rows(t.Context(), sleepStudy, versions)
				if err != nil {
					t.Fatal(err)
				}
				return rows[reconcile.Row{HealthCode: "code", Version: 2}]
			}
			put := func() []string {
				t.Helper()
				if err := r.PutVersions(t.Context(), sleepStudy, versions); err != nil {
					t.Fatal(err)
				}
				told, err := open(t, server, m).Untaken(t.Context(), sleepStudy.ID)
				if err != nil {
					t.Fatal(err)
				}
				return told
			}
			if told := put(); len(told) > 0 {
				t.Errorf("it tells %q", told)
			}
			versions = append(versions, core.ParticipantVersion{HealthCode: "code", Version: 2, ModifiedOn: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)})
			test.spoil(&versions[1])
			if test.fault != nil {
				server.Inject(*test.fault)
			}
			for range 3 {
				told := put()
				if len(told) != 1 || !strings.HasPrefix(told[0], "Since 2026-11-20 08:00:00 UTC the repository does not take version 2 of participant code") || !strings.Contains(told[0], test.why) || strings.Contains(told[0], "Somewhere") {
					t.Errorf("it tells %q", told)
				}
				m.sent = map[int]bool{1: true} // as after a repair
			}
			if got := row(); got != reconcile.Refused {
				t.Errorf("of the row it says %d", got)
			}
			server.Calm()
			m.sent[2] = true
			versions = append(versions, core.ParticipantVersion{HealthCode: "code", Version: 3})
			if told := put(); len(told) > 0 {
				t.Errorf("after a good version it tells %q", told)
			}
			if got := row(); got != reconcile.Passed {
				t.Errorf("of the row it says %d", got)
			}
		})
	}
}
