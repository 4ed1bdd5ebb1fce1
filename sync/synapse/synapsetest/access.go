package synapsetest

import (
	"net/http"
	"slices"
	"strconv"
)

type access struct {
	PrincipalID int64    `json:"principalId"`
	AccessType  []string `json:"accessType"`
}

// acl is an access control list on the wire.
type acl struct {
	ID             string   `json:"id"`
	Etag           string   `json:"etag"`
	ResourceAccess []access `json:"resourceAccess"`
}

// everything is what an owner may do.
var everything = []string{"READ", "DOWNLOAD", "UPDATE", "DELETE", "CREATE", "CHANGE_PERMISSIONS", "CHANGE_SETTINGS", "MODERATE"}

func (s *Server) routeAccess() {
	s.route("GET /repo/v1/entity/{id}/acl", "view", func(c *call) (int, any, error) {
		e, err := s.find(c, c.PathValue("id"), "READ")
		if err != nil {
			return 0, nil, err
		}
		if e.acl == nil {
			return 0, nil, missing("The requested ACL does not exist. This entity inherits its permissions from: /entity/" + s.benefactor(e).ID + "/acl")
		}
		return http.StatusOK, e.acl, nil
	})
	s.route("POST /repo/v1/entity/{id}/acl", "modify", func(c *call) (int, any, error) {
		e, list, err := s.listed(c)
		if err != nil {
			return 0, nil, err
		}
		if e.acl != nil {
			return 0, nil, forbidden("Resource already has an ACL.")
		}
		return http.StatusCreated, s.setACL(e, list), nil
	})
	s.route("PUT /repo/v1/entity/{id}/acl", "modify", func(c *call) (int, any, error) {
		e, list, err := s.listed(c)
		switch {
		case err != nil:
			return 0, nil, err
		case e.acl == nil:
			return 0, nil, forbidden("Cannot update ACL for a resource which inherits its permissions.")
		case e.acl.Etag != list.Etag:
			return 0, nil, stale(e.ID)
		}
		return http.StatusOK, s.setACL(e, list), nil
	})
	s.route("DELETE /repo/v1/entity/{id}/acl", "modify", func(c *call) (int, any, error) {
		e, err := s.find(c, c.PathValue("id"), "CHANGE_PERMISSIONS")
		if err != nil {
			return 0, nil, err
		}
		if e.ParentID == "" {
			return 0, nil, forbidden("Cannot restore inheritance for resource which has no parent.")
		}
		e.acl = nil
		s.note("acl", e.ID)
		return http.StatusNoContent, nil, nil
	})
}

// listed reads the list that a call brings for an entity.
func (s *Server) listed(c *call) (*entity, acl, error) {
	var list acl
	e, err := s.find(c, c.PathValue("id"), "CHANGE_PERMISSIONS")
	if err != nil {
		return nil, list, err
	}
	if err := c.decode(&list); err != nil {
		return nil, list, err
	}
	if list.ID != "" && list.ID != e.ID {
		return nil, list, bad("The path ID does not match the ACL ID")
	}
	return e, list, s.legalACL(c, list)
}

// legalACL says what is wrong with a list.
func (s *Server) legalACL(c *call, list acl) error {
	keeps := false
	mine := s.principals(c.user)
	for _, granted := range list.ResourceAccess {
		if len(granted.AccessType) == 0 {
			return bad("AccessType is required for principal " + strconv.FormatInt(granted.PrincipalID, 10))
		}
		for _, right := range granted.AccessType {
			if !slices.Contains(everything, right) {
				return bad("No enum constant ACCESS_TYPE." + right)
			}
		}
		if !s.known(granted.PrincipalID) {
			return bad("The following principal does not exist: " + strconv.FormatInt(granted.PrincipalID, 10))
		}
		keeps = keeps || slices.Contains(mine, granted.PrincipalID) && slices.Contains(granted.AccessType, "CHANGE_PERMISSIONS")
	}
	if !keeps {
		return bad("Caller is trying to revoke their own ACL editing permission.")
	}
	return nil
}

func (s *Server) known(principal int64) bool {
	for _, u := range s.users {
		if u.ID == principal {
			return true
		}
	}
	for _, t := range s.teams {
		if t.id == principal {
			return true
		}
	}
	return false
}

func (s *Server) setACL(e *entity, list acl) *acl {
	list.ID, list.Etag = e.ID, s.etag()
	e.acl = &list
	s.note("acl", e.ID)
	return e.acl
}

// benefactor gives the entity whose list holds for e.
func (s *Server) benefactor(e *entity) *entity {
	for e.acl == nil {
		e = s.entities[e.ParentID]
	}
	return e
}

// may reports whether a user has a permission on an entity.
func (s *Server) may(u *User, e *entity, right string) bool {
	mine := s.principals(u)
	for _, granted := range s.benefactor(e).acl.ResourceAccess {
		if slices.Contains(mine, granted.PrincipalID) && slices.Contains(granted.AccessType, right) {
			return true
		}
	}
	return false
}
