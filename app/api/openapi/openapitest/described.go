package openapitest

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"footbridge/app/api/openapi"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// load loads and checks the document once.
var load = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/jsonl", openapi3filter.FileBodyDecoder)
	return loaded, loaded.Validate(context.Background(), openapi3.IsOpenAPI31OrLater(), openapi3.EnableExamplesValidation())
})

// Document gives the document, which is valid, with its examples.
func Document(t testing.TB) *openapi3.T {
	t.Helper()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return d
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

// answered is what an answer is known by.
type answered struct {
	method, path, kind, body string
	status                   int
}

// Described holds every answer of the API's handler against the document, each that is
// the same byte for byte once: a schema is made anew for each look at it.
func Described(t testing.TB, h http.Handler) http.Handler {
	t.Helper()
	d := Document(t)
	var held sync.Map // by answered
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &seen{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		_, path, _ := strings.Cut(r.Pattern, " ")
		if r.Pattern == "/put/" {
			path = "/put/{id}"
		}
		item := d.Paths.Value(strings.TrimSuffix(path, "{$}"))
		if item == nil || item.GetOperation(r.Method) == nil || answer.status == http.StatusNotModified {
			return // that every route is in the document is held elsewhere
		}
		is := answered{r.Method, path, answer.Header().Get("Content-Type"), answer.body.String(), answer.status}
		if _, known := held.LoadOrStore(is, true); known {
			return
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
