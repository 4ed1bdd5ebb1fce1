package synapsetest

import "net/http"

type bundle struct {
	Entity            *Entity      `json:"entity"`
	Annotations       *annotations `json:"annotations,omitempty"`
	AccessControlList *acl         `json:"accessControlList,omitempty"`
}

func (s *Server) routeBundles() {
	s.route("POST /repo/v1/entity/bundle2/create", "modify", s.createBundle)
	s.route("PUT /repo/v1/entity/{id}/bundle2", "modify", s.updateBundle)
	s.route("POST /repo/v1/entity/{id}/bundle2", "view", s.readBundle)
}

// createBundle makes an entity, its annotations and its list, or none of them.
func (s *Server) createBundle(c *call) (int, any, error) {
	var b bundle
	if err := c.decode(&b); err != nil {
		return 0, nil, err
	}
	if b.Entity == nil {
		return 0, nil, bad("Bundle must include an Entity")
	}
	if err := s.legal(c, b.Entity); err != nil {
		return 0, nil, err
	}
	if b.Annotations == nil {
		b.Annotations = &annotations{}
	}
	if err := legalAnnotations(b.Annotations.Annotations); err != nil {
		return 0, nil, err
	}
	if b.AccessControlList != nil {
		if err := s.legalACL(c, *b.AccessControlList); err != nil {
			return 0, nil, err
		}
	}
	e := s.create(c, *b.Entity, b.Annotations.Annotations)
	if b.AccessControlList != nil {
		s.setACL(e, *b.AccessControlList)
	}
	return http.StatusCreated, map[string]any{"entity": e.Entity, "annotations": annotationsOf(e)}, nil
}

// updateBundle changes an entity and merges annotations, or does neither.
func (s *Server) updateBundle(c *call) (int, any, error) {
	var b bundle
	if err := c.decode(&b); err != nil {
		return 0, nil, err
	}
	if b.Entity == nil {
		return 0, nil, bad("Bundle must include an Entity")
	}
	if b.Annotations == nil {
		b.Annotations = &annotations{ID: c.PathValue("id")}
	}
	if b.Annotations.ID != c.PathValue("id") {
		return 0, nil, bad("Entity ID in the path does not match the annotations' ID")
	}
	if err := legalAnnotations(b.Annotations.Annotations); err != nil {
		return 0, nil, err
	}
	if known := s.entities[c.PathValue("id")]; known != nil {
		merged := annotationsOf(known).Annotations
		for key, value := range b.Annotations.Annotations {
			merged[key] = value
		}
		if err := legalAnnotations(merged); err != nil {
			return 0, nil, err
		}
	}
	e, err := s.update(c, *b.Entity, b.Annotations.Annotations)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]any{"entity": e.Entity, "annotations": annotationsOf(e)}, nil
}

// readBundle gives the parts of an entity that are asked for.
func (s *Server) readBundle(c *call) (int, any, error) {
	var want struct {
		IncludeEntity      bool `json:"includeEntity"`
		IncludeAnnotations bool `json:"includeAnnotations"`
		IncludeFileHandles bool `json:"includeFileHandles"`
	}
	if err := c.decode(&want); err != nil {
		return 0, nil, err
	}
	e, err := s.find(c, c.PathValue("id"), "READ")
	if err != nil {
		return 0, nil, err
	}
	body := map[string]any{}
	if want.IncludeEntity {
		body["entity"] = e.Entity
	}
	if want.IncludeAnnotations {
		body["annotations"] = annotationsOf(e)
	}
	if want.IncludeFileHandles {
		handles := []*handle{}
		if h := s.handles[e.DataFileHandleID]; h != nil {
			handles = append(handles, h)
		}
		body["fileHandles"] = handles
	}
	return http.StatusOK, body, nil
}
