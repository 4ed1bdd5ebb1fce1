package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"footbridge/core/form"
)

// The rules here are: a schema can be a table of the repository, so its columns
// have names that the repository takes, no two of them the same, and they fit
// into a row.

const (
	bytesMax      = 50_000 // of a row
	columnsMax    = 100
	largeTextSize = 3_000 // bytes that text of any length takes of a row
	lengthDefault = 100   // characters of a text whose length is not given
)

// sizes are the bytes that a value takes of a row, where its type alone says it.
var sizes = map[Type]int{
	AttachmentBlob: 20, AttachmentCSV: 20, AttachmentJSONBlob: 20, AttachmentJSONTable: 20, AttachmentV2: 20,
	Boolean: 5, CalendarDate: 30, Duration: 72, Float: 23, Int: 20, LargeText: largeTextSize, Time: 36, Timestamp: 35,
}

// Check holds a schema against the rules. Errors: *core.Invalid, by the path of
// what breaks them.
func (s Schema) Check() error {
	r := reader{form.Of("UploadSchema")}
	if strings.TrimSpace(s.Name) == "" {
		r.Complain("name", "is required")
	}
	r.checkID("schemaId", s.ID)
	if s.Revision <= 0 {
		r.Complain("revision", "must be positive")
	}
	if s.Kind == "" {
		r.Complain("schemaType", "is required")
	}
	for system, oldest := range s.MinAppVersions {
		if newest, ok := s.MaxAppVersions[system]; ok && oldest > newest {
			r.Complain("minAppVersions{"+system+"}", "cannot be greater than that of maxAppVersions")
		}
	}
	r.checkFields(s.Fields)
	return r.Err()
}

// checkID holds an id against what a row's key can be.
func (r reader) checkID(path, id string) {
	switch {
	case strings.TrimSpace(id) == "":
		r.Complain(path, "is required")
	case id == "default":
		r.Complain(path, "cannot be default: that word is reserved")
	case len(id) > idMax || strings.ContainsFunc(id, unicode.IsControl):
		r.Complain(path, "must have at most %d bytes and no control characters", idMax)
	}
}

func (r reader) checkFields(fields []Field) {
	const path = "fieldDefinitions"
	var columns []string
	size, count := 0, 0
	for i, f := range fields {
		r.checkField(form.At(path, i), f)
		columns = append(columns, f.columns()...)
		b, n := f.room()
		size, count = size+b, count+n
	}
	slices.Sort(columns)
	var twice []string
	for i, name := range columns {
		if i > 0 && name == columns[i-1] {
			twice = append(twice, name)
		}
	}
	if twice = slices.Compact(twice); len(twice) > 0 {
		r.Complain(path, "have the same name, or name the same column, more than once: %s", strings.Join(twice, ", "))
	}
	if size > bytesMax {
		r.Complain(path, "cannot be greater than %d bytes combined: they take %d", bytesMax, size)
	}
	if count > columnsMax {
		r.Complain(path, "cannot be greater than %d columns combined: they take %d", columnsMax, count)
	}
}

func (r reader) checkField(path string, f Field) {
	switch {
	case strings.TrimSpace(f.Name) == "":
		r.Complain(path+".name", "is required")
	case reserved(f.Name):
		r.Complain(path+".name", "cannot be %s: that name is reserved", f.Name)
	case !validName(f.Name):
		r.Complain(path+".name", nameRule)
	}
	if f.Type == "" {
		r.Complain(path+".type", "is required")
	}
	if f.Type == MultiChoice && len(f.Choices) == 0 {
		r.Complain(path+".multiChoiceAnswerList", "must be given for a field of type %s", MultiChoice)
	}
	for i, choice := range f.Choices {
		if f.Type == MultiChoice && !validChoice(choice) {
			r.Complain(form.At(path+".multiChoiceAnswerList", i), nameRule)
		}
	}
	if f.MaxLength != nil && *f.MaxLength <= 0 {
		r.Complain(path+".maxLength", "must be positive")
	}
	if f.unbounded() && f.MaxLength != nil {
		r.Complain(path+".unboundedText", "cannot be true where maxLength is given")
	}
}

// columns are the names that a field takes: its own, and those of the parts that
// it is written as.
func (f Field) columns() []string {
	if f.Name == "" {
		return nil
	}
	names := []string{f.Name}
	if f.Type == Timestamp {
		names = append(names, f.Name+".timezone")
	}
	if f.Type != MultiChoice {
		return names
	}
	for _, choice := range f.Choices {
		names = append(names, f.Name+"."+choice)
	}
	if f.others() {
		names = append(names, f.Name+".other")
	}
	return names
}

// room is how much of a row a field takes.
func (f Field) room() (bytes, columns int) {
	switch {
	case f.Type == "":
		return 0, 0
	case f.Type == MultiChoice && f.others():
		return 5*len(f.Choices) + largeTextSize, len(f.Choices) + 1
	case f.Type == MultiChoice:
		return 5 * len(f.Choices), len(f.Choices)
	case f.Type.sized() && f.unbounded():
		return largeTextSize, 1
	case f.Type.sized():
		return 3 * f.length(), 1
	case f.Type == Timestamp:
		return sizes[Timestamp], 2
	}
	return sizes[f.Type], 1
}

// length is how many characters a text of the field may have.
func (f Field) length() int {
	if f.MaxLength != nil {
		return max(*f.MaxLength, 0)
	}
	return lengthDefault
}

// String names a revision.
func (s Schema) String() string { return fmt.Sprintf("%s revision %d", s.ID, s.Revision) }
