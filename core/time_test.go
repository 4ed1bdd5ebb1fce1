package core_test

import (
	"testing"

	"footbridge/core"
)

func TestTimesAsDevicesWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"2026-05-12T08:00:00.000Z":         "2026-05-12T08:00:00.000Z",
		"2026-05-12T08:00:00.123456789Z":   "2026-05-12T08:00:00.123Z",
		"2026-05-12T08:00:00+02:00":        "2026-05-12T06:00:00.000Z",
		"2026-05-12T08:00:00.5-0700":       "2026-05-12T15:00:00.500Z",
		"2026-05-12T08:00:00,5+01":         "2026-05-12T07:00:00.500Z",
		"2026-05-12T08:00Z":                "2026-05-12T08:00:00.000Z",
		"2026-05-12T08":                    "2026-05-12T08:00:00.000Z",
		"2026-05-12":                       "2026-05-12T00:00:00.000Z",
		"":                                 "",
		"yesterday":                        "",
		"2026-13-12T08:00:00Z":             "",
		"0999-12-31T23:59:59Z":             "",
		"9999-12-31T23:59:59-01:00":        "",
		"1000-01-01T00:00:00Z":             "1000-01-01T00:00:00.000Z",
		"2026-05-12T08:00:00Z and no more": "",
	} {
		got, err := core.ParseTime(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q is %s", text, core.FormatTime(got))
			}
		} else if err != nil || core.FormatTime(got) != want {
			t.Errorf("%q is %s, %v, want %s", text, core.FormatTime(got), err, want)
		}
	}
}
