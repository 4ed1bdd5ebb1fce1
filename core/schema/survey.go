package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/core/form"
)

// Survey is one version of a survey. Its JSON is that of the API, and of the
// store; what is not read of a document here is kept as it came.
type Survey struct {
	Identifier     string // that of the schema of its answers
	GUID           string // the same in all versions
	CreatedOn      time.Time
	ModifiedOn     time.Time
	Name           string
	SchemaRevision int // of the schema that takes the answers to this version; 0 before it is published
	Published      bool
	Deleted        bool
	Version        int // counts changes of this version
	Elements       []Element
	Rest           map[string]json.RawMessage
}

// Element is a question of a survey, or a screen between questions.
type Element struct {
	Type       string
	Identifier string // of a question: the name that its answer has
	GUID       string
	Document   json.RawMessage // all of it, as it came
}

// WithGUID gives the element under a guid, its document too.
func (e Element) WithGUID(guid string) Element {
	whole := map[string]json.RawMessage{}
	json.Unmarshal(e.Document, &whole) // it is an object
	whole[keyGUID] = quote(guid)
	e.GUID = guid
	e.Document, _ = json.Marshal(whole) // of what was JSON
	return e
}

// InfoScreen is the type of an element that asks nothing. Every other asks.
const InfoScreen = "SurveyInfoScreen"

// Its own keys in the document. The others are kept in Rest.
const (
	keyIdentifier = "identifier"
	keyGUID       = "guid"
	keyCreatedOn  = "createdOn"
	keyModifiedOn = "modifiedOn"
	keyName       = "name"
	keyRevision   = "schemaRevision"
	keyPublished  = "published"
	keyDeleted    = "deleted"
	keyVersion    = "version"
	keyElements   = "elements"
	keyType       = "type"
)

// ParseSurvey reads a survey document. What is missing is left to Check. Errors:
// *core.Invalid, by the path of what is of another kind than it must be.
func ParseSurvey(text []byte) (Survey, error) {
	r := reader{form.Of("Survey")}
	var rest map[string]json.RawMessage
	if !r.object(text, &rest) {
		return Survey{}, r.Invalid
	}
	delete(rest, keyType)
	take := func(key string) form.Value {
		raw := bytes.TrimSpace(rest[key])
		delete(rest, key)
		if string(raw) == "null" {
			return nil
		}
		return form.Value(raw)
	}
	s := Survey{
		Identifier:     r.Text(keyIdentifier, take(keyIdentifier)),
		GUID:           r.Text(keyGUID, take(keyGUID)),
		CreatedOn:      r.Time(keyCreatedOn, take(keyCreatedOn)),
		ModifiedOn:     r.Time(keyModifiedOn, take(keyModifiedOn)),
		Name:           r.Text(keyName, take(keyName)),
		SchemaRevision: r.number(keyRevision, take(keyRevision)),
		Version:        r.number(keyVersion, take(keyVersion)),
	}
	for key, to := range map[string]*bool{keyPublished: &s.Published, keyDeleted: &s.Deleted} {
		if flag := r.Flag(key, take(key)); flag != nil {
			*to = *flag
		}
	}
	for i, v := range r.list(keyElements, take(keyElements)) {
		s.Elements = append(s.Elements, r.element(form.At(keyElements, i), v))
	}
	maps.DeleteFunc(rest, func(_ string, raw json.RawMessage) bool { return string(raw) == "null" })
	if len(rest) > 0 {
		s.Rest = rest
	}
	return s, r.Err()
}

func (r reader) element(path string, v form.Value) Element {
	var d struct{ Type, Identifier, GUID form.Value }
	if v == nil || json.Unmarshal(v, &d) != nil {
		r.Complain(path, "must be an object")
		return Element{}
	}
	return Element{
		Type:       r.Text(path+".type", d.Type),
		Identifier: r.Text(path+".identifier", d.Identifier),
		GUID:       r.Text(path+".guid", d.GUID),
		Document:   json.RawMessage(v),
	}
}

// Check holds a survey against what the schema of its answers needs. How its
// questions are asked is between the survey and the app. Errors: *core.Invalid,
// by the path of what is wrong.
func (s Survey) Check() error {
	r := reader{form.Of("Survey")}
	if strings.TrimSpace(s.Name) == "" {
		r.Complain(keyName, "is required")
	}
	r.checkID(keyIdentifier, s.Identifier)
	r.checkID(keyGUID, s.GUID)
	identifiers, guids := map[string]bool{}, map[string]bool{"": true}
	for i, e := range s.Elements {
		path := form.At(keyElements, i, keyIdentifier)
		switch {
		case strings.TrimSpace(e.Identifier) == "":
			r.Complain(path, "is required")
		case e.Type != InfoScreen && reserved(e.Identifier):
			r.Complain(path, "cannot be %s: that name is reserved", e.Identifier)
		case e.Type != InfoScreen && e.Identifier == AnswersField:
			r.Complain(path, "cannot be %s: all answers together have that name", AnswersField)
		case e.Type != InfoScreen && !validName(e.Identifier):
			r.Complain(path, nameRule)
		case identifiers[e.Identifier]:
			r.Complain(path, "is that of an earlier element")
		}
		if e.GUID != "" && guids[e.GUID] {
			r.Complain(form.At(keyElements, i, keyGUID), "is that of an earlier element")
		}
		identifiers[e.Identifier], guids[e.GUID] = true, true
	}
	return r.Err()
}

// MarshalJSON writes the survey as the API has it.
func (s Survey) MarshalJSON() ([]byte, error) {
	whole := map[string]any{
		keyIdentifier: s.Identifier, keyGUID: s.GUID, keyName: s.Name, keyPublished: s.Published,
		keyDeleted: s.Deleted, keyVersion: s.Version, keyType: "Survey",
	}
	if s.SchemaRevision != 0 {
		whole[keyRevision] = s.SchemaRevision
	}
	for key, t := range map[string]time.Time{keyCreatedOn: s.CreatedOn, keyModifiedOn: s.ModifiedOn} {
		if !t.IsZero() {
			whole[key] = core.FormatTime(t)
		}
	}
	elements := make([]json.RawMessage, len(s.Elements))
	for i, e := range s.Elements {
		elements[i] = e.Document
	}
	whole[keyElements] = elements
	for key, raw := range s.Rest {
		if _, own := whole[key]; !own {
			whole[key] = raw
		}
	}
	return json.Marshal(whole)
}

// UnmarshalJSON reads what MarshalJSON wrote, and what ParseSurvey reads.
func (s *Survey) UnmarshalJSON(text []byte) error {
	read, err := ParseSurvey(text)
	if err == nil {
		*s = read
	}
	return err
}
