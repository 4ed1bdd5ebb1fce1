package synapsetest

import (
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Value is the annotation of one key.
type Value struct {
	Type  string   `json:"type"` // STRING, DOUBLE, LONG, TIMESTAMP_MS or BOOLEAN
	Value []string `json:"value"`
}

type annotations struct {
	ID          string           `json:"id,omitempty"`
	Etag        string           `json:"etag,omitempty"`
	Annotations map[string]Value `json:"annotations"`
}

func (s *Server) routeAnnotations() {
	s.route("GET /repo/v1/entity/{id}/annotations2", "view", func(c *call) (int, any, error) {
		e, err := s.find(c, c.PathValue("id"), "READ")
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, annotationsOf(e), nil
	})
	s.route("PUT /repo/v1/entity/{id}/annotations2", "modify", func(c *call) (int, any, error) {
		var all annotations
		if err := c.decode(&all); err != nil {
			return 0, nil, err
		}
		e, err := s.find(c, c.PathValue("id"), "UPDATE")
		switch {
		case err != nil:
			return 0, nil, err
		case all.ID != e.ID:
			return 0, nil, bad("The path ID does not match the annotations' ID")
		case all.Etag != e.Etag:
			return 0, nil, stale(e.ID)
		}
		if err := legalAnnotations(all.Annotations); err != nil {
			return 0, nil, err
		}
		e.annotations = map[string]Value{}
		s.merge(e, all.Annotations)
		return http.StatusOK, annotationsOf(e), nil
	})
}

func annotationsOf(e *entity) annotations {
	return annotations{ID: e.ID, Etag: e.Etag, Annotations: maps.Clone(e.annotations)}
}

// merge adds annotations that are legal.
func (s *Server) merge(e *entity, all map[string]Value) {
	maps.Copy(e.annotations, all)
	e.Etag = s.etag()
	s.note("annotations", e.ID)
}

const (
	maxKeys   = 100
	maxValues = 100
	maxText   = 500 // UTF-16 units of all values of a key
)

var keyRule = regexp.MustCompile(`^[a-zA-Z0-9,_.]+$`)

// legalAnnotations says what is wrong with annotations.
func legalAnnotations(all map[string]Value) error {
	if len(all) > maxKeys {
		return bad("Exceeded maximum number of annotation keys: " + strconv.Itoa(maxKeys))
	}
	for key, value := range all {
		switch {
		case strings.TrimSpace(key) == "":
			return bad("Annotation names cannot be empty strings")
		case !keyRule.MatchString(key):
			return bad("Invalid annotation name: '" + key + "'. Annotation names may only contain: letters, numbers, '_' and '.'")
		case key == "_accessRequirementIds":
			return bad("Invalid annotation name: '" + key + "'. It is reserved")
		case value.Value == nil:
			return bad("Annotation value is missing for key=" + key)
		case len(value.Value) > maxValues:
			return bad("Exceeded maximum number of values per annotation key: " + key)
		}
		if err := legalValue(key, value); err != nil {
			return err
		}
	}
	return nil
}

func legalValue(key string, value Value) error {
	length := 0
	for _, text := range value.Value {
		var err error
		switch value.Type {
		case "STRING":
			length += len(utf16.Encode([]rune(text)))
		case "LONG", "TIMESTAMP_MS":
			_, err = strconv.ParseInt(text, 10, 64)
		case "DOUBLE":
			_, err = strconv.ParseFloat(text, 64)
		case "BOOLEAN":
			if text != "true" && text != "false" {
				err = strconv.ErrSyntax
			}
		default:
			return bad("No enum constant AnnotationsValueType." + value.Type)
		}
		if err != nil {
			return bad("Value associated with key=" + key + " is not valid for type=" + value.Type + ": " + text)
		}
	}
	if length > maxText {
		return bad("The total length of values of key=" + key + " exceeds the limit of " + strconv.Itoa(maxText) + " characters: " + value.Value[0])
	}
	return nil
}
