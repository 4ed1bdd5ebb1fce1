package schema

import (
	"fmt"
	"slices"
	"strings"
)

// The rules here are: a revision may change as long as data that is there fits
// the columns that follow. Fields and choices may come and not go, text may grow
// and not shrink, and a type may become one that every old value can be read as.

// becomes says which types a type may become.
var becomes = map[Type][]Type{
	AttachmentBlob:      {AttachmentV2},
	AttachmentCSV:       {AttachmentV2},
	AttachmentJSONBlob:  {AttachmentV2},
	AttachmentJSONTable: {AttachmentV2},
	CalendarDate:        {SingleChoice, String},
	Duration:            {SingleChoice, String},
	Float:               {InlineJSON, SingleChoice, String},
	InlineJSON:          {SingleChoice, String},
	Int:                 {Float, InlineJSON, SingleChoice, String, Timestamp},
	SingleChoice:        {String},
	String:              {SingleChoice},
	Time:                {SingleChoice, String},
}

// lengths are the characters of the longest text that a value can be written as.
var lengths = map[Type]int{CalendarDate: 10, Duration: 24, Float: 22, Int: 20, Time: 12}

// Incompatible says why a revision cannot be changed so.
type Incompatible struct {
	Schema  string   // which revision
	Reasons []string // in the order of the fields
}

// Error joins the reasons.
func (i *Incompatible) Error() string {
	return fmt.Sprintf("%s cannot be changed so: %s. Make a new revision instead", i.Schema, strings.Join(i.Reasons, "; "))
}

// Change reports whether a revision may become next. Errors: *Incompatible, with
// every reason.
func (s Schema) Change(next Schema) error {
	why := &Incompatible{Schema: s.String()}
	say := func(format string, args ...any) { why.Reasons = append(why.Reasons, fmt.Sprintf(format, args...)) }
	if s.ModuleID != "" {
		say("it belongs to a shared module")
	}
	if s.Kind != next.Kind {
		say("schemaType cannot change")
	}
	for _, before := range s.Fields {
		after, ok := next.Field(before.Name)
		if !ok {
			say("field %s is missing", before.Name)
			continue
		}
		for _, reason := range before.change(after) {
			say("field %s %s", before.Name, reason)
		}
	}
	if len(why.Reasons) == 0 {
		return nil
	}
	return why
}

// change says why a field cannot become next, which has the same name.
func (f Field) change(next Field) []string {
	var why []string
	if f.Type != next.Type && !slices.Contains(becomes[f.Type], next.Type) {
		why = append(why, fmt.Sprintf("cannot change its type from %s to %s", f.Type, next.Type))
	}
	if f.others() && !next.others() {
		why = append(why, "cannot stop to allow other choices")
	}
	for _, choice := range f.Choices {
		if !slices.Contains(next.Choices, choice) {
			why = append(why, fmt.Sprintf("cannot lose its choice %s", choice))
		}
	}
	if f.unbounded() && !next.unbounded() {
		why = append(why, "cannot stop to take text of any length")
	}
	same := f.MaxLength == nil && next.MaxLength == nil || f.MaxLength != nil && next.MaxLength != nil && *f.MaxLength == *next.MaxLength
	if next.Type.sized() && !next.unbounded() && !same && next.length() < f.longest() {
		why = append(why, fmt.Sprintf("cannot shrink from %d to %d characters", f.longest(), next.length()))
	}
	return why
}

// longest is how many characters the values have that may be there.
func (f Field) longest() int {
	if n, ok := lengths[f.Type]; ok && f.MaxLength == nil {
		return n
	}
	return f.length()
}
