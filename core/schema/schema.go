package schema

import (
	"encoding/json"
	"time"

	"footbridge/core"
)

// Schema is one revision of the description of what bundles of one kind hold.
// Its JSON is that of the API, and of the store.
type Schema struct {
	Name            string         `json:"name"`
	ID              string         `json:"schemaId"`
	Revision        int            `json:"revision"` // from 1
	Kind            Kind           `json:"schemaType"`
	Fields          []Field        `json:"fieldDefinitions"`
	SurveyGUID      string         `json:"surveyGuid,omitempty"` // of the survey whose answers it takes
	SurveyCreatedOn time.Time      `json:"-"`                    // surveyCreatedOn; zero where there is none
	MinAppVersions  map[string]int `json:"minAppVersions"`       // operating system → the oldest app that uses it
	MaxAppVersions  map[string]int `json:"maxAppVersions"`
	ModuleID        string         `json:"moduleId,omitempty"` // of the shared module it was taken from
	ModuleVersion   int            `json:"moduleVersion,omitempty"`
	Deleted         bool           `json:"deleted"`
	Version         int            `json:"version"` // counts changes of this revision
	Published       *bool          `json:"published,omitempty"`
}

// Field describes one value of a record's data. What is nil was not said.
type Field struct {
	AllowOtherChoices *bool    `json:"allowOtherChoices,omitempty"`
	FileExtension     string   `json:"fileExtension,omitempty"`
	MaxLength         *int     `json:"maxLength,omitempty"` // characters; tells how wide a column is, cuts nothing
	MimeType          string   `json:"mimeType,omitempty"`
	Choices           []string `json:"multiChoiceAnswerList"`
	Name              string   `json:"name"`
	Required          bool     `json:"required"`
	Type              Type     `json:"type"`
	UnboundedText     *bool    `json:"unboundedText,omitempty"`
}

// AnswersField is the name of the field that takes all answers of a survey.
const AnswersField = "answers"

// Field finds a field by its name.
func (s Schema) Field(name string) (Field, bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// others reports whether the field takes answers that are not among its choices.
func (f Field) others() bool { return f.AllowOtherChoices != nil && *f.AllowOtherChoices }

// unbounded reports whether the field takes text of any length.
func (f Field) unbounded() bool { return f.UnboundedText != nil && *f.UnboundedText }

// MarshalJSON writes the schema as the API has it, its lists never null.
func (s Schema) MarshalJSON() ([]byte, error) {
	type plain Schema
	whole := struct {
		plain
		SurveyCreatedOn string `json:"surveyCreatedOn,omitempty"`
		Type            string `json:"type"`
	}{plain: plain(s), Type: "UploadSchema"}
	if !s.SurveyCreatedOn.IsZero() {
		whole.SurveyCreatedOn = core.FormatTime(s.SurveyCreatedOn)
	}
	if whole.Fields == nil {
		whole.Fields = []Field{}
	}
	if whole.MinAppVersions == nil {
		whole.MinAppVersions = map[string]int{}
	}
	if whole.MaxAppVersions == nil {
		whole.MaxAppVersions = map[string]int{}
	}
	return json.Marshal(whole)
}

// MarshalJSON writes the field as the API has it, its choices never null.
func (f Field) MarshalJSON() ([]byte, error) {
	type plain Field
	if f.Choices == nil {
		f.Choices = []string{}
	}
	return json.Marshal(plain(f))
}

// UnmarshalJSON reads what MarshalJSON wrote, and what Parse reads.
func (s *Schema) UnmarshalJSON(text []byte) error {
	read, err := Parse(text)
	if err == nil {
		*s = read
	}
	return err
}
