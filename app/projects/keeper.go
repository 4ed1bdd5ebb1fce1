package projects

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"footbridge/app/analysis"
	"footbridge/app/config"
	"footbridge/app/folders"
	"footbridge/core"
	"footbridge/store"
	"footbridge/sync/push"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse"
)

// The rules here are: the settings say which repository there is, and are asked
// each time; a destination whose project is asked for and not made yet waits until
// it is, and each record that would go there tries.

// SynapseSpec begins the name of a repository that is Synapse.
const SynapseSpec = "synapse:"

// Config says what a keeper works with.
type Config struct {
	Home     string
	App      core.AppID
	Store    *store.Store
	Settings func() config.Settings
	Token    func(context.Context) (string, error)    // of the repository
	Backfill func(context.Context, core.UserID) error // makes a participant version that lacks
	Made     func()                                   // told whenever a project is made
	Log      *slog.Logger
}

// Keeper keeps the projects, and is the repository that they are in (push.Repository,
// reconcile.Repository). Safe for concurrent use.
type Keeper struct {
	config   Config
	folders  *folders.Repository
	attempts attempts
	making   sync.Mutex

	mu       sync.Mutex
	endpoint string // of analyses
	analyses *analysis.Repository
}

// New makes a keeper. Close closes what it opens.
func New(c Config) *Keeper {
	k := &Keeper{config: c}
	k.folders = folders.New(folders.NewRoot(c.Home, func() string { return c.Settings().Repository }), k.stands)
	return k
}

// Close closes idle connections. It is idempotent.
func (k *Keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.analyses == nil {
		return nil
	}
	err := k.analyses.Close()
	k.analyses = nil
	return err
}

// Folders is the repository of the settings where it is one of files.
func (k *Keeper) Folders() *folders.Repository { return k.folders }

// repositoryOfAll is a repository for every purpose.
type repositoryOfAll interface {
	push.Repository
	reconcile.Repository

	// Remove takes an object out, with what is said of it. One that is not there is
	// removed already.
	Remove(ctx context.Context, d core.Destination, o core.Object) error
}

// named gives the repository of the settings.
func (k *Keeper) named() (repositoryOfAll, error) {
	if !strings.HasPrefix(k.config.Settings().Repository, SynapseSpec) {
		return k.folders, nil
	}
	return k.Synapse()
}

// Identity tells one repository from another, and nothing else of it. A key that is
// changed makes it no other one.
func (k *Keeper) Identity() string {
	sum := sha256.Sum256([]byte(strings.TrimRight(config.Shown(k.config.Settings().Repository), "/")))
	return hex.EncodeToString(sum[:8])
}

// ErrNoSynapse says that the settings name another kind of repository.
var ErrNoSynapse = errors.New("the repository is not Synapse")

// Synapse gives the repository where the settings say that it is Synapse. Errors:
// ErrNoSynapse.
func (k *Keeper) Synapse() (*analysis.Repository, error) {
	endpoint, ok := strings.CutPrefix(k.config.Settings().Repository, SynapseSpec)
	if !ok {
		return nil, ErrNoSynapse
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.analyses != nil && k.endpoint == endpoint {
		return k.analyses, nil
	}
	client, err := synapse.Open(endpoint, synapse.Config{Token: k.config.Token})
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	if k.analyses != nil {
		k.analyses.Close()
	}
	k.endpoint, k.analyses = endpoint, analysis.New(client, memory{k}, k.tell, k.Bucket)
	return k.analyses, nil
}

// Hitch gives why a call to the repository is being repeated at this moment; false where
// none is (push.Config).
func (k *Keeper) Hitch() (push.Hitch, bool) {
	r, err := k.Synapse()
	if err != nil {
		return push.Hitch{}, false // files are asked once
	}
	hitch, is := r.Hitch()
	return push.Hitch{Answer: hitch.Err, Since: hitch.Since, Next: hitch.Next}, is
}

// tell keeps what was cut of a record among its messages; what concerns no record
// is for the log.
func (k *Keeper) tell(ctx context.Context, record core.UploadID, reasons []core.Reason) error {
	var messages []string
	for _, reason := range reasons {
		messages = append(messages, reason.Message)
	}
	if record == "" {
		k.config.Log.Warn("the repository does not take all", "reasons", messages)
		return nil
	}
	return k.config.Store.Tell(ctx, record, messages)
}
