package schema

import (
	"encoding/json"

	"footbridge/core"
)

// document is a schema as it comes.
type document struct {
	Name            value `json:"name"`
	ID              value `json:"schemaId"`
	Revision        value `json:"revision"`
	Kind            value `json:"schemaType"`
	Fields          value `json:"fieldDefinitions"`
	SurveyGUID      value `json:"surveyGuid"`
	SurveyCreatedOn value `json:"surveyCreatedOn"`
	MinAppVersions  value `json:"minAppVersions"`
	MaxAppVersions  value `json:"maxAppVersions"`
	ModuleID        value `json:"moduleId"`
	ModuleVersion   value `json:"moduleVersion"`
	Deleted         value `json:"deleted"`
	Version         value `json:"version"`
	Published       value `json:"published"`
}

// definition is a field as it comes.
type definition struct {
	AllowOtherChoices value `json:"allowOtherChoices"`
	FileExtension     value `json:"fileExtension"`
	MaxLength         value `json:"maxLength"`
	MimeType          value `json:"mimeType"`
	Choices           value `json:"multiChoiceAnswerList"`
	Name              value `json:"name"`
	Required          value `json:"required"`
	Type              value `json:"type"`
	UnboundedText     value `json:"unboundedText"`
}

// Parse reads a schema document. What it does not know is ignored, and what is
// missing is left to Check. Errors: *core.Invalid, by the path of what is of
// another kind than it must be.
func Parse(text []byte) (Schema, error) {
	invalid := &core.Invalid{Entity: "UploadSchema"}
	r := reader{invalid}
	var d document
	if !r.object(text, &d) {
		return Schema{}, invalid
	}
	s := Schema{
		Name:            r.text("name", d.Name),
		ID:              r.text("schemaId", d.ID),
		Revision:        r.number("revision", d.Revision),
		SurveyGUID:      r.text("surveyGuid", d.SurveyGUID),
		SurveyCreatedOn: r.time("surveyCreatedOn", d.SurveyCreatedOn),
		MinAppVersions:  r.versions("minAppVersions", d.MinAppVersions),
		MaxAppVersions:  r.versions("maxAppVersions", d.MaxAppVersions),
		ModuleID:        r.text("moduleId", d.ModuleID),
		ModuleVersion:   r.number("moduleVersion", d.ModuleVersion),
		Version:         r.number("version", d.Version),
		Published:       r.flag("published", d.Published),
	}
	if deleted := r.flag("deleted", d.Deleted); deleted != nil {
		s.Deleted = *deleted
	}
	if text := r.text("schemaType", d.Kind); text != "" {
		var ok bool
		if s.Kind, ok = choose(text, Data, Answers); !ok {
			r.complain("schemaType", "must be %s or %s", Data, Answers)
		}
	}
	for i, v := range r.list("fieldDefinitions", d.Fields) {
		s.Fields = append(s.Fields, r.field(at("fieldDefinitions", i), v))
	}
	return s, invalid.Err()
}

// field reads one field.
func (r reader) field(path string, v value) Field {
	var d definition
	if v == nil || json.Unmarshal(v, &d) != nil {
		r.complain(path, "must be an object")
		return Field{}
	}
	f := Field{
		AllowOtherChoices: r.flag(path+".allowOtherChoices", d.AllowOtherChoices),
		FileExtension:     r.text(path+".fileExtension", d.FileExtension),
		MimeType:          r.text(path+".mimeType", d.MimeType),
		Choices:           r.texts(path+".multiChoiceAnswerList", d.Choices),
		Name:              r.text(path+".name", d.Name),
		Required:          true,
		UnboundedText:     r.flag(path+".unboundedText", d.UnboundedText),
	}
	if d.MaxLength != nil {
		f.MaxLength = new(r.number(path+".maxLength", d.MaxLength))
	}
	if required := r.flag(path+".required", d.Required); required != nil {
		f.Required = *required
	}
	if text := r.text(path+".type", d.Type); text != "" {
		var ok bool
		if f.Type, ok = choose(text, types...); !ok {
			r.complain(path+".type", "must be one of %s", names(types))
		}
	}
	return f
}

// versions gives app versions by operating system; one that is null is left out.
func (r reader) versions(path string, v value) map[string]int {
	if v == nil {
		return nil
	}
	var all map[string]value
	if json.Unmarshal(v, &all) != nil {
		r.complain(path, "must be an object")
	}
	versions := map[string]int{}
	for system, v := range all {
		if v != nil {
			versions[system] = r.number(path+"."+system, v)
		}
	}
	return versions
}
