package appliance

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/sync/remote"
)

// RepositoryTest asks the API to try a repository out.
type RepositoryTest struct {
	Repository string `json:"repository"` // as settings name it; empty: that of the settings
}

// RepositoryTested is what came of it.
type RepositoryTested struct {
	Repository string         `json:"repository"` // for people; without secrets
	OK         bool           `json:"ok"`
	Checks     []remote.Check `json:"checks"`
}

// localRepositoryTest writes, reads, compares and deletes a file of its own.
func (a *Appliance) localRepositoryTest(r *http.Request) (any, error) {
	var asked RepositoryTest
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil && !errors.Is(err, io.EOF) {
		return nil, api.BadRequest("The request is no JSON object with repository.")
	}
	spec := a.repository.spec()
	if asked.Repository != "" {
		spec = asked.Repository
	}
	if why := config.CheckRepository(spec); why != "" {
		return nil, api.BadRequest("The repository " + why + ".")
	}
	named, err := a.repository.named(r.Context(), spec)
	if err != nil {
		return nil, api.BadRequest("The repository cannot be used: " + err.Error() + ".")
	}
	tested := RepositoryTested{Repository: named.String(), OK: true, Checks: named.Probe(r.Context())}
	for _, check := range tested.Checks {
		tested.OK = tested.OK && check.OK
	}
	return tested, nil
}
