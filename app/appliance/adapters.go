package appliance

import (
	"context"
	"io"

	"footbridge/core/upload"
	"footbridge/store"
)

// landings gives the desk the store's landings.
type landings struct{ *store.Store }

// Land streams r to its end (upload.Bytes).
func (l landings) Land(ctx context.Context, r io.Reader, size int64) (upload.Landing, error) {
	landing, err := l.Store.Land(ctx, r, size)
	if err != nil {
		return nil, err
	}
	return landing, nil
}
