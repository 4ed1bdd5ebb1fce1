package schema_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"footbridge/core/schema"

	"pgregory.net/rapid"
)

// Every row of the table that the field knows, with values of our own, and what
// lies beside its edges. want is empty where there is no canonical value.
func TestCanonicalValues(t *testing.T) {
	for _, c := range []struct {
		field schema.Type
		raw   string
		want  string
	}{
		{schema.Boolean, ``, ``},
		{schema.Boolean, `null`, `null`},
		{schema.AttachmentBlob, `"up-1-walk"`, `"up-1-walk"`},
		{schema.AttachmentCSV, `"up-1-walk"`, `"up-1-walk"`},
		{schema.AttachmentJSONBlob, `"up-1-walk"`, `"up-1-walk"`},
		{schema.AttachmentJSONTable, `"up-1-walk"`, `"up-1-walk"`},
		{schema.AttachmentV2, `"up-1-walk"`, `"up-1-walk"`},
		{schema.InlineJSON, `{"a": [1, null]}`, `{"a": [1, null]}`},
		{schema.LargeText, `"up-1-walk"`, `"up-1-walk"`},

		{schema.Boolean, `0`, `false`},
		{schema.Boolean, `-0`, `false`},
		{schema.Boolean, `7`, `true`},
		{schema.Boolean, `-7`, `true`},
		{schema.Boolean, `123456789012345678901234567890`, `true`},
		{schema.Boolean, `"false"`, `false`},
		{schema.Boolean, `"FaLsE"`, `false`},
		{schema.Boolean, `"true"`, `true`},
		{schema.Boolean, `"TRUE"`, `true`},
		{schema.Boolean, `""`, `error`},
		{schema.Boolean, `"No"`, `error`},
		{schema.Boolean, `false`, `false`},
		{schema.Boolean, `true`, `true`},
		{schema.Boolean, `2.5`, `error`},
		{schema.Boolean, `1e0`, `error`},
		{schema.Boolean, `[true]`, `error`},

		{schema.CalendarDate, `20240229`, `error`},
		{schema.CalendarDate, `""`, `error`},
		{schema.CalendarDate, `"Leap day, 2024"`, `error`},
		{schema.CalendarDate, `"2024-02-29"`, `"2024-02-29"`},
		{schema.CalendarDate, `"2024-02-29T23:59+0900"`, `"2024-02-29"`},
		{schema.CalendarDate, `"2024-02-29, early"`, `"2024-02-29"`},
		{schema.CalendarDate, `"2023-02-29"`, `error`},
		{schema.CalendarDate, `"2024-2-9"`, `"2024-02-09"`},

		{schema.Duration, `90`, `error`},
		{schema.Duration, `""`, `error`},
		{schema.Duration, `"an hour"`, `error`},
		{schema.Duration, `"PT90M"`, `"PT90M"`},
		{schema.Duration, `"pt0h5m"`, `"PT5M"`},
		{schema.Duration, `"P1Y2M3W4DT5H6M7.008S"`, `"P1Y2M3W4DT5H6M7.008S"`},
		{schema.Duration, `"PT1,5S"`, `"PT1.500S"`},
		{schema.Duration, `"PT-0.25S"`, `"PT-0.250S"`},
		{schema.Duration, `"P0D"`, `"PT0S"`},
		{schema.Duration, `"P"`, `error`},
		{schema.Duration, `"P1DT"`, `error`},
		{schema.Duration, `"P1H"`, `error`},
		{schema.Duration, `"PT99999999999S"`, `error`},

		{schema.Float, `36.60`, `36.60`},
		{schema.Float, `37`, `37`},
		{schema.Float, `"36.60"`, `36.60`},
		{schema.Float, `"37"`, `37`},
		{schema.Float, `"+.5e3"`, `0.5e3`},
		{schema.Float, `"007."`, `7`},
		{schema.Float, `""`, `error`},
		{schema.Float, `"."`, `error`},
		{schema.Float, `" 1"`, `error`},
		{schema.Float, `"warm"`, `error`},
		{schema.Float, `"NaN"`, `error`},
		{schema.Float, `true`, `error`},

		{schema.Int, `72`, `72`},
		{schema.Int, `-0`, `0`},
		{schema.Int, `72.9`, `72`},
		{schema.Int, `-72.9`, `-72`},
		{schema.Int, `7.29e1`, `72`},
		{schema.Int, `7e-9`, `0`},
		{schema.Int, `0.00725e4`, `72`},
		{schema.Int, `"72"`, `72`},
		{schema.Int, `"72.9"`, `72`},
		{schema.Int, `1e23`, `100000000000000000000000`},
		{schema.Int, `1e999999999`, `error`},
		{schema.Int, `"1e9999999"`, `error`},
		{schema.Int, `""`, `error`},
		{schema.Int, `"seventy"`, `error`},
		{schema.Int, `false`, `error`},

		{schema.MultiChoice, `"[2, 4]"`, `error`},
		{schema.MultiChoice, `{"a":1}`, `error`},
		{schema.MultiChoice, `[]`, `[]`},
		{schema.MultiChoice, `[2, 2.50, false, "Can't say"]`, `["2","2.50","false","Can_t say"]`},
		{schema.MultiChoice, `[".left..right", "€5"]`, `["_left.right","_5"]`},
		{schema.MultiChoice, `[{"a": 1}, null]`, `["__a__1_",null]`},

		{schema.SingleChoice, `["tennis"]`, `"tennis"`},
		{schema.SingleChoice, `[]`, `error`},
		{schema.SingleChoice, `["tennis","golf"]`, `error`},
		{schema.SingleChoice, `[ 17 ]`, `"17"`},
		{schema.SingleChoice, `[null]`, `null`},
		{schema.SingleChoice, `"tennis"`, `"tennis"`},
		{schema.SingleChoice, `17`, `"17"`},

		{schema.String, `"as <is>"`, `"as <is>"`},
		{schema.String, `80`, `"80"`},
		{schema.String, `{"a": [1]}`, `"{\"a\":[1]}"`},

		{schema.Time, `1830`, `error`},
		{schema.Time, `""`, `error`},
		{schema.Time, `"half past six"`, `error`},
		{schema.Time, `"18:30:15.25"`, `"18:30:15.250"`},
		{schema.Time, `"18:30"`, `"18:30:00.000"`},
		{schema.Time, `"T18:30:15"`, `"18:30:15.000"`},
		{schema.Time, `"2024-02-29T18:30:15.250-0500"`, `"18:30:15.250"`},
		{schema.Time, `"25:00"`, `error`},

		{schema.Timestamp, `true`, `error`},
		{schema.Timestamp, `1709231415250`, `"2024-02-29T18:30:15.250Z"`},
		{schema.Timestamp, `1709231415250.9`, `"2024-02-29T18:30:15.250Z"`},
		{schema.Timestamp, `-1`, `"1969-12-31T23:59:59.999Z"`},
		{schema.Timestamp, `1e300`, `error`},
		{schema.Timestamp, `99999999999999999999`, `error`},
		{schema.Timestamp, `""`, `error`},
		{schema.Timestamp, `"2024-02-29"`, `error`},
		{schema.Timestamp, `"Feb 29 2024 6:30pm"`, `error`},
		{schema.Timestamp, `"2024-02-29T18:30:15.250Z"`, `"2024-02-29T18:30:15.250Z"`},
		{schema.Timestamp, `"2024-02-29T18:30:15-05:00"`, `"2024-02-29T18:30:15.000-05:00"`},
		{schema.Timestamp, `"2024-02-29T18:30+0545"`, `"2024-02-29T18:30:00.000+05:45"`},
		{schema.Timestamp, `"2024-02-29 18:30:15 -0500"`, `"2024-02-29T18:30:15.000-05:00"`},

		{schema.Type(""), `1`, `error`},
	} {
		got, err := schema.Canonical(schema.Field{Name: "f", Type: c.field}, json.RawMessage(c.raw))
		switch {
		case c.want == "error" && err == nil:
			t.Errorf("%s as %s: got %s, want an error", c.raw, c.field, got)
		case c.want != "error" && (err != nil || string(got) != c.want):
			t.Errorf("%s as %s: got %s, %v; want %s", c.raw, c.field, got, err, c.want)
		}
	}
}

var everyType = []schema.Type{schema.AttachmentBlob, schema.AttachmentCSV, schema.AttachmentJSONBlob, schema.AttachmentJSONTable,
	schema.AttachmentV2, schema.Boolean, schema.CalendarDate, schema.Duration, schema.Float, schema.InlineJSON, schema.Int,
	schema.LargeText, schema.MultiChoice, schema.SingleChoice, schema.String, schema.Time, schema.Timestamp}

// values draws JSON of any kind, and what is nearly right for some type.
func values(t *rapid.T) json.RawMessage {
	raw := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return encode(t, rapid.String().Draw(t, "text")) }),
		rapid.Custom(func(t *rapid.T) string {
			return encode(t, rapid.StringMatching(`[-+]?[0-9]{0,4}(\.[0-9]{0,4})?([eE][-+]?[0-9]{1,3})?`).Draw(t, "number as text"))
		}),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,4})?([eE][-+]?[0-9]{1,9})?`),
		rapid.Custom(func(t *rapid.T) string {
			return encode(t, rapid.StringMatching(`P([-+]?\d{1,3}[YMWD]){0,4}(T([-+]?\d{1,3}[HMS]){0,3})?`).Draw(t, "period"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return encode(t, rapid.StringMatching(`(20[0-9]{2}-[01]?[0-9]-[0-3]?[0-9])?[T ]?[0-2][0-9](:[0-6][0-9](:[0-6][0-9]([.,][0-9]{1,4})?)?)?( ?[-+][01][0-9]:?[0-5][0-9]|Z)?`).Draw(t, "time"))
		}),
		rapid.Custom(func(t *rapid.T) string { return encode(t, rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "list")) }),
		rapid.SampledFrom([]string{`null`, `true`, `false`, `[null]`, `[[1]]`, `{"a":{"b":[1,2]}}`, `"TRUE"`, `[]`, `{}`}),
	).Draw(t, "value")
	return json.RawMessage(raw)
}

func encode(t *rapid.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCanonicalValuesStayWhatTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		field := schema.Field{Name: "f", Type: rapid.SampledFrom(everyType).Draw(t, "type")}
		raw := values(t)
		once, err := schema.Canonical(field, raw)
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("%s as %s: got %s, which is no JSON", raw, field.Type, once)
		}
		twice, err := schema.Canonical(field, once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s as %s: first %s, then %s, %v", raw, field.Type, once, twice, err)
		}
	})
}

func TestComplaintsDoNotTellTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[a-z]{3}[0-9]{6}`).Draw(t, "secret")
		field := schema.Field{Name: "f", Type: rapid.SampledFrom(everyType).Draw(t, "type"), Choices: []string{"a"}}
		data := map[string]json.RawMessage{"f": json.RawMessage(rapid.SampledFrom([]string{`"` + secret + `"`,
			`["` + secret + `"]`, `{"a":"` + secret + `"}`, `["` + secret + `",2]`}).Draw(t, "value"))}
		_, problems := schema.Schema{Fields: []schema.Field{field}}.Validate(data)
		for _, p := range problems {
			if strings.Contains(p.Message, secret) || !strings.Contains(p.Message, "f") {
				t.Fatalf("got %q", p.Message)
			}
		}
	})
}

func TestOffsetsAreKept(t *testing.T) {
	for text, want := range map[string]string{
		"2024-02-29T18:30:15.250-05:00": "-0500 2024-02-29T18:30:15.250-05:00",
		"2024-02-29T18:30:15Z":          "+0000 2024-02-29T18:30:15.000Z",
		"2024-02-29T18:30":              "+0000 2024-02-29T18:30:00.000Z",
		"2024-02-29":                    "+0000 2024-02-29T00:00:00.000Z",
		"2024-02-29 18:30:15 +0545":     "+0545 2024-02-29T18:30:15.000+05:45",
		"0099-02-28T18:30Z":             "",
		"9999-12-31T23:30-0700":         "", // is of the year 10000 elsewhere
		"Tuesday morning":               "",
		"":                              "",
	} {
		at, err := schema.Moment(text)
		got := ""
		if err == nil {
			got = schema.Offset(at) + " " + schema.FormatMoment(at)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
