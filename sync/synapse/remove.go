package synapse

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"footbridge/core"
)

// Remove moves the entity of a name to the trash. One that is not there is removed
// already. May be repeated.
func (c *Client) Remove(ctx context.Context, parent EntityID, name string) error {
	id, err := c.Child(ctx, parent, name)
	if err == nil {
		err = c.do(ctx, request{method: http.MethodDelete, path: "/repo/v1/entity/" + string(id), empty: true}, nil)
	}
	if err == nil {
		_, err = c.Child(ctx, parent, name) // an empty answer may be anyone's
		if err == nil {
			err = &Error{Kind: ErrAway, Reason: "the file is still there"}
		}
	}
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return fmt.Errorf("remove a file: %w", err)
	}
	return nil
}
