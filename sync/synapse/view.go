package synapse

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// MakeView makes a materialized view of what a SELECT gives, or finds the one of
// that name. May be repeated. Errors: core.ErrOtherRepository where the parent or a
// table of the SELECT is not there.
func (c *Client) MakeView(ctx context.Context, parent EntityID, name, sql string) (EntityID, error) {
	id, err := c.make(ctx, entity{ConcreteType: viewType, Name: name, ParentID: parent, DefiningSQL: sql})
	if err != nil {
		return "", fmt.Errorf("make a view: %w", err)
	}
	return id, nil
}

// Definition gives the SELECT of a view. Errors: core.ErrOtherRepository.
func (c *Client) Definition(ctx context.Context, id EntityID) (string, error) {
	held, err := c.entity(ctx, id)
	if err != nil {
		return "", fmt.Errorf("read view %s: %w", id, gone(err))
	}
	return held.DefiningSQL, nil
}

// Redefine gives a view another SELECT and leaves all else that it has. May be
// repeated. Errors: core.ErrOtherRepository, also where a table of the SELECT is not
// there; core.ErrConflict where someone changed the view meanwhile.
func (c *Client) Redefine(ctx context.Context, id EntityID, sql string) error {
	path := "/repo/v1/entity/" + string(id)
	var whole map[string]json.RawMessage
	err := c.do(ctx, request{method: http.MethodGet, path: path}, &whole)
	if err == nil && len(whole["id"]) == 0 {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err == nil {
		if whole["definingSQL"], err = json.Marshal(sql); err == nil {
			err = c.do(ctx, request{method: http.MethodPut, path: path, body: whole}, &entity{})
		}
	}
	if err != nil {
		return fmt.Errorf("redefine view %s: %w", id, gone(err))
	}
	return nil
}
