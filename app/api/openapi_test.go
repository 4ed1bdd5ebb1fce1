package api_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"footbridge/app/api/openapi"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// document is the API document, loaded and checked once.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.FileBodyDecoder)
	return loaded, loaded.Validate(context.Background(), openapi3.IsOpenAPI31OrLater(), openapi3.EnableExamplesValidation())
})

// Every route is described, and nothing is described that is no route.
func TestTheDocumentKnowsEveryRoute(t *testing.T) {
	d, err := document()
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, nil)
	routes := []string{"PUT /put/{id}", "OPTIONS /put/{id}"}
	for _, pattern := range s.server.Patterns() {
		if pattern = strings.TrimSuffix(pattern, "{$}"); pattern != "/" && !strings.Contains(pattern, " /local/") {
			routes = append(routes, pattern)
		}
	}
	var described []string
	for path, item := range d.Paths.Map() {
		for method, operation := range item.Operations() {
			if !strings.HasPrefix(path, "/local/") {
				described = append(described, method+" "+path)
			}
			if operation.Summary == "" || len(operation.Tags) != 1 {
				t.Errorf("%s %s has no summary or not one tag", method, path)
			}
		}
	}
	for _, route := range routes {
		if !slices.Contains(described, route) {
			t.Errorf("%s is not described", route)
		}
	}
	for _, route := range described {
		if !slices.Contains(routes, route) {
			t.Errorf("%s is described but no route", route)
		}
	}
}

// seen remembers what a handler answers.
type seen struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (s *seen) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

func (s *seen) Write(p []byte) (int, error) {
	s.body.Write(p)
	return s.ResponseWriter.Write(p)
}

// Unwrap gives the writer itself (http.ResponseController).
func (s *seen) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// described holds every answer of a handler against the document.
func described(t testing.TB, h http.Handler) http.Handler {
	d, err := document()
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &seen{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		_, path, _ := strings.Cut(r.Pattern, " ")
		if r.Pattern == "/put/" {
			path = "/put/{id}"
		}
		item := d.Paths.Value(strings.TrimSuffix(path, "{$}"))
		if item == nil || item.GetOperation(r.Method) == nil || answer.status == http.StatusNotModified {
			return // another test holds the routes against the document
		}
		input := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{
				Request: r, Route: &routers.Route{Spec: d, Path: path, PathItem: item, Method: r.Method, Operation: item.GetOperation(r.Method)},
			},
			Status: answer.status, Header: answer.Header(),
			Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
		}
		if err := openapi3filter.ValidateResponse(context.Background(), input.SetBodyBytes(answer.body.Bytes())); err != nil {
			t.Errorf("%s %s answered %d %s, which is not as described: %v", r.Method, path, answer.status, answer.body.String(), err)
		}
	})
}
