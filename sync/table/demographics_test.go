package table_test

import (
	"bytes"
	"testing"

	"footbridge/core"
	"footbridge/sync/table"

	"github.com/google/go-cmp/cmp"
)

func demographics() []core.DemographicRow {
	return []core.DemographicRow{
		{HealthCode: "aaa", Version: 2, Category: "pets"},
		{HealthCode: "aaa", Version: 2, Study: "sleep", Category: "weight", Value: "4000", Units: "kg", Invalidity: `larger than "500"`},
		{HealthCode: "bbb", Version: 10, Category: "ethnicity", Value: "asian, white\nor both"},
	}
}

func TestDemographicsCSV(t *testing.T) {
	var got bytes.Buffer
	if err := table.WriteDemographicsCSV(&got, demographics()); err != nil {
		t.Fatal(err)
	}
	want := `healthCode,participantVersion,studyId,demographicCategoryName,demographicValue,demographicUnits,demographicInvalidity
aaa,2,,pets,,,
aaa,2,sleep,weight,4000,kg,"larger than ""500"""
bbb,10,,ethnicity,"asian, white
or both",,
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestDemographicsParquet(t *testing.T) {
	var out bytes.Buffer
	if err := table.WriteDemographicsParquet(&out, demographics()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"healthCode required STRING", "participantVersion required INT(64,true)", "studyId optional STRING", "demographicCategoryName required STRING",
		"demographicValue optional STRING", "demographicUnits optional STRING", "demographicInvalidity optional STRING",
	}
	if diff := cmp.Diff(want, describe(open(t, out.Bytes()))); diff != "" {
		t.Error(diff)
	}
	wantRows := [][]any{
		{"aaa", int64(2), nil, "pets", nil, nil, nil},
		{"aaa", int64(2), "sleep", "weight", "4000", "kg", `larger than "500"`},
		{"bbb", int64(10), nil, "ethnicity", "asian, white\nor both", nil, nil},
	}
	if diff := cmp.Diff(wantRows, rows(t, out.Bytes())); diff != "" {
		t.Error(diff)
	}
	agree(t, table.Demographics(demographics()))
}
