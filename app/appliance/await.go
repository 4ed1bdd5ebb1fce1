package appliance

import (
	"context"
	"crypto/sha256"
	"time"

	"footbridge/core"
)

// seenTime is how soon it is seen that what was wanting is there.
const seenTime = 2 * time.Second

// awaitRepository lets what waits go at once when what it waits for is there: another
// token or key, or the folder that the repository is.
func (a *Appliance) awaitRepository(ctx context.Context) {
	tick := time.NewTicker(seenTime)
	defer tick.Stop()
	var tried [sha256.Size]byte // what was there when what waits was let go
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		trouble := a.pusher.Trouble()
		if trouble != core.ReasonNeedsToken && trouble != core.ReasonRepositoryMissing && !a.projects.Lacks(core.ReasonNeedsToken) {
			continue
		}
		if given := a.given(ctx); given != tried { // the first time it may be new, too
			tried = given
			a.hurry()
		}
	}
}

// given tells one set of keys for the repository from another, and whether its folder is
// there.
func (a *Appliance) given(ctx context.Context) [sha256.Size]byte {
	token, err := a.ring.RepositoryToken(ctx)
	if err != nil {
		token = ""
	}
	return sha256.Sum256([]byte(token + "\n" + a.projects.Folders().Spec() + "\n" + a.projects.Folders().Configured() + "\n" + a.projects.Folders().Lies()))
}
