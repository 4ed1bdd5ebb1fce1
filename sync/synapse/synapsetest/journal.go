package synapsetest

import (
	"bytes"
	"maps"
	"slices"
)

// Effect is one thing that a call changed.
type Effect struct {
	Kind string // project, folder, file, table, view, annotations, row, handle, team, acl, location, setting, update, credentials, object, gone
	ID   string // of what was made or changed
}

// Call is one request. The path of a signed link is /storage.
type Call struct{ Method, Path string }

// note adds to the journal.
func (s *Server) note(kind, id string) { s.journal = append(s.journal, Effect{kind, id}) }

// Effects gives what was changed, of some kinds (none: all), in order.
func (s *Server) Effects(kinds ...string) []Effect {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Effect
	for _, e := range s.journal {
		if len(kinds) == 0 || slices.Contains(kinds, e.Kind) {
			found = append(found, e)
		}
	}
	return found
}

// Calls gives every request so far, refused ones too.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Bare gives the ids of files that existed without annotations at any time.
func (s *Server) Bare() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bare)
}

// Children gives name → id of what is in a container; empty: the projects.
func (s *Server) Children(parent string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	children := map[string]string{}
	for _, e := range s.entities {
		if e.ParentID == parent && !e.trashed {
			children[e.Name] = e.ID
		}
	}
	return children
}

// Annotations gives those of an entity.
func (s *Server) Annotations(id string) map[string]Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entities[id]; e != nil {
		return maps.Clone(e.annotations)
	}
	return nil
}

// Rows gives what a table holds, column name → text, in the order it was
// appended. A cell that is null is left out.
func (s *Server) Rows(table string) []map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := []map[string]string{}
	e := s.entities[table]
	if e == nil {
		return rows
	}
	for _, r := range e.rows {
		named := map[string]string{}
		for id, text := range r {
			named[s.column(id).Name] = text
		}
		rows = append(rows, named)
	}
	return rows
}

// Bytes gives those of the file that an entity is; nil where it is none.
func (s *Server) Bytes(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entities[id]; e != nil && s.handles[e.DataFileHandleID] != nil {
		return bytes.Clone(s.handles[e.DataFileHandleID].bytes)
	}
	return nil
}

// Grants gives principal → permissions of an entity's own list; nil where it inherits.
func (s *Server) Grants(id string) map[int64][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entities[id]
	if e == nil || e.acl == nil {
		return nil
	}
	grants := map[int64][]string{}
	for _, access := range e.acl.ResourceAccess {
		grants[access.PrincipalID] = slices.Sorted(slices.Values(access.AccessType))
	}
	return grants
}

// Definition gives the SELECT of a view; Redefine gives it another, as another program
// would.
func (s *Server) Definition(view string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entities[view].DefiningSQL
}

// Redefine is described at Definition.
func (s *Server) Redefine(view, sql string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entities[view].DefiningSQL, s.entities[view].Etag = sql, s.etag()
}

// Trash puts an entity into the trash, as a person would.
func (s *Server) Trash(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entities[id].trashed = true
}

// Annotate changes an annotation of an entity, as a researcher would.
func (s *Server) Annotate(id, key string, value Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entities[id]
	e.annotations[key] = value
	e.Etag = s.etag()
}

// PutObject puts bytes into a bucket that is not the repository's own.
func (s *Server) PutObject(bucket, key string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[bucket+"/"+key] = bytes.Clone(data)
}
