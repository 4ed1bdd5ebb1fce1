package api_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/core"
)

const walkSchema = `{"name":"Walk","schemaId":"walk","schemaType":"IOS_DATA","fieldDefinitions":[{"name":"steps","type":"int"},
	{"name":"shoes","type":"MULTI_CHOICE","multiChoiceAnswerList":["boots","sandals"],"required":false}],"minAppVersions":{"iPhone OS":3},"unknown":1}`

// like is walkSchema with other values.
func like(other string) string { return strings.TrimSuffix(walkSchema, "}") + "," + other + "}" }

// revisions shows the schemas of a list.
func (a answer) revisions(t testing.TB) string {
	t.Helper()
	var all []string
	items, _ := a.want(t, 200, `"type":"ResourceList"`).field("items").([]any)
	for _, item := range items {
		s := item.(map[string]any)
		all = append(all, fmt.Sprintf("%v-%v", s["schemaId"], s["revision"]))
	}
	if a.field("total") != float64(len(all)) {
		t.Errorf("the total is wrong: %s", a.raw)
	}
	return strings.Join(all, " ")
}

func TestASchema(t *testing.T) {
	s := newSite(t, nil)
	developer, researcher, worker := s.staff(core.RoleDeveloper), s.staff(core.RoleResearcher), s.staff(core.RoleWorker)
	const first, walk = "/revisions/1", "/v4/uploadschemas/walk"
	s.call("GET", walk+first, developer, nil).want(t, 404, "Schema walk revision 1 was not found.", `"entityClass":"UploadSchema"`)
	s.call("GET", walk, developer, nil).want(t, 404, "Schema walk was not found.")
	s.call("GET", walk+"/recent", developer, nil).want(t, 404)

	made := s.call("POST", "/v4/uploadschemas", developer, walkSchema).want(t, 201)
	made.golden(t, "schema")
	s.call("POST", "/v4/uploadschemas", developer, like(`"revision":1`)).want(t, 409, "EntityAlreadyExistsException", "Leave the revision out")
	for path, token := range map[string]string{
		"/v3/uploadschemas/walk/recent": researcher, walk + "/recent": developer, "/v3/uploadschemas/walk" + first: worker, walk + first: researcher,
		"/v1/apps/self/uploadschemas/walk" + first: worker, "/v1/apps/" + testApp + "/uploadschemas/walk" + first: worker,
	} {
		if got := s.call("GET", path, token, nil).want(t, 200); got.raw != made.raw {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	s.call("GET", "/v1/apps/other/uploadschemas/walk"+first, worker, nil).want(t, 404, `"entityClass":"App"`)

	// What the path says counts, and what was read is what is changed.
	s.call("POST", walk+first, developer, like(`"schemaId":"run","revision":7,"version":1,"name":"Walk on"`)).want(t, 200, `"schemaId":"walk"`, `"revision":1`, `"version":2`, "Walk on")
	s.call("POST", walk+first, developer, like(`"version":1`)).want(t, 409, "ConcurrentModificationException")
	s.call("POST", walk+first, developer, like(`"fieldDefinitions":[{"name":"steps","type":"boolean"}]`)).want(t, 400, "BadRequestException",
		"Schema walk revision 1 cannot be changed so: field steps cannot change its type from int to boolean; field shoes is missing. Make a new revision instead.")
	s.call("POST", walk+"/revisions/2", developer, walkSchema).want(t, 404)
	s.call("POST", walk+first, developer, like(`"name":""`)).want(t, 400, "InvalidEntityException", `"errors":{"name":["name is required"]}`)
	s.call("POST", "/v4/uploadschemas", developer, `{"fieldDefinitions":[{"name":"row_id"}]}`).want(t, 400, `"fieldDefinitions[0].name"`, `"fieldDefinitions[0].type"`, `"schemaId"`, `"schemaType"`)
	s.call("POST", "/v4/uploadschemas", developer, `{`).want(t, 400, "Error parsing JSON in request body")
	for _, revision := range []string{"0", "-1", "x", "99999999999"} {
		s.call("GET", walk+"/revisions/"+revision, developer, nil).want(t, 400, "must be a whole number from 1")
	}
}

func TestRevisionsOfASchema(t *testing.T) {
	s := newSite(t, nil)
	developer, admin := s.staff(core.RoleDeveloper), s.staff(core.RoleAdmin)
	s.call("POST", "/v3/uploadschemas", developer, like(`"revision":1`)).want(t, 409, "ConcurrentModificationException")
	s.call("POST", "/v3/uploadschemas", developer, walkSchema).want(t, 201, `"revision":1`)
	s.call("POST", "/v3/uploadschemas", developer, walkSchema).want(t, 409, "ConcurrentModificationException")
	s.call("POST", "/v3/uploadschemas", developer, like(`"revision":1,"fieldDefinitions":[]`)).want(t, 201, `"revision":2`, `"version":1`)
	s.call("POST", "/v4/uploadschemas", developer, like(`"revision":11`)).want(t, 201, `"revision":11`)
	s.call("POST", "/v4/uploadschemas", developer, like(`"schemaId":"a b/ü"`)).want(t, 201, `"revision":1`)
	s.call("GET", "/v3/uploadschemas/a%20b%2F%C3%BC/recent", developer, nil).want(t, 200, `"schemaId":"a b/ü"`)

	list := func(path string) string { return s.call("GET", path, developer, nil).revisions(t) }
	same := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, version := range []string{"/v3", "/v4"} {
		same(list(version+"/uploadschemas"), "a b/ü-1 walk-11")
		same(list(version+"/uploadschemas/walk"), "walk-11 walk-2 walk-1")
	}
	s.call("GET", "/v4/uploadschemas/walk?includeDeleted=maybe", developer, nil).want(t, 400, "includeDeleted must be true or false")

	// What is deleted is in no list, but is found by whoever names it.
	s.call("DELETE", "/v4/uploadschemas/walk/revisions/11", developer, nil).want(t, 200, "StatusMessage")
	s.call("DELETE", "/v3/uploadschemas/walk/revisions/11", developer, nil).want(t, 404)
	s.call("GET", "/v4/uploadschemas/walk/revisions/11", developer, nil).want(t, 200, `"deleted":true`)
	s.call("POST", "/v4/uploadschemas/walk/revisions/11", developer, walkSchema).want(t, 404)
	s.call("GET", "/v3/uploadschemas/walk/recent", developer, nil).want(t, 200, `"revision":2`)
	same(list("/v4/uploadschemas/walk"), "walk-2 walk-1")
	same(list("/v4/uploadschemas?includeDeleted=true"), "a b/ü-1 walk-11")
	s.call("GET", "/v4/uploadschemas/walk?includeDeleted=true", developer, nil).want(t, 200).golden(t, "schemas")
	s.call("DELETE", "/v3/uploadschemas/walk", developer, nil).want(t, 200)
	s.call("DELETE", "/v3/uploadschemas/walk", developer, nil).want(t, 404)
	same(list("/v4/uploadschemas"), "a b/ü-1")
	s.call("GET", "/v4/uploadschemas/walk", developer, nil).want(t, 404)

	// Only an administrator removes for good; a developer who asks for it deletes.
	s.call("DELETE", "/v3/uploadschemas/a%20b%2F%C3%BC?physical=true", developer, nil).want(t, 200, "Whoever names it still finds it.")
	same(list("/v4/uploadschemas?includeDeleted=true"), "a b/ü-1 walk-11")
	s.call("DELETE", "/v3/uploadschemas/a%20b%2F%C3%BC?physical=true", admin, nil).want(t, 200, "removed for good")
	s.call("DELETE", "/v4/uploadschemas/walk/revisions/11?physical=true", admin, nil).want(t, 200)
	same(list("/v4/uploadschemas?includeDeleted=true"), "walk-2")
	s.call("DELETE", "/v4/uploadschemas/walk/revisions/11?physical=true", admin, nil).want(t, 404)
}
