package analysis

import (
	"context"
	"errors"
	"path"

	"footbridge/core"
	"footbridge/sync/export"
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

// Rows counts how often the destination's tables hold each of some versions. One whose
// demographics are not all there is not held, and one of which some are there twice is
// held twice. One that was refused for good is known as that.
func (r *Repository) Rows(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	parts, err := r.memory.Parts(ctx, d)
	if err != nil {
		return nil, err
	}
	table, err := r.table(ctx, synapse.EntityID(parts.ParticipantVersionTable))
	if err != nil {
		return nil, err
	}
	var codes []core.HealthCode
	for _, v := range versions {
		codes = append(codes, v.HealthCode)
	}
	held, err := r.client.Rows(ctx, table, codes)
	if err != nil {
		return nil, err
	}
	rows := make(map[reconcile.Row]int, len(held))
	for key, n := range held {
		rows[reconcile.Row{HealthCode: key.HealthCode, Version: key.Version}] = n
	}
	wanted := export.Demographics(versions, d.Study)
	if len(wanted) == 0 || parts.DemographicsTable == "" {
		return r.withUntaken(ctx, d.ID, rows)
	}
	if err := r.countDemographics(ctx, parts, wanted, rows); err != nil {
		return nil, err
	}
	return r.withUntaken(ctx, d.ID, rows)
}

// countDemographics corrects how often versions are held by what is held of their
// demographics.
func (r *Repository) countDemographics(ctx context.Context, parts core.RepositoryConfig, wanted []core.DemographicRow, rows map[reconcile.Row]int) error {
	table, err := r.table(ctx, synapse.EntityID(parts.DemographicsTable))
	if err != nil {
		return err
	}
	keys := make([]synapse.Key, 0, len(wanted))
	for _, row := range wanted {
		keys = append(keys, synapse.DemographicKey(row))
	}
	held, err := r.client.DemographicRows(ctx, table, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		version := reconcile.Row{HealthCode: key.HealthCode, Version: key.Version}
		switch n := held[key]; {
		case rows[version] == 0: // it has to be sent again anyway
		case n == 0:
			rows[version] = 0
		case n > 1:
			rows[version] = max(rows[version], n)
		}
	}
	return nil
}

// CheckVersions has nothing to compare: a row is appended once, and nobody but its
// owner changes the table.
func (r *Repository) CheckVersions(context.Context, core.Destination, []core.ParticipantVersion) error {
	return nil
}

// CheckView has nothing to compare: people make their own views there.
func (r *Repository) CheckView(context.Context, core.Destination, string, []core.FileViewRow) error {
	return nil
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
