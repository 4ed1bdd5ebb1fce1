package appliance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"footbridge/app/analysis"
	"footbridge/app/config"
	"footbridge/core"
	"footbridge/sync/push"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse"
)

// The rules here are: the settings say which repository there is, and are asked
// each time; a destination whose project is asked for and not made yet waits until
// it is, and each record that would go there tries.

// synapseSpec begins the name of a repository that is Synapse.
const synapseSpec = "synapse:"

// place is the repository that the settings name (push.Repository). Safe for
// concurrent use.
type place struct {
	*Appliance

	mu       sync.Mutex
	endpoint string // of analyses
	analyses *analysis.Repository
}

// repositoryOfAll is a repository for every purpose.
type repositoryOfAll interface {
	push.Repository
	reconcile.Repository
	remover
}

// named gives the repository of the settings.
func (p *place) named() (repositoryOfAll, error) {
	if !strings.HasPrefix(p.live.Settings().Repository, synapseSpec) {
		return p.folders, nil
	}
	return p.synapse()
}

// identity tells one repository from another, and nothing else of it. A key that is
// changed makes it no other one.
func (p *place) identity() string {
	sum := sha256.Sum256([]byte(strings.TrimRight(config.Shown(p.live.Settings().Repository), "/")))
	return hex.EncodeToString(sum[:8])
}

// errNoSynapse says that the settings name another kind of repository.
var errNoSynapse = errors.New("the repository is not Synapse")

// synapse gives the repository where the settings say that it is Synapse. Errors:
// errNoSynapse.
func (p *place) synapse() (*analysis.Repository, error) {
	endpoint, ok := strings.CutPrefix(p.live.Settings().Repository, synapseSpec)
	if !ok {
		return nil, errNoSynapse
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.analyses != nil && p.endpoint == endpoint {
		return p.analyses, nil
	}
	client, err := synapse.Open(endpoint, synapse.Config{Token: p.ring.RepositoryToken})
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	if p.analyses != nil {
		p.analyses.Close()
	}
	p.endpoint, p.analyses = endpoint, analysis.New(client, memory{p.Appliance}, p.tell, p.bucket)
	return p.analyses, nil
}

// tell keeps what was cut of a record among its messages; what concerns no record
// is for the log.
func (p *place) tell(ctx context.Context, record core.UploadID, reasons []core.Reason) error {
	var messages []string
	for _, reason := range reasons {
		messages = append(messages, reason.Message)
	}
	if record == "" {
		p.log.Warn("the repository does not take all", "reasons", messages)
		return nil
	}
	return p.store.Tell(ctx, record, messages)
}

// Put sends the bytes of an object.
func (p *place) Put(ctx context.Context, d core.Destination, o core.Object) (string, error) {
	r, err := p.named()
	if err != nil {
		return "", err
	}
	receipt, err := r.Put(ctx, d, o)
	p.noteRefusal(ctx, d.ID, err)
	return receipt, err
}

// Verify asks whether what was put is there.
func (p *place) Verify(ctx context.Context, d core.Destination, o core.Object, receipt string) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.Verify(ctx, d, o, receipt)
}

// Describe lets an object be seen with its metadata.
func (p *place) Describe(ctx context.Context, d core.Destination, o core.Object, receipt string) (string, error) {
	r, err := p.named()
	if err != nil {
		return "", err
	}
	return r.Describe(ctx, d, o, receipt)
}

// PutVersions brings the table Participant Versions up to date.
func (p *place) PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.PutVersions(ctx, d, versions)
}

// PutView brings the file view of a date up to date.
func (p *place) PutView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.PutView(ctx, d, date, rows)
}

// Check compares an object with what is there.
func (p *place) Check(ctx context.Context, d core.Destination, o core.Object) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.Check(ctx, d, o)
}

// Walk visits what is there.
func (p *place) Walk(ctx context.Context, d core.Destination, visit func(string) error) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.Walk(ctx, d, visit)
}

// Rows counts rows of the table Participant Versions.
func (p *place) Rows(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	r, err := p.named()
	if err != nil {
		return nil, err
	}
	return r.Rows(ctx, d, versions)
}

// CheckVersions compares the table Participant Versions.
func (p *place) CheckVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.CheckVersions(ctx, d, versions)
}

// CheckView compares the file view of a date.
func (p *place) CheckView(ctx context.Context, d core.Destination, date string, rows []core.FileViewRow) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.CheckView(ctx, d, date, rows)
}

// Remove takes an object out of the repository.
func (p *place) Remove(ctx context.Context, d core.Destination, o core.Object) error {
	r, err := p.named()
	if err != nil {
		return err
	}
	return r.Remove(ctx, d, o)
}

// memory is what the connector remembers: the store, and the projects that are made
// when they are asked for (analysis.Memory).
type memory struct{ *Appliance }

// Unsent is that of the store.
func (m memory) Unsent(ctx context.Context, d core.DestinationID, versions []core.ParticipantVersion) ([]core.ParticipantVersion, error) {
	return m.store.Unsent(ctx, d, versions)
}

// Sent is that of the store.
func (m memory) Sent(ctx context.Context, d core.DestinationID, versions []core.ParticipantVersion) error {
	return m.store.Sent(ctx, d, versions)
}

// Memo is that of the store.
func (m memory) Memo(ctx context.Context, name string) []byte { return m.store.Memo(ctx, name) }

// Keep is that of the store.
func (m memory) Keep(ctx context.Context, name string, text []byte) error {
	return m.store.Keep(ctx, name, text)
}

// Parts gives the parts of a destination's project.
func (m memory) Parts(ctx context.Context, d core.Destination) (core.RepositoryConfig, error) {
	p, err := m.projectOf(ctx, d.ID)
	if err == nil && p.pending {
		err = m.finish(ctx, p)
		if err == nil {
			p, err = m.projectOf(ctx, d.ID)
		}
	}
	if err == nil && m.ours(p) != p.parts {
		err = fmt.Errorf("find the project of %s: it was made in another repository: %w", d.ID, core.ErrOtherRepository)
	}
	return p.parts, err
}
