package projects

import (
	"context"
	"fmt"
	"footbridge/core"
)

// memory is what the connector remembers: the store, and the projects that are made
// when they are asked for (analysis.Memory).
type memory struct{ *Keeper }

// Unsent is that of the store. The same id is another table in another repository.
func (m memory) Unsent(ctx context.Context, d core.DestinationID, table string, versions []core.ParticipantVersion) ([]core.ParticipantVersion, error) {
	return m.config.Store.Unsent(ctx, d, m.Identity()+"/"+table, versions)
}

// Sent is that of the store.
func (m memory) Sent(ctx context.Context, d core.DestinationID, table string, versions []core.ParticipantVersion) error {
	return m.config.Store.Sent(ctx, d, m.Identity()+"/"+table, versions)
}

// Memo is that of the store.
func (m memory) Memo(ctx context.Context, name string) []byte { return m.config.Store.Memo(ctx, name) }

// Keep is that of the store.
func (m memory) Keep(ctx context.Context, name string, text []byte) error {
	return m.config.Store.Keep(ctx, name, text)
}

// Parts gives the parts of a destination's project.
func (m memory) Parts(ctx context.Context, d core.Destination) (core.RepositoryConfig, error) {
	p, err := m.Project(ctx, d.ID)
	if err == nil && p.Pending {
		err = m.finish(ctx, p)
		if err == nil {
			p, err = m.Project(ctx, d.ID)
		}
	}
	if err == nil && m.ours(p) != p.Parts {
		err = fmt.Errorf("find the project of %s: it was made in another repository: %w", d.ID, core.ErrOtherRepository)
	}
	return p.Parts, err
}
