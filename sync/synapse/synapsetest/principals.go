package synapsetest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// User is someone with an access token.
type User struct {
	ID        int64 // 0: AddUser gives one
	Name      string
	Token     string
	Certified bool     // may make file entities
	Scopes    []string // of the token; none: view, download and modify
}

func (u *User) has(scope string) bool { return len(u.Scopes) == 0 || slices.Contains(u.Scopes, scope) }

type team struct {
	id      int64
	name    string
	members []int64
}

// AddUser adds a user, or changes the one with the same token, and gives their id.
func (s *Server) AddUser(u User) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.ID == 0 {
		u.ID = s.next()
	}
	if known := s.users[u.Token]; known != nil {
		u.ID = known.ID
		*known = u
	} else {
		s.users[u.Token] = &u
	}
	return u.ID
}

// Revoke makes a token worth nothing.
func (s *Server) Revoke(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.users, token)
}

// Renew gives a user another token, which makes the old one worth nothing.
func (s *Server) Renew(old, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[old]
	u.Token = token
	delete(s.users, old)
	s.users[token] = u
}

func (s *Server) routePrincipals() {
	s.mux.HandleFunc("GET /repo/v1/status", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		state, message := s.stack()
		s.mu.Unlock()
		answer(w, http.StatusOK, map[string]string{"status": state, "currentMessage": message})
	})
	s.mux.HandleFunc("GET /repo/v1/version", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, map[string]string{"version": "510.0", "stackInstance": "510"})
	})
	s.route("GET /repo/v1/userProfile", "view", func(c *call) (int, any, error) {
		return http.StatusOK, map[string]string{"ownerId": strconv.FormatInt(c.user.ID, 10), "userName": c.user.Name}, nil
	})
	s.route("POST /repo/v1/userGroupHeaders/aliases", "view", s.headers)
	s.route("POST /repo/v1/team", "modify", s.createTeam)
}

// alias gives a name as it is compared.
func alias(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// headers gives the users and teams with some names; others are left out.
func (s *Server) headers(c *call) (int, any, error) {
	var request struct {
		List []string `json:"list"`
	}
	if err := c.decode(&request); err != nil {
		return 0, nil, err
	}
	type header struct {
		OwnerID      string `json:"ownerId"`
		UserName     string `json:"userName"`
		IsIndividual bool   `json:"isIndividual"`
	}
	found := []header{}
	for _, name := range request.List {
		for _, user := range s.users {
			if alias(user.Name) == alias(name) {
				found = append(found, header{strconv.FormatInt(user.ID, 10), user.Name, true})
			}
		}
		if t := s.teams[alias(name)]; t != nil {
			found = append(found, header{strconv.FormatInt(t.id, 10), t.name, false})
		}
	}
	return http.StatusOK, map[string]any{"list": found}, nil
}

func (s *Server) createTeam(c *call) (int, any, error) {
	var request struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	if err := c.decode(&request); err != nil {
		return 0, nil, err
	}
	if request.Name == "" {
		return 0, nil, bad("Team name is required.")
	}
	if s.teams[alias(request.Name)] != nil {
		return 0, nil, taken("The provided team name is already taken")
	}
	t := &team{id: s.next(), name: request.Name, members: []int64{c.user.ID}}
	s.teams[alias(t.name)] = t
	id := strconv.FormatInt(t.id, 10)
	s.note("team", id)
	return http.StatusCreated, map[string]any{"id": id, "name": t.name}, nil
}

// principals gives the user and the teams that they are in.
func (s *Server) principals(u *User) []int64 {
	all := []int64{u.ID}
	for _, t := range s.teams {
		if slices.Contains(t.members, u.ID) {
			all = append(all, t.id)
		}
	}
	return all
}
