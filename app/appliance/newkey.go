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
	var tried [sha256.Size]byte // the keys that what waits was let go for
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if a.pusher.Trouble() != core.ReasonNeedsToken && !a.projects.Lacks(core.ReasonNeedsToken) {
			continue
		}
		if given := a.keysGiven(ctx); given != tried { // the first time they may be new, too
			tried = given
			a.hurry()
		}
	}
}

// keysGiven tells one set of keys for the repository from another.
func (a *Appliance) keysGiven(ctx context.Context) [sha256.Size]byte {
	token, err := a.ring.RepositoryToken(ctx)
	if err != nil {
		token = ""
	}
	return sha256.Sum256([]byte(token + "\n" + a.projects.Folders().Spec() + "\n" + a.projects.Folders().Configured()))
}
