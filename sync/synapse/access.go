package synapse

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"footbridge/core"
)

// Permission is one thing that somebody may do with an entity.
type Permission string

// Administer is what whoever looks after a project may do with it.
func Administer() []Permission {
	return []Permission{"READ", "DOWNLOAD", "UPDATE", "DELETE", "CREATE", "CHANGE_PERMISSIONS", "CHANGE_SETTINGS", "MODERATE"}
}

// Read is what whoever studies data may do.
func Read() []Permission { return []Permission{"READ", "DOWNLOAD"} }

// Grants are permissions by principal.
type Grants map[int64][]Permission

// acl is a list on the wire.
type acl struct {
	ID             EntityID `json:"id"`
	Etag           string   `json:"etag,omitempty"`
	ResourceAccess []access `json:"resourceAccess"`
}

type access struct {
	PrincipalID int64        `json:"principalId"`
	AccessType  []Permission `json:"accessType"`
}

// Principal finds a user or team by name; a decimal number is taken for the id.
// Errors: core.ErrNotFound.
func (c *Client) Principal(ctx context.Context, name string) (int64, error) {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil && id > 0 {
		return id, nil
	}
	var found struct {
		List []struct {
			OwnerID string `json:"ownerId"`
		} `json:"list"`
	}
	body := map[string]any{"list": []string{name}}
	err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/userGroupHeaders/aliases", body: body}, &found)
	if err == nil && len(found.List) == 0 {
		err = &Error{Kind: core.ErrNotFound, Reason: "nobody has that name"}
	}
	var id int64
	if err == nil {
		id, err = number(found.List[0].OwnerID)
	}
	if err != nil {
		return 0, fmt.Errorf("look for an account: %w", err)
	}
	return id, nil
}

// number reads an id.
func number(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, &Error{Kind: ErrAway, Reason: foreign}
	}
	return id, nil
}

// MakeTeam makes a team, or finds the one of that name. Whoever makes it manages
// it. May be repeated.
func (c *Client) MakeTeam(ctx context.Context, name string) (int64, error) {
	id, err := c.Principal(ctx, name)
	if !errors.Is(err, core.ErrNotFound) {
		return id, err
	}
	var made struct {
		ID string `json:"id"`
	}
	err = c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/team", body: map[string]string{"name": name}}, &made)
	if errors.Is(err, core.ErrExists) {
		return c.Principal(ctx, name)
	}
	if err == nil {
		id, err = number(made.ID)
	}
	if err != nil {
		return 0, fmt.Errorf("make a team: %w", err)
	}
	return id, nil
}

// Grants gives the entity's own permissions; nil where it has those of its parent.
// Errors: core.ErrOtherRepository.
func (c *Client) Grants(ctx context.Context, id EntityID) (Grants, error) {
	list, err := c.acl(ctx, id)
	if err != nil || list == nil {
		return nil, err
	}
	grants := Grants{}
	for _, granted := range list.ResourceAccess {
		grants[granted.PrincipalID] = granted.AccessType
	}
	return grants, nil
}

// acl gives an entity's own list; nil where it has none.
func (c *Client) acl(ctx context.Context, id EntityID) (*acl, error) {
	var list acl
	err := c.do(ctx, request{method: http.MethodGet, path: aclPath(id)}, &list)
	if errors.Is(err, core.ErrNotFound) { // it inherits, or is not there
		return nil, c.Present(ctx, id)
	}
	if err != nil {
		return nil, fmt.Errorf("read the permissions of %s: %w", id, err)
	}
	return &list, nil
}

func aclPath(id EntityID) string { return "/repo/v1/entity/" + string(id) + "/acl" }

// changeTries is how often a change is made anew because another came first.
const changeTries = 5

// SetGrants makes these the entity's own permissions and takes all others away.
// They must leave the caller CHANGE_PERMISSIONS. May be repeated; what is so
// already is not written. Errors: core.ErrOtherRepository, core.ErrConflict where
// others keep changing them.
func (c *Client) SetGrants(ctx context.Context, id EntityID, grants Grants) error {
	return c.change(ctx, id, func(Grants) Grants { return grants })
}

// Grant adds permissions of a principal to the entity's own, and makes it have
// its own. It is as SetGrants otherwise.
func (c *Client) Grant(ctx context.Context, id EntityID, principal int64, permissions []Permission) error {
	return c.change(ctx, id, func(held Grants) Grants {
		grants := maps.Clone(held)
		if grants == nil {
			grants = Grants{}
		}
		all := slices.Concat(grants[principal], permissions)
		slices.Sort(all)
		grants[principal] = slices.Compact(all)
		return grants
	})
}

func (c *Client) change(ctx context.Context, id EntityID, to func(Grants) Grants) error {
	var err error
	for try := range changeTries {
		if err = sleep(ctx, c.pause(try)); err != nil {
			break
		}
		var held *acl
		if held, err = c.acl(ctx, id); err != nil {
			return err
		}
		grants := Grants{}
		r := request{method: http.MethodPost, path: aclPath(id)}
		list := acl{ID: id}
		if held != nil {
			r.method, list.Etag = http.MethodPut, held.Etag
			for _, granted := range held.ResourceAccess {
				grants[granted.PrincipalID] = granted.AccessType
			}
		}
		wanted := to(grants)
		if held != nil && same(grants, wanted) {
			return nil
		}
		for _, principal := range slices.Sorted(maps.Keys(wanted)) {
			list.ResourceAccess = append(list.ResourceAccess, access{principal, wanted[principal]})
		}
		r.body = list
		if err = c.do(ctx, r, &acl{}); err == nil {
			return nil
		}
		// A list that is there already was perhaps made by this very call.
		if !errors.Is(err, core.ErrConflict) && (held != nil || !errors.Is(err, ErrRefused)) {
			break
		}
	}
	return fmt.Errorf("set the permissions of %s: %w", id, gone(err))
}

// same reports whether two lists permit the same.
func same(a, b Grants) bool {
	return maps.EqualFunc(a, b, func(a, b []Permission) bool {
		return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	})
}
