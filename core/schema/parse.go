package schema

import (
	"encoding/json"

	"footbridge/core/form"
)

// document is a schema as it comes.
type document struct {
	Name            form.Value `json:"name"`
	ID              form.Value `json:"schemaId"`
	Revision        form.Value `json:"revision"`
	Kind            form.Value `json:"schemaType"`
	Fields          form.Value `json:"fieldDefinitions"`
	SurveyGUID      form.Value `json:"surveyGuid"`
	SurveyCreatedOn form.Value `json:"surveyCreatedOn"`
	MinAppVersions  form.Value `json:"minAppVersions"`
	MaxAppVersions  form.Value `json:"maxAppVersions"`
	ModuleID        form.Value `json:"moduleId"`
	ModuleVersion   form.Value `json:"moduleVersion"`
	Deleted         form.Value `json:"deleted"`
	Version         form.Value `json:"version"`
	Published       form.Value `json:"published"`
}

// definition is a field as it comes.
type definition struct {
	AllowOtherChoices form.Value `json:"allowOtherChoices"`
	FileExtension     form.Value `json:"fileExtension"`
	MaxLength         form.Value `json:"maxLength"`
	MimeType          form.Value `json:"mimeType"`
	Choices           form.Value `json:"multiChoiceAnswerList"`
	Name              form.Value `json:"name"`
	Required          form.Value `json:"required"`
	Type              form.Value `json:"type"`
	UnboundedText     form.Value `json:"unboundedText"`
}

// Parse reads a schema document. What it does not know is ignored, and what is
// missing is left to Check. Errors: *core.Invalid, by the path of what is of
// another kind than it must be.
func Parse(text []byte) (Schema, error) {
	r := reader{form.Of("UploadSchema")}
	var d document
	if !r.object(text, &d) {
		return Schema{}, r.Invalid
	}
	s := Schema{
		Name:            r.Text("name", d.Name),
		ID:              r.Text("schemaId", d.ID),
		Revision:        r.number("revision", d.Revision),
		SurveyGUID:      r.Text("surveyGuid", d.SurveyGUID),
		SurveyCreatedOn: r.Time("surveyCreatedOn", d.SurveyCreatedOn),
		MinAppVersions:  r.versions("minAppVersions", d.MinAppVersions),
		MaxAppVersions:  r.versions("maxAppVersions", d.MaxAppVersions),
		ModuleID:        r.Text("moduleId", d.ModuleID),
		ModuleVersion:   r.number("moduleVersion", d.ModuleVersion),
		Version:         r.number("version", d.Version),
		Published:       r.Flag("published", d.Published),
	}
	if deleted := r.Flag("deleted", d.Deleted); deleted != nil {
		s.Deleted = *deleted
	}
	if text := r.Text("schemaType", d.Kind); text != "" {
		var ok bool
		if s.Kind, ok = choose(text, Data, Answers); !ok {
			r.Complain("schemaType", "must be %s or %s", Data, Answers)
		}
	}
	for i, v := range r.list("fieldDefinitions", d.Fields) {
		s.Fields = append(s.Fields, r.field(form.At("fieldDefinitions", i), v))
	}
	return s, r.Err()
}

// field reads one field.
func (r reader) field(path string, v form.Value) Field {
	var d definition
	if v == nil || json.Unmarshal(v, &d) != nil {
		r.Complain(path, "must be an object")
		return Field{}
	}
	f := Field{
		AllowOtherChoices: r.Flag(path+".allowOtherChoices", d.AllowOtherChoices),
		FileExtension:     r.Text(path+".fileExtension", d.FileExtension),
		MimeType:          r.Text(path+".mimeType", d.MimeType),
		Choices:           r.texts(path+".multiChoiceAnswerList", d.Choices),
		Name:              r.Text(path+".name", d.Name),
		Required:          true,
		UnboundedText:     r.Flag(path+".unboundedText", d.UnboundedText),
	}
	if d.MaxLength != nil {
		f.MaxLength = new(r.number(path+".maxLength", d.MaxLength))
	}
	if required := r.Flag(path+".required", d.Required); required != nil {
		f.Required = *required
	}
	if text := r.Text(path+".type", d.Type); text != "" {
		var ok bool
		if f.Type, ok = choose(text, types...); !ok {
			r.Complain(path+".type", "must be one of %s", names(types))
		}
	}
	return f
}

// versions gives app versions by operating system; one that is null is left out.
func (r reader) versions(path string, v form.Value) map[string]int {
	if v == nil {
		return nil
	}
	var all map[string]form.Value
	if json.Unmarshal(v, &all) != nil {
		r.Complain(path, "must be an object")
	}
	versions := map[string]int{}
	for system, v := range all {
		if v != nil {
			versions[system] = r.number(path+"."+system, v)
		}
	}
	return versions
}
