package synapse

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"footbridge/core"
)

// The kinds of entities that are made here.
const (
	projectType = "org.sagebionetworks.repo.model.Project"
	folderType  = "org.sagebionetworks.repo.model.Folder"
	fileType    = "org.sagebionetworks.repo.model.FileEntity"
	tableType   = "org.sagebionetworks.repo.model.table.TableEntity"
	viewType    = "org.sagebionetworks.repo.model.table.MaterializedView"
)

// entity is one on the wire.
type entity struct {
	ConcreteType     string   `json:"concreteType"`
	ID               EntityID `json:"id,omitempty"`
	Name             string   `json:"name,omitempty"`
	ParentID         EntityID `json:"parentId,omitempty"`
	Etag             string   `json:"etag,omitempty"`
	DataFileHandleID string   `json:"dataFileHandleId,omitempty"`
	ColumnIDs        []string `json:"columnIds,omitempty"`
	DefiningSQL      string   `json:"definingSQL,omitempty"`
}

// Principal is a user or a team.
type Principal struct {
	ID   int64
	Name string
}

// Me gives the user whose token it is. It is a cheap way to try a token out.
func (c *Client) Me(ctx context.Context) (Principal, error) {
	var profile struct {
		OwnerID  string `json:"ownerId"`
		UserName string `json:"userName"`
	}
	err := c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/userProfile"}, &profile)
	if err != nil {
		return Principal{}, fmt.Errorf("ask whose token it is: %w", err)
	}
	id, err := strconv.ParseInt(profile.OwnerID, 10, 64)
	if err != nil {
		return Principal{}, fmt.Errorf("ask whose token it is: %w", &Error{Kind: ErrAway, Reason: foreign})
	}
	return Principal{ID: id, Name: profile.UserName}, nil
}

// Child gives the entity of a name in a parent; without a parent, the project.
// Errors: core.ErrNotFound, also where there is no such parent.
func (c *Client) Child(ctx context.Context, parent EntityID, name string) (EntityID, error) {
	var found struct {
		ID EntityID `json:"id"`
	}
	body := map[string]any{"entityName": name}
	if parent != "" {
		body["parentId"] = parent
	}
	err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/entity/child", body: body}, &found)
	if err == nil && found.ID == "" {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err != nil {
		return "", fmt.Errorf("look for an entity: %w", err)
	}
	return found.ID, nil
}

// MakeProject makes a project, or finds the one of that name: names are unique
// in the whole repository, so give it one that nobody else would. Whoever makes
// it owns it. May be repeated.
func (c *Client) MakeProject(ctx context.Context, name string) (EntityID, error) {
	id, err := c.make(ctx, entity{ConcreteType: projectType, Name: name})
	if err != nil {
		return "", fmt.Errorf("make a project: %w", err)
	}
	return id, nil
}

// MakeFolder makes a folder, or finds the one of that name. May be repeated, but it
// is two calls, so keep what it gives while that is there.
// Errors: core.ErrOtherRepository where there is no such parent any more.
func (c *Client) MakeFolder(ctx context.Context, parent EntityID, name string) (EntityID, error) {
	id, err := c.make(ctx, entity{ConcreteType: folderType, Name: name, ParentID: parent})
	if err != nil {
		return "", fmt.Errorf("make a folder: %w", err)
	}
	return id, nil
}

// make finds an entity, or makes it. Where another one makes it in between, or
// where the answer to the making was lost, it is found after all.
func (c *Client) make(ctx context.Context, wanted entity) (EntityID, error) {
	if err := CheckName(wanted.Name); err != nil {
		return "", err
	}
	id, err := c.find(ctx, wanted)
	if !errors.Is(err, core.ErrNotFound) {
		return id, err
	}
	var made entity
	err = c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/entity", body: wanted}, &made)
	if errors.Is(err, core.ErrExists) {
		return c.find(ctx, wanted)
	}
	if err == nil && made.ID == "" {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	return made.ID, gone(err)
}

// find gives the entity of a name, which must be of the same kind.
func (c *Client) find(ctx context.Context, wanted entity) (EntityID, error) {
	id, err := c.Child(ctx, wanted.ParentID, wanted.Name)
	if err != nil {
		return "", err
	}
	found, err := c.entity(ctx, id)
	if err == nil && found.ConcreteType != wanted.ConcreteType {
		err = &Error{Kind: ErrInvalid, Reason: "there is something else of that name"}
	}
	return id, err
}

func (c *Client) entity(ctx context.Context, id EntityID) (found entity, err error) {
	err = c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/entity/" + string(id)}, &found)
	return found, err
}

// Present asks whether a part of the project is still there, and not in the
// trash. Errors: core.ErrOtherRepository.
func (c *Client) Present(ctx context.Context, id EntityID) error {
	if _, err := c.entity(ctx, id); err != nil {
		return fmt.Errorf("look for %s: %w", id, gone(err))
	}
	return nil
}
