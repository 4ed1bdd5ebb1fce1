package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core/crash"
	"footbridge/sync/synapse/synapsetest"
)

const demographicsOfStudy = "/v5/studies/" + testStudy + "/participants/self/demographics"

// known is what a participant says of themselves.
func known(age int) map[string]any {
	return map[string]any{"demographics": map[string]any{
		"age":       map[string]any{"multipleSelect": false, "values": []any{age}, "units": "years"},
		"ethnicity": map[string]any{"values": []any{"asian", "white"}},
		"pets":      map[string]any{"values": []any{}},
	}}
}

// rowsKnown gives the rows that this makes of a version.
func rowsKnown(version, age int) []string {
	return []string{
		fmt.Sprintf("%d sleep:age=%d years", version, age), fmt.Sprintf("%d sleep:ethnicity=asian ", version),
		fmt.Sprintf("%d sleep:ethnicity=white ", version), fmt.Sprintf("%d sleep:pets= ", version),
	}
}

// demographicRows gives the rows of the table of demographics, sorted.
func demographicRows(t *testing.T, server *synapsetest.Server) (all []string) {
	t.Helper()
	for _, row := range server.Rows(inProject(t, server)["Participant Versions Demographics"]) {
		all = append(all, fmt.Sprintf("%s %s:%s=%s %s", row["participantVersion"], row["studyId"], row["demographicCategoryName"], row["demographicValue"], row["demographicUnits"]))
	}
	slices.Sort(all)
	return all
}

// awaitDemographics waits until the table has so many rows. The client asks after a job
// once in a while only, so that it takes seconds.
func awaitDemographics(t *testing.T, server *synapsetest.Server, want int) {
	t.Helper()
	for begun := time.Now(); len(demographicRows(t, server)) < want; time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > 2*time.Minute {
			t.Fatalf("there are the rows %q, and %d are wanted", demographicRows(t, server), want)
		}
	}
}

// Demographics that are posted over the API make a new version, whose rows are in both
// tables once: after replies that were lost, and after a crash at any step of either
// append.
func TestDemographicsOnSynapse(t *testing.T) {
	const first = 3 // what is kept of the append of the first version
	for name, pass := range map[string]int{
		"after lost replies": 0, "where the job of the version is known": first + 1, "where that is done": first + 2,
		"where the job of its demographics is known": first + 4, "where that is done, too": first + 5,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, server := onSynapse(t)
			if pass > 0 {
				s.start(fmt.Sprintf("FOOTBRIDGE_CRASH_AT=append.kept:%d", pass))
			} else {
				s.start()
				server.Inject(synapsetest.Fault{DropReply: true, Times: 3}.At("GET", "/repo/v1/entity/*/table/append/async/get/*"))
			}
			if err := s.call("POST", "/v5/studies/"+testStudy+"/exporter3", s.admin(), nil, nil); err != nil {
				t.Fatal(err)
			}
			token := s.enrol("p1")
			versions := func() int { return len(server.Rows(inProject(t, server)["Participant Versions"])) }
			eventually(t, func() bool { return versions() == 1 })
			err := s.call("POST", demographicsOfStudy, token, known(41), nil)
			if pass > 0 {
				if code := s.gone(); code != crash.Status {
					t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
				}
				s.start()
				if err != nil { // the answer was lost, so it is said again
					err = s.call("POST", demographicsOfStudy, token, known(41), nil)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			awaitDemographics(t, server, 4)
			if err := s.call("POST", "/v3/participants/self/demographics", token, map[string]any{"demographics": map[string]any{"sex": map[string]any{"values": []any{"f"}}}}, nil); err != nil {
				t.Fatal(err)
			}
			want := slices.Concat(rowsKnown(2, 41), []string{"3 :sex=f "}, rowsKnown(3, 41))
			slices.Sort(want)
			awaitDemographics(t, server, len(want))
			s.command(nil, "sync", "reconcile") // it fails where a row is missing or there twice
			if got := demographicRows(t, server); !slices.Equal(got, want) || versions() != 3 {
				t.Errorf("there are %d versions, and the demographics %q", versions(), got)
			}
		})
	}
}

// In a folder the demographics lie beside the versions once there are some, and staff
// are shown them.
func TestDemographicsInAFolder(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	checkVersions(t, s, 1)
	folder := filepath.Join(s.root, testStudy, "participant-versions")
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("without demographics there are %v (%v)", files, err)
	}
	if err := s.call("POST", demographicsOfStudy, token, known(41), nil); err != nil {
		t.Fatal(err)
	}
	checkVersions(t, s, 2)
	var lines []string
	eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join(folder, "participant_versions_demographics.csv"))
		lines = strings.Split(strings.TrimSpace(string(text)), "\n")
		return err == nil && len(lines) == 5
	})
	if lines[0] != "healthCode,participantVersion,studyId,demographicCategoryName,demographicValue,demographicUnits,demographicInvalidity" || !strings.HasSuffix(lines[1], ",2,sleep,age,41,years,") || !strings.HasSuffix(lines[4], ",2,sleep,pets,,,") {
		t.Errorf("the table is %q", lines)
	}
	if _, err := os.Stat(filepath.Join(folder, "participant_versions_demographics.parquet")); err != nil {
		t.Error(err)
	}
	shown := s.command(nil, "participant", "show", "externalid:p1")
	for _, want := range []string{"In study sleep as p1.", "Demographics in study sleep:", `"age": "41 years"`, `"ethnicity": "asian", "white"`, `"pets": none`} {
		if !strings.Contains(shown, want) {
			t.Errorf("it is not shown %s: %s", want, shown)
		}
	}
	if shown := s.command(nil, "participant", "show", "externalid:p1", "--json"); !strings.Contains(shown, `"studyDemographics"`) || strings.Contains(shown, `"appDemographics"`) {
		t.Errorf("it is shown %s", shown)
	}
	if logs := s.logs(); strings.Contains(logs, "asian") || strings.Contains(s.out.String(), "asian") {
		t.Error("the log tells what is known of a participant")
	}
}
