package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"footbridge/app/analysis"
	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/keys"
	"footbridge/app/projects"
	"footbridge/sync/remote"
	"footbridge/sync/synapse"
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

// testRepository writes, reads, compares and deletes a file of its own.
func (h *Handlers) testRepository(r *http.Request) (any, error) {
	var asked RepositoryTest
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil && !errors.Is(err, io.EOF) {
		return nil, api.BadRequest("The request is no JSON object with repository.")
	}
	spec := h.Projects.Folders().Spec()
	if asked.Repository != "" {
		spec = asked.Repository
	}
	if why := config.CheckRepository(spec); why != "" {
		return nil, api.BadRequest("The repository " + why + ".")
	}
	tested, err := Try(r.Context(), h.Projects, h.Ring, spec)
	if err != nil {
		return nil, api.BadRequest("The repository cannot be used: " + err.Error() + ".")
	}
	return tested, nil
}

// Try tries out the repository that a spec names, and sums up. Errors: it names none.
func Try(ctx context.Context, keeper *projects.Keeper, ring *keys.Ring, spec string) (RepositoryTested, error) {
	tested, err := probe(ctx, keeper, ring, spec)
	tested.OK = err == nil
	for _, check := range tested.Checks {
		tested.OK = tested.OK && check.OK
	}
	return tested, err
}

// probe tries out the repository that a spec names. Errors: it names none.
func probe(ctx context.Context, keeper *projects.Keeper, ring *keys.Ring, spec string) (RepositoryTested, error) {
	if endpoint, ok := strings.CutPrefix(spec, projects.SynapseSpec); ok {
		return probeSynapse(ctx, keeper, ring, spec, endpoint)
	}
	named, err := keeper.Folders().Named(ctx, spec)
	if kind := remote.TroubleOf(err); kind != remote.Unclear {
		check := remote.Check{Step: "reach", Text: err.Error(), Trouble: kind, Advice: kind.Advice()}
		return RepositoryTested{Repository: config.Shown(spec), Checks: []remote.Check{check}}, nil
	}
	if err != nil {
		return RepositoryTested{}, err
	}
	return RepositoryTested{Repository: named.String(), Checks: named.Probe(ctx)}, nil
}

// probeSynapse does so where it is Synapse, in the project of a study if there is one.
func probeSynapse(ctx context.Context, keeper *projects.Keeper, ring *keys.Ring, spec, endpoint string) (RepositoryTested, error) {
	tested := RepositoryTested{Repository: spec}
	client, err := synapse.Open(endpoint, synapse.Config{Token: ring.RepositoryToken, Retries: 1, Timeout: 20 * time.Second})
	if err != nil {
		return tested, err
	}
	defer client.Close()
	project := ""
	if spec == keeper.Folders().Spec() {
		if project, err = keeper.AnyEntity(ctx); err != nil {
			return tested, err
		}
	}
	for _, step := range analysis.Probe(ctx, client, project) {
		check := remote.Check{Step: step.Name, OK: step.Err == nil, Text: step.Text}
		if step.Err != nil {
			kind := synapse.TroubleOf(step.Err)
			check.Text, check.Trouble = step.Err.Error(), remote.Trouble(kind)
			check.Advice = cmp.Or(kind.Advice(), "Check the endpoint, and run the test again.")
			if _, err := ring.RepositoryToken(ctx); kind == synapse.NoToken && err != nil {
				check.Text = err.Error() // it knows where it looked
			}
		}
		tested.Checks = append(tested.Checks, check)
	}
	return tested, nil
}
