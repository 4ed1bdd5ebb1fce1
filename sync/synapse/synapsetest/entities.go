package synapsetest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The kinds of entities.
const (
	projectType = "org.sagebionetworks.repo.model.Project"
	folderType  = "org.sagebionetworks.repo.model.Folder"
	fileType    = "org.sagebionetworks.repo.model.FileEntity"
	tableType   = "org.sagebionetworks.repo.model.table.TableEntity"
	viewType    = "org.sagebionetworks.repo.model.table.MaterializedView"
)

// kinds gives an entity's kind in the journal.
var kinds = map[string]string{projectType: "project", folderType: "folder", fileType: "file", tableType: "table", viewType: "view"}

// Entity is one on the wire, with the fields of every kind.
type Entity struct {
	ConcreteType     string   `json:"concreteType"`
	ID               string   `json:"id,omitempty"`
	Name             string   `json:"name,omitempty"`
	ParentID         string   `json:"parentId,omitempty"`
	Etag             string   `json:"etag,omitempty"`
	VersionNumber    int      `json:"versionNumber,omitempty"`
	DataFileHandleID string   `json:"dataFileHandleId,omitempty"`
	ColumnIDs        []string `json:"columnIds,omitempty"`
	DefiningSQL      string   `json:"definingSQL,omitempty"`
	Description      string   `json:"description,omitempty"`
}

type entity struct {
	Entity
	trashed     bool
	acl         *acl
	annotations map[string]Value
	rows        []map[string]string // of a table: column id → text
	changeSets  int
}

func (s *Server) routeEntities() {
	s.route("POST /repo/v1/entity", "modify", func(c *call) (int, any, error) {
		var e Entity
		if err := c.decode(&e); err != nil {
			return 0, nil, err
		}
		if err := s.legal(c, &e); err != nil {
			return 0, nil, err
		}
		return http.StatusCreated, s.create(c, e, nil).Entity, nil
	})
	s.route("GET /repo/v1/entity/{id}", "view", func(c *call) (int, any, error) {
		e, err := s.find(c, c.PathValue("id"), "READ")
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, e.Entity, nil
	})
	s.route("PUT /repo/v1/entity/{id}", "modify", func(c *call) (int, any, error) {
		var changed Entity
		if err := c.decode(&changed); err != nil {
			return 0, nil, err
		}
		e, err := s.update(c, changed, nil)
		if err != nil {
			return 0, nil, err
		}
		return http.StatusOK, e.Entity, nil
	})
	s.route("DELETE /repo/v1/entity/{id}", "modify", func(c *call) (int, any, error) {
		e, err := s.find(c, c.PathValue("id"), "DELETE")
		if err != nil {
			return 0, nil, err
		}
		e.trashed = true
		if c.URL.Query().Get("skipTrashCan") == "true" {
			s.purge(e)
		}
		s.note("delete", e.ID)
		return http.StatusOK, nil, nil
	})
	s.route("POST /repo/v1/entity/child", "view", s.lookup)
	s.routeAccess()
	s.routeAnnotations()
	s.routeBundles()
}

// purge forgets an entity and all in it.
func (s *Server) purge(e *entity) {
	for _, one := range s.entities {
		if one.ParentID == e.ID {
			s.purge(one)
		}
	}
	delete(s.entities, e.ID)
}

func (s *Server) etag() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.next()) }

// find gives an entity on which the caller has a permission.
func (s *Server) find(c *call, id, right string) (*entity, error) {
	e := s.entities[id]
	if e == nil {
		return nil, missing("Resource: '" + id + "' does not exist")
	}
	for up := e; up != nil; up = s.entities[up.ParentID] {
		if up.trashed {
			return nil, missing("Entity " + id + " is in trash can.")
		}
	}
	if !s.may(c.user, e, right) {
		return nil, forbidden("You do not have " + right + " permission for the requested entity, " + id + ".")
	}
	return e, nil
}

// lookup gives the child of a name.
func (s *Server) lookup(c *call) (int, any, error) {
	var request struct {
		ParentID   *string `json:"parentId"`
		EntityName string  `json:"entityName"`
	}
	if err := c.decode(&request); err != nil {
		return 0, nil, err
	}
	if request.EntityName == "" {
		return 0, nil, bad("entityName is required.")
	}
	parent := ""
	if request.ParentID != nil {
		parent = *request.ParentID
		if _, err := s.find(c, parent, "READ"); err != nil {
			return 0, nil, err
		}
	}
	if e := s.child(parent, request.EntityName); e != nil {
		return http.StatusOK, map[string]string{"id": e.ID}, nil
	}
	return 0, nil, missing("Child with name '" + request.EntityName + "' does not exist in parent: " + parent)
}

func (s *Server) child(parent, name string) *entity {
	for _, e := range s.entities {
		if e.ParentID == parent && e.Name == name && !e.trashed {
			return e
		}
	}
	return nil
}

var nameRule = regexp.MustCompile(`^[a-zA-Z0-9,_. \-+()']+$`)

// legal says why an entity cannot be made. It trims the name.
func (s *Server) legal(c *call, e *Entity) error {
	kind := kinds[e.ConcreteType]
	if kind == "" {
		return bad("Unknown concreteType: '" + e.ConcreteType + "'")
	}
	if e.ID != "" || e.Etag != "" {
		return bad("An entity that is created has neither id nor etag")
	}
	if err := legalName(e); err != nil {
		return err
	}
	if (e.ParentID == "") != (e.ConcreteType == projectType) {
		return bad("Entity type: " + kind + " cannot have a parent of type: " + s.kindOf(e.ParentID))
	}
	if e.ParentID != "" {
		parent, err := s.find(c, e.ParentID, "CREATE")
		if err != nil {
			return err
		}
		if parent.ConcreteType != projectType && parent.ConcreteType != folderType {
			return bad("Entity type: " + kind + " cannot have a parent of type: " + kinds[parent.ConcreteType])
		}
	}
	if s.child(e.ParentID, e.Name) != nil {
		return taken("An entity with the name: " + e.Name + " already exists with a parentId: " + e.ParentID)
	}
	if e.ParentID != "" && s.count(e.ParentID) >= s.config.Children {
		return bad("Limit of " + strconv.Itoa(s.config.Children) + " children exceeded for parent: " + e.ParentID)
	}
	return s.legalParts(c, e)
}

func legalName(e *Entity) error {
	e.Name = strings.TrimSpace(e.Name)
	if len(e.Name) > 256 {
		return bad("Name must be 256 characters or less")
	}
	if !nameRule.MatchString(e.Name) {
		return bad("Invalid Name: '" + e.Name + "'. Names may only contain: letters, numbers, spaces, underscores, hyphens, periods, plus signs, apostrophes, and parentheses")
	}
	return nil
}

func (s *Server) kindOf(id string) string {
	if e := s.entities[id]; e != nil {
		return kinds[e.ConcreteType]
	}
	return "root"
}

func (s *Server) count(parent string) int {
	n := 0
	for _, e := range s.entities {
		if e.ParentID == parent && !e.trashed {
			n++
		}
	}
	return n
}

// legalParts says what is wrong with what the kinds differ in.
func (s *Server) legalParts(c *call, e *Entity) error {
	switch e.ConcreteType {
	case fileType:
		if !c.user.Certified {
			return problem{status: http.StatusForbidden, Code: "USER_CERTIFICATION_REQUIRED", Reason: "Only certified users may create content in Synapse."}
		}
		return s.legalFile(c, e)
	case tableType:
		return s.legalColumns(e.ColumnIDs)
	case viewType:
		if !regexp.MustCompile(`(?is)^\s*SELECT\s.+\sFROM\s+syn\d+`).MatchString(e.DefiningSQL) {
			return bad("Encountered an error in the definingSQL")
		}
		for _, source := range regexp.MustCompile(`syn\d+`).FindAllString(e.DefiningSQL, -1) {
			if _, err := s.find(c, source, "READ"); err != nil {
				return err
			}
		}
	}
	return nil
}

// create makes an entity that is legal, with its annotations.
func (s *Server) create(c *call, made Entity, annotations map[string]Value) *entity {
	made.ID, made.Etag, made.VersionNumber = "syn"+strconv.FormatInt(s.next(), 10), s.etag(), 1
	e := &entity{Entity: made, annotations: map[string]Value{}}
	s.entities[e.ID] = e
	if e.ConcreteType == projectType {
		e.acl = &acl{ID: e.ID, Etag: s.etag(), ResourceAccess: []access{{c.user.ID, slices.Clone(everything)}}}
	}
	s.note(kinds[e.ConcreteType], e.ID)
	if len(annotations) > 0 {
		s.merge(e, annotations)
	} else if e.ConcreteType == fileType {
		s.bare = append(s.bare, e.ID)
	}
	return e
}

// update changes an entity, and merges annotations unless they are nil.
func (s *Server) update(c *call, changed Entity, annotations map[string]Value) (*entity, error) {
	e, err := s.find(c, c.PathValue("id"), "UPDATE")
	if err != nil {
		return nil, err
	}
	if err := legalName(&changed); err != nil {
		return nil, err
	}
	other := s.child(changed.ParentID, changed.Name)
	switch {
	case changed.ID != e.ID:
		return nil, bad("The path ID does not match the entity's ID")
	case changed.ConcreteType != e.ConcreteType:
		return nil, bad("Cannot change the type of an entity")
	case changed.Etag != e.Etag:
		return nil, stale(e.ID)
	case other != nil && other != e:
		return nil, taken("An entity with the name: " + changed.Name + " already exists with a parentId: " + changed.ParentID)
	}
	if err := s.legalParts(c, &changed); err != nil {
		return nil, err
	}
	if e.ConcreteType == fileType && s.md5(changed.DataFileHandleID) != s.md5(e.DataFileHandleID) {
		e.VersionNumber++
	}
	changed.Etag, changed.VersionNumber = s.etag(), e.VersionNumber
	e.Entity = changed
	s.note("update", e.ID)
	if len(annotations) > 0 {
		s.merge(e, annotations)
	}
	return e, nil
}
