package appliance

import (
	"context"
	"crypto/sha256"
	"time"

	"footbridge/core"
)

// keyTime is how soon a new token or key is seen where one is wanting.
const keyTime = 2 * time.Second

// awaitKey lets what waits for a token or key go at once when there is another one.
func (a *Appliance) awaitKey(ctx context.Context) {
	tick := time.NewTicker(keyTime)
	defer tick.Stop()
	var refused *[sha256.Size]byte // the keys that do not do; nil while nothing is wanting
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if a.pusher.Trouble() != core.ReasonNeedsToken && !a.unmade.lacks(core.ReasonNeedsToken) {
			refused = nil
			continue
		}
		given := a.keysGiven(ctx)
		if refused != nil && *refused != given {
			a.log.Info("there is another token or key for the repository")
			a.hurry()
		}
		refused = &given
	}
}

// keysGiven tells one set of keys for the repository from another.
func (a *Appliance) keysGiven(ctx context.Context) [sha256.Size]byte {
	token, err := a.ring.RepositoryToken(ctx)
	if err != nil {
		token = ""
	}
	return sha256.Sum256([]byte(token + "\n" + a.repository.spec() + "\n" + a.repository.configured()))
}
