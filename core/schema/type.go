package schema

import (
	"slices"
	"strings"
)

// Type is what a field holds. It is written in lower case and read in any.
type Type string

// The types of fields.
const (
	AttachmentBlob      Type = "attachment_blob"
	AttachmentCSV       Type = "attachment_csv"
	AttachmentJSONBlob  Type = "attachment_json_blob"
	AttachmentJSONTable Type = "attachment_json_table"
	AttachmentV2        Type = "attachment_v2"
	Boolean             Type = "boolean"
	CalendarDate        Type = "calendar_date"
	Duration            Type = "duration_v2"
	Float               Type = "float"
	InlineJSON          Type = "inline_json_blob"
	Int                 Type = "int"
	LargeText           Type = "large_text_attachment"
	MultiChoice         Type = "multi_choice"
	SingleChoice        Type = "single_choice"
	String              Type = "string"
	Time                Type = "time_v2"
	Timestamp           Type = "timestamp"
)

var types = []Type{AttachmentBlob, AttachmentCSV, AttachmentJSONBlob, AttachmentJSONTable, AttachmentV2, Boolean,
	CalendarDate, Duration, Float, InlineJSON, Int, LargeText, MultiChoice, SingleChoice, String, Time, Timestamp}

// Attachment reports whether values of the type are kept beside the record,
// which has their id alone.
func (t Type) Attachment() bool {
	return t == LargeText || strings.HasPrefix(string(t), "attachment_")
}

// ContentType is the MIME type that files of the type have; empty where it may be
// any.
func (t Type) ContentType() string {
	switch t {
	case AttachmentCSV:
		return "text/csv"
	case AttachmentJSONBlob, AttachmentJSONTable:
		return "application/json"
	}
	return ""
}

// sized reports whether values of the type are text whose length a field may
// bound.
func (t Type) sized() bool { return t == InlineJSON || t == SingleChoice || t == String }

// Kind is what a v1_legacy bundle of a schema holds: data, or one file for each
// question of a survey.
type Kind string

// The kinds of schemas.
const (
	Data    Kind = "ios_data"
	Answers Kind = "ios_survey"
)

// choose finds the value that a text means in any case.
func choose[T ~string](text string, all ...T) (T, bool) {
	i := slices.IndexFunc(all, func(v T) bool { return strings.EqualFold(string(v), text) })
	if i < 0 {
		return "", false
	}
	return all[i], true
}

// names lists values for a complaint.
func names[T ~string](all []T) string {
	text := make([]string, len(all))
	for i, v := range all {
		text[i] = string(v)
	}
	return strings.Join(text, ", ")
}
