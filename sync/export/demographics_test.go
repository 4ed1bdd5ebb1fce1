package export_test

import (
	"encoding/json"
	"testing"

	"footbridge/core"
	"footbridge/sync/export"
)

func TestDemographicsLookLikeThis(t *testing.T) {
	versions := []core.ParticipantVersion{
		{HealthCode: "bbb", Version: 1, AppDemographics: core.Demographics{"sex": {Values: []core.DemographicValue{{Value: "f"}}}}},
		{HealthCode: "aaa", Version: 10, StudyDemographics: map[core.StudyID]core.Demographics{
			"walk":  {"age": {Values: []core.DemographicValue{{Value: "41"}}, Units: "years"}},
			"sleep": {"weight": {Values: []core.DemographicValue{{Value: "4000", Invalidity: "larger than 500"}}, Units: "kg"}, "pets": {Multiple: true}},
		}},
		{HealthCode: "aaa", Version: 2, AppDemographics: core.Demographics{
			"ethnicity": {Multiple: true, Values: []core.DemographicValue{{Value: "asian"}, {Value: "white"}}}, "ancestry": {Multiple: true},
		}},
		{HealthCode: "ccc", Version: 1},
	}
	for name, visible := range map[string]core.StudyID{"demographics": "", "demographics-sleep": "sleep"} {
		text, err := json.MarshalIndent(export.Demographics(versions, visible), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".json", append(text, '\n'))
	}
}
