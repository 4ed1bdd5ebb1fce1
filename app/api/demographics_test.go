package api_test

import (
	"testing"

	"footbridge/core"
)

const (
	ownDemographics   = "/v3/participants/self/demographics"
	ownInStudy        = "/v5/studies/" + testStudy + "/participants/self/demographics"
	staffDemographics = members + "/externalid:p1/demographics"
)

// What participants and staff say of them is one thing, makes a version each time
// that it differs, and is told as it was given.
func TestDemographics(t *testing.T) {
	s := newSite(t, nil)
	token, staff, worker := s.participant("p1"), s.staff(core.RoleResearcher), s.staff(core.RoleWorker)
	s.call("GET", ownInStudy, token, nil).want(t, 404, `"entityClass":"DemographicUser"`)
	inStudy := `{"demographics": {
		"age": {"multipleSelect": false, "values": [41], "units": "years"},
		"handed": {"values": [{"left": true, "right": 1.50, "none": null}, null, true]},
		"pets": {"multipleSelect": true, "values": []},
		"weight": {"multipleSelect": false, "values": [{"value": "4000", "invalidity": "larger than 500", "type": "DemographicValue"}], "units": null}}, "extra": 1}`
	kept := s.call("POST", ownInStudy, token, inStudy).want(t, 200)
	kept.golden(t, "demographics")
	s.call("GET", ownInStudy, token, nil).want(t, 200).golden(t, "demographics")
	s.call("GET", staffDemographics, staff, nil).want(t, 200).golden(t, "demographics")
	s.call("POST", staffDemographics, staff, kept.raw).want(t, 200).golden(t, "demographics") // what was answered may be sent back
	s.call("GET", members+"/demographics?pageSize=1", staff, nil).want(t, 200).golden(t, "demographics-list")

	s.call("GET", ownDemographics, token, nil).want(t, 404)
	s.call("POST", "/v3/participants/externalid:p1/demographics", staff, `{"demographics":{"sex":{"multipleSelect":false,"values":["f"]}}}`).want(t, 200)
	s.call("GET", ownDemographics, token, nil).want(t, 200, `"sex":{"id":"`, `"values":[{"value":"f","type":"DemographicValue"}]`)
	s.call("GET", "/v3/participants/demographics", staff, nil).want(t, 200, `"total":1`)

	a, err := s.store.AccountByLogin(t.Context(), core.ExternalLogin("p1"))
	if err != nil {
		t.Fatal(err)
	}
	versions := "/v1/apps/" + testApp + "/participants/externalid:p1/versions"
	s.call("GET", versions, worker, nil).wantCodes(t, 200, []core.HealthCode{a.HealthCode}, `"total":3`)
	s.call("GET", versions+"/latest", worker, nil).wantCodes(t, 200, []core.HealthCode{a.HealthCode}).golden(t, "version-demographics")

	pets := kept.text("demographics", "pets", "id")
	s.call("DELETE", ownInStudy+"/"+pets, token, nil).want(t, 200, "StatusMessage")
	s.call("DELETE", staffDemographics+"/"+pets, staff, nil).want(t, 404, "No such demographics")
	s.call("DELETE", ownDemographics+"/"+kept.text("demographics", "age", "id"), token, nil).want(t, 404)
	s.call("DELETE", staffDemographics, staff, nil).want(t, 200)
	s.call("DELETE", ownInStudy, token, nil).want(t, 404)
	s.call("GET", members+"/demographics", staff, nil).want(t, 200, `"items":[]`)
	s.call("GET", ownDemographics, token, nil).want(t, 200)
	s.call("GET", versions, worker, nil).wantCodes(t, 200, []core.HealthCode{a.HealthCode}, `"total":5`)
}

func TestDemographicsThatAreRefused(t *testing.T) {
	s := newSite(t, nil)
	token, staff := s.participant("p1"), s.staff(core.RoleResearcher)
	s.call("POST", ownInStudy, token, `{"demographics":{"age":{"multipleSelect":false,"values":[41]}}}`).want(t, 200)
	for name, row := range map[string]struct{ body, words string }{
		"nothing":           {`{}`, `"demographics":["demographics is required"]`},
		"null":              {`{"demographics":{"age":null}}`, `"demographics[age]":["demographics[age] cannot be null"]`},
		"no values":         {`{"demographics":{"age":{}}}`, `"demographics[age].values":["demographics[age].values is required"]`},
		"values in a list":  {`{"demographics":{"age":{"values":[["41"]]}}}`, `"demographics[age].values":["demographics[age].values must each be a string, a number, true, false or an object of these"]`},
		"deep values":       {`{"demographics":{"age":{"values":[{"a":{"b":1}}]}}}`, `must each be a string`},
		"a deep value":      {`{"demographics":{"age":{"values":[{"value":["a"]}]}}}`, `must each be a string`},
		"deep words":        {`{"demographics":{"age":{"values":[{"value":"a","invalidity":{}}]}}}`, `must each be a string`},
		"a value, no list":  {`{"demographics":{"age":{"values":"41"}}}`, `fields: demographics.values`},
		"units":             {`{"demographics":{"age":{"values":[],"units":7}}}`, `fields: demographics.units`},
		"none of one value": {`{"demographics":{"age":{"multipleSelect":false,"values":[null]}}}`, `must be exactly one where multipleSelect is false`},
		"no category":       {`{"demographics":{"":{"values":[]}}}`, `must have categories of 1 to 255 characters`},
	} {
		t.Run(name, func(t *testing.T) {
			for who, path := range map[string]string{token: ownInStudy, staff: staffDemographics} {
				s.call("POST", path, who, row.body).want(t, 400, `"type":"InvalidEntityException"`, row.words)
			}
		})
	}
	s.call("GET", ownInStudy, token, nil).want(t, 200, `"value":"41"`)
	s.call("POST", "/v5/studies/none/participants/externalid:p1/demographics", staff, `{"demographics":{}}`).want(t, 404)
	s.call("GET", "/v5/studies/none/participants/demographics", staff, nil).want(t, 404)
	admin := "email:admin@example.org"
	s.staff(core.RoleAdmin)
	s.call("POST", "/v3/participants/"+admin+"/demographics", staff, `{"demographics":{}}`).want(t, 403, "this needs the role admin")
}
