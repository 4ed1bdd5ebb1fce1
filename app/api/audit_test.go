package api_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"footbridge/app/api"
	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

// What staff do is in the audit once it is done: who, from where, and with what. What
// is refused is not, nor what participants do for themselves.
func TestDeedsOfStaff(t *testing.T) {
	var told []core.Deed
	s := newSite(t, func(_ *site, c *api.Config) {
		c.Audit = func(_ context.Context, d core.Deed) error { told = append(told, d); return nil }
	})
	coordinator, worker := s.staff(core.RoleStudyCoordinator), s.staff(core.RoleWorker)
	owner := s.participant("p1")
	told = nil
	sleep := "/v5/studies/" + testStudy
	s.call("POST", sleep+"/participants", coordinator, map[string]any{"externalId": "p2", "password": password}).want(t, 201)
	s.call("POST", sleep+"/participants", coordinator, map[string]any{"externalId": "p2", "password": password}).want(t, 409)
	s.call("POST", sleep+"/participants", worker, map[string]any{"externalId": "p3", "password": password}).want(t, 403)
	s.call("POST", sleep+"/participants", "", nil).want(t, 401)
	s.call("DELETE", sleep+"/enrollments/externalid:p2", coordinator, nil).want(t, 200)
	s.call("POST", "/v3/participants/self", owner, map[string]any{"dataGroups": []string{"a"}}).want(t, 200)
	s.call("GET", sleep, coordinator, nil).want(t, 200)
	p := s.slot(owner, body)
	s.put(p).want(t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", owner, nil).want(t, 200)
	s.process()
	if len(told) != 2 {
		t.Fatalf("the audit was told of %+v", told)
	}
	created, withdrawn := told[0], told[1]
	p2 := core.UserID(created.With["user"])
	if _, err := s.store.Account(t.Context(), p2); err != nil {
		t.Error(err)
	}
	if created.Who == "" || created.Address != "127.0.0.1" || created.At.IsZero() {
		t.Errorf("the audit was told of %+v", created)
	}
	now := s.now()
	withdrawn.At, created.At = now, now
	if diff := cmp.Diff([]core.Deed{
		{At: now, Who: created.Who, Address: "127.0.0.1", Did: core.DeedParticipantCreated, With: map[string]string{"study": testStudy, "user": string(p2)}},
		{At: now, Who: created.Who, Address: "127.0.0.1", Did: core.DeedParticipantWithdrawn, With: map[string]string{"study": testStudy, "user": string(p2)}},
	}, []core.Deed{created, withdrawn}); diff != "" {
		t.Error(diff)
	}
}

// An audit that cannot be kept is in the log; what was done is done.
func TestAnAuditThatCannotBeKept(t *testing.T) {
	full := errors.New("there is no room")
	s := newSite(t, func(_ *site, c *api.Config) {
		c.Audit = func(context.Context, core.Deed) error { return full }
	})
	s.expects = true
	s.call("POST", "/v5/studies", s.staff(core.RoleAdmin), map[string]any{"identifier": "gait"}).want(t, 201)
	if !slices.ContainsFunc(s.told(), func(err error) bool { return errors.Is(err, full) }) {
		t.Errorf("the log was told of %v", s.told())
	}
}
