package projects

import (
	"context"
	"footbridge/core"
	"footbridge/sync/reconcile"
)

// Put sends the bytes of an object.
func (k *Keeper) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	r, err := k.named()
	if err != nil {
		return "", err
	}
	receipt, err := r.Put(ctx, d, o)
	k.noteRefusal(ctx, d.ID, err)
	return receipt, err
}

// Verify asks whether what was put is there.
func (k *Keeper) Verify(ctx context.Context, d core.Destination, o core.Object, receipt string) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.Verify(ctx, d, o, receipt)
}

// Describe lets an object be seen with its metadata.
func (k *Keeper) Describe(ctx context.Context, d core.Destination, o core.Object, receipt string) (string, error) {
	r, err := k.named()
	if err != nil {
		return "", err
	}
	return r.Describe(ctx, d, o, receipt)
}

// PutVersions brings the table Participant Versions up to date.
func (k *Keeper) PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.PutVersions(ctx, d, versions)
}

// PutView brings the file view of a date up to date.
func (k *Keeper) PutView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.PutView(ctx, d, date, rows)
}

// Check compares an object with what is there.
func (k *Keeper) Check(ctx context.Context, d core.Destination, o core.Object) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.Check(ctx, d, o)
}

// Walk visits what is there.
func (k *Keeper) Walk(ctx context.Context, d core.Destination, visit func(string) error) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.Walk(ctx, d, visit)
}

// Rows counts rows of the table Participant Versions.
func (k *Keeper) Rows(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	r, err := k.named()
	if err != nil {
		return nil, err
	}
	return r.Rows(ctx, d, versions)
}

// CheckVersions compares the table Participant Versions.
func (k *Keeper) CheckVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.CheckVersions(ctx, d, versions)
}

// CheckView compares the file view of a date.
func (k *Keeper) CheckView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.CheckView(ctx, d, date, rows)
}

// Remove takes an object out of the repository.
func (k *Keeper) Remove(ctx context.Context, d core.Destination, o core.Object) error {
	r, err := k.named()
	if err != nil {
		return err
	}
	return r.Remove(ctx, d, o)
}
