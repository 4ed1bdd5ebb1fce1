package analysis

import (
	"context"
	"errors"
	"path"

	"footbridge/core"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse"
)

// Check compares an object with the file that is there, and with what lies in the
// bucket (reconcile.Repository).
func (r *Repository) Check(ctx context.Context, d core.Destination, o core.Object) error {
	parent, err := r.holder(ctx, d, o)
	if err != nil {
		return err
	}
	annotations, _ := synapse.Annotate(o.Metadata, order(o.Metadata)...)
	err = r.client.Verify(ctx, synapse.File{Parent: parent, Name: synapse.Name(path.Base(o.Path)), Digest: o.Digest, Annotations: annotations})
	if errors.Is(err, synapse.ErrUnannotated) {
		return reconcile.ErrUnannotated
	}
	if err != nil {
		return err
	}
	return r.inBucket(ctx, d, o, r.checkObject)
}

// Walk visits nothing: folders of the repository hold what others put there, too.
func (r *Repository) Walk(context.Context, core.Destination, func(string) error) error { return nil }

// Rows counts how often the destination's table holds each of some versions.
func (r *Repository) Rows(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	table, err := r.table(ctx, d)
	if err != nil {
		return nil, err
	}
	seen, codes := map[core.HealthCode]bool{}, []core.HealthCode{}
	for _, v := range versions {
		if !seen[v.HealthCode] {
			seen[v.HealthCode], codes = true, append(codes, v.HealthCode)
		}
	}
	held, err := r.client.Rows(ctx, table, codes)
	if err != nil {
		return nil, err
	}
	rows := make(map[reconcile.Row]int, len(held))
	for key, n := range held {
		rows[reconcile.Row(key)] = n
	}
	return rows, nil
}

// Remove deletes an object in the bucket, and moves its file to the trash. What is not
// there is removed already.
func (r *Repository) Remove(ctx context.Context, d core.Destination, o core.Object) error {
	if err := r.inBucket(ctx, d, o, r.removeObject); err != nil {
		return err
	}
	parent, err := r.holder(ctx, d, o)
	if errors.Is(err, core.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.client.Remove(ctx, parent, synapse.Name(path.Base(o.Path)))
}
