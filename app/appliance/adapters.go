package appliance

import (
	"context"
	"io"

	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/store"
	"footbridge/sync/push"
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

// explained tells of every export why it waits.
type explained struct {
	*store.Store
	pusher *push.Worker
}

// Exports gives where a record stands at each of its destinations (api.Store).
func (x explained) Exports(ctx context.Context, id core.UploadID) ([]core.Export, error) {
	all, err := x.Store.Exports(ctx, id)
	for i, e := range all {
		all[i] = x.pusher.Explain(e)
	}
	return all, err
}
