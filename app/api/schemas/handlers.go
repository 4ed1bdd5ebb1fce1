package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/library"
	"footbridge/core/schema"
)

// Handlers answers the routes about schemas and surveys. Safe for concurrent use.
type Handlers struct {
	call.Door
	Library *library.Desk
}

// Routes lists the routes.
func (h *Handlers) Routes() []call.Route {
	routes := []call.Route{
		{Pattern: "POST /v3/uploadschemas", Answer: h.reviseSchema, Deed: core.DeedSchemaCreated},
		{Pattern: "POST /v4/uploadschemas", Answer: h.createSchema, Deed: core.DeedSchemaCreated},
		{Pattern: "POST /v4/uploadschemas/{schemaId}/revisions/{revision}", Answer: h.updateSchema, Deed: core.DeedSchemaChanged},
		{Pattern: "GET /v1/apps/{app}/uploadschemas/{schemaId}/revisions/{revision}", Answer: h.schemaForWorker},

		{Pattern: "POST /v3/surveys", Answer: h.createSurvey, Deed: core.DeedSurveyCreated},
		{Pattern: "GET /v3/surveys", Answer: h.surveys},
		{Pattern: "GET /v3/surveys/recent", Answer: h.surveys},
		{Pattern: "GET /v3/surveys/published", Answer: h.publishedSurveys},
		{Pattern: "GET /v3/surveys/{surveyGuid}/revisions", Answer: h.versions},
		{Pattern: "GET /v3/surveys/{surveyGuid}/revisions/recent", Answer: h.recentSurvey},
		{Pattern: "GET /v3/surveys/{surveyGuid}/revisions/published", Answer: h.publishedSurvey},
		{Pattern: "GET /v3/surveys/{surveyGuid}/revisions/{createdOn}", Answer: h.survey},
		{Pattern: "POST /v3/surveys/{surveyGuid}/revisions/{createdOn}", Answer: h.updateSurvey, Deed: core.DeedSurveyChanged},
		{Pattern: "POST /v3/surveys/{surveyGuid}/revisions/{createdOn}/version", Answer: h.versionSurvey, Deed: core.DeedSurveyChanged},
		{Pattern: "POST /v3/surveys/{surveyGuid}/revisions/{createdOn}/publish", Answer: h.publishSurvey, Deed: core.DeedSurveyPublished},
		{Pattern: "DELETE /v3/surveys/{surveyGuid}/revisions/{createdOn}", Answer: h.deleteSurvey, Deed: core.DeedSurveyDeleted},
	}
	for _, at := range []string{"/v3/uploadschemas", "/v4/uploadschemas"} {
		routes = append(routes,
			call.Route{Pattern: "GET " + at, Answer: h.schemas},
			call.Route{Pattern: "GET " + at + "/{schemaId}", Answer: h.revisions},
			call.Route{Pattern: "GET " + at + "/{schemaId}/recent", Answer: h.recentSchema},
			call.Route{Pattern: "GET " + at + "/{schemaId}/revisions/{revision}", Answer: h.schema},
			call.Route{Pattern: "DELETE " + at + "/{schemaId}", Answer: h.deleteSchema, Deed: core.DeedSchemaDeleted},
			call.Route{Pattern: "DELETE " + at + "/{schemaId}/revisions/{revision}", Answer: h.deleteRevision, Deed: core.DeedSchemaDeleted})
	}
	for i, route := range routes {
		routes[i].Answer = func(w http.ResponseWriter, r *http.Request) error { return described(route.Answer(w, r)) }
	}
	return routes
}

// readers are the members of staff who see what there is.
func readers() []core.Role { return []core.Role{core.RoleDeveloper, core.RoleResearcher} }

// users are those who need one edition to make sense of data.
func users() []core.Role { return append(readers(), core.RoleWorker) }

// document reads a document that a developer sends. Errors: those of Require, 400.
func (h *Handlers) document(r *http.Request) (json.RawMessage, error) {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return nil, err
	}
	var document json.RawMessage
	err := call.Read(r, &document)
	return document, err
}

// forGood lets developers delete, and reports whether what they delete is to be
// removed: where an administrator says so. Errors: those of Require, 400.
func (h *Handlers) forGood(r *http.Request) (bool, error) {
	caller, err := h.Require(r, core.RoleDeveloper)
	if err != nil {
		return false, err
	}
	physical, err := call.Flag(r, "physical")
	return physical && account.Has(caller, core.RoleAdmin), err
}

// writeDeleted answers that something was deleted, and how.
func writeDeleted(w http.ResponseWriter, what string, forGood bool) error {
	text := what + " deleted. Whoever names it still finds it."
	if forGood {
		text = what + " removed for good."
	}
	call.Write(w, http.StatusOK, call.StatusMessage(text))
	return nil
}

// writeList answers a reader's question for a list.
func writeList[T any](h *Handlers, w http.ResponseWriter, r *http.Request, list func(deletedToo bool) ([]T, error)) error {
	if _, err := h.Require(r, readers()...); err != nil {
		return err
	}
	deletedToo, err := call.Flag(r, "includeDeleted")
	if err != nil {
		return err
	}
	all, err := list(deletedToo)
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, call.ResourceList(all, map[string]any{"includeDeleted": deletedToo}))
	return nil
}

// write answers with a document.
func write[T any](w http.ResponseWriter, status int, v T, err error) error {
	if err != nil {
		return err
	}
	call.Write(w, status, v)
	return nil
}

// described puts into words what the library says; other errors stay.
func described(err error) error {
	var incompatible *schema.Incompatible
	var taken *schema.Taken
	switch {
	case errors.As(err, &incompatible):
		return call.BadRequest(fmt.Sprintf("Schema %s.", incompatible))
	case errors.As(err, &taken):
		text := taken.Error()
		return call.BadRequest(strings.ToUpper(text[:1]) + text[1:] + ".")
	case errors.Is(err, library.ErrPublished):
		return &call.Error{Status: http.StatusBadRequest, Kind: "PublishedSurveyException", Entity: "Survey",
			Text: "This version of the survey is published already and cannot be changed. Make a new version of it, and change that."}
	case errors.Is(err, core.ErrNotFound):
		if e := call.Describe(err); e.EntityClass == "Schema" {
			return call.NotFound("UploadSchema", e.Message) // as clients know it
		}
	}
	return err
}
