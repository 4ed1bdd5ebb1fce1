package participant_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/core/participant"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var noIDs = cmpopts.IgnoreFields(core.Demographic{}, "ID")

// somebody makes a participant of the study memory.
func somebody(t *testing.T, r *participant.Roster) core.UserID {
	t.Helper()
	a, err := r.Create(t.Context(), "memory", participant.Form{SharingScope: core.SponsorsAndPartners})
	must(t, err)
	return a.ID
}

func TestDemographicsAreReplacedAsAWhole(t *testing.T) {
	r, s := newRoster(t)
	id := somebody(t, r)
	for study, given := range map[core.StudyID]core.Demographics{
		"":       {"sex": {Values: values("f")}, "ethnicity": {Multiple: true, Values: values(" b ", "a", "b")}},
		"memory": {" age ": {Values: values("41"), Units: " years "}, "pets": {Multiple: true}},
	} {
		_, err := r.KeepDemographics(t.Context(), study, id, given)
		must(t, err)
	}
	a, err := s.Account(t.Context(), id)
	must(t, err)
	sex := a.Demographics["sex"].ID
	if !core.ValidID(sex) || sex == a.Demographics["ethnicity"].ID {
		t.Errorf("the ids are not those of one each: %+v", a.Demographics)
	}
	wantApp := core.Demographics{"sex": {Values: values("f")}, "ethnicity": {Multiple: true, Values: values("b", "a")}}
	wantStudy := map[core.StudyID]core.Demographics{"memory": {"age": {Values: values("41"), Units: "years"}, "pets": {Multiple: true}}}
	if diff := cmp.Diff(wantApp, a.Demographics, noIDs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantStudy, a.StudyDemographics, noIDs); diff != "" {
		t.Error(diff)
	}

	a, err = r.KeepDemographics(t.Context(), "", id, core.Demographics{"sex": {Values: values("x")}})
	must(t, err)
	if len(a.Demographics) != 1 || a.Demographics["sex"].ID != sex || len(a.StudyDemographics["memory"]) != 2 {
		t.Errorf("%+v, %+v", a.Demographics, a.StudyDemographics)
	}
	if _, err := r.Update(t.Context(), id, participant.Form{LastName: "L"}); err != nil {
		t.Fatal(err)
	}
	versions, err := s.VersionsOf(t.Context(), a.HealthCode)
	must(t, err)
	if len(versions) != 4 {
		t.Fatalf("there are the versions %+v", versions)
	}
	last := core.ParticipantVersion{AppDemographics: core.Demographics{"sex": {Values: values("x")}}, StudyDemographics: wantStudy}
	if diff := cmp.Diff(last, core.ParticipantVersion{AppDemographics: versions[3].AppDemographics, StudyDemographics: versions[3].StudyDemographics}); diff != "" {
		t.Error(diff)
	}

	if _, err := r.ForgetDemographics(t.Context(), "memory", id, a.StudyDemographics["memory"]["pets"].ID); err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"an id of another study": func() error {
			_, err := r.ForgetDemographics(t.Context(), "", id, a.StudyDemographics["memory"]["age"].ID)
			return err
		},
		"nobody's":  func() error { _, err := r.ForgetDemographics(t.Context(), "", "none", ""); return err },
		"none":      func() error { _, err := r.ForgetDemographics(t.Context(), "sleep", id, ""); return err },
		"to nobody": func() error { _, err := r.KeepDemographics(t.Context(), "", "none", nil); return err },
	} {
		if err := call(); !errors.Is(err, core.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, err = r.ForgetDemographics(t.Context(), "memory", id, "")
	must(t, err)
	if len(a.Demographics) != 1 || len(a.StudyDemographics) != 0 {
		t.Errorf("%+v, %+v", a.Demographics, a.StudyDemographics)
	}
}

func TestWhatIsWrongWithDemographics(t *testing.T) {
	many := func(n, size int) (all []core.DemographicValue) {
		for i := range n {
			all = append(all, values(fmt.Sprintf("%0*d", size, i))...)
		}
		return all
	}
	categories := core.Demographics{}
	for i := range 101 {
		categories[fmt.Sprint(i)] = core.Demographic{Multiple: true}
	}
	const control = "none of them a control character"
	for name, test := range map[string]struct {
		given core.Demographics
		field string // empty: nothing is wrong
		want  string
	}{
		"nothing":               {nil, "", ""},
		"the longest":           {core.Demographics{strings.Repeat("é", 255): {Values: values(strings.Repeat("é", 1024)), Units: strings.Repeat("é", 255)}}, "", ""},
		"a hundred values":      {core.Demographics{"a": {Multiple: true, Values: many(100, 3)}}, "", ""},
		"no values":             {core.Demographics{"a": {Multiple: true}}, "", ""},
		"no single value":       {core.Demographics{"a": {}}, "demographics[a].values", "must be exactly one where multipleSelect is false"},
		"two single values":     {core.Demographics{"a": {Values: values("1", "2")}}, "demographics[a].values", "must be exactly one where multipleSelect is false"},
		"a blank value":         {core.Demographics{"a": {Values: values(" ")}}, "demographics[a].values", "must each have 1 to 1024 characters, " + control},
		"a long value":          {core.Demographics{"a": {Values: values(strings.Repeat("x", 1025))}}, "demographics[a].values", "must each have 1 to 1024 characters, " + control},
		"a value of two units":  {core.Demographics{"a": {Values: values(strings.Repeat("𝄞", 513))}}, "demographics[a].values", "must each have 1 to 1024 characters, " + control},
		"a control character":   {core.Demographics{"a": {Values: values("a\x00b")}}, "demographics[a].values", "must each have 1 to 1024 characters, " + control},
		"lines":                 {core.Demographics{"a": {Values: values("a\n\tb")}}, "", ""},
		"a long invalidity":     {core.Demographics{"a": {Values: []core.DemographicValue{{Value: "1", Invalidity: strings.Repeat("x", 256)}}}}, "demographics[a].values", "must have an invalidity of at most 255 characters, " + control},
		"long units":            {core.Demographics{"a": {Values: values("1"), Units: strings.Repeat("x", 256)}}, "demographics[a].units", "must be at most 255 characters, " + control},
		"too many values":       {core.Demographics{"a": {Multiple: true, Values: many(101, 3)}}, "demographics[a].values", "must be at most 100"},
		"too many categories":   {categories, "demographics", "must be at most 100 categories"},
		"a blank category":      {core.Demographics{" ": {Values: values("1")}}, "demographics", "must have categories of 1 to 255 characters, " + control},
		"a long category":       {core.Demographics{strings.Repeat("x", 256): {Values: values("1")}}, "demographics", "must have categories of 1 to 255 characters, " + control},
		"a category twice":      {core.Demographics{"a": {Values: values("1")}, " a": {Values: values("1")}}, "demographics[a]", "must be there once"},
		"more than is kept":     {core.Demographics{"a": {Multiple: true, Values: many(80, 1024)}}, "demographics", "must be at most 64 KiB of text"},
		"the same value often":  {core.Demographics{"a": {Multiple: true, Values: append(many(100, 3), many(100, 3)...)}}, "", ""},
		"one value, said twice": {core.Demographics{"a": {Values: values("1", " 1")}}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := newRoster(t)
			_, err := r.KeepDemographics(t.Context(), "memory", somebody(t, r), test.given)
			var invalid *core.Invalid
			if errors.As(err, &invalid) != (test.field != "") || test.field == "" && err != nil {
				t.Fatalf("got %v", err)
			}
			if test.field == "" {
				return
			}
			if diff := cmp.Diff(map[string][]string{test.field: {test.field + " " + test.want}}, invalid.Fields); diff != "" || invalid.Entity != "DemographicUser" {
				t.Error(diff, invalid.Entity)
			}
		})
	}
}
