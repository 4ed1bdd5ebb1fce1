package analysis

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"footbridge/sync/remote"
	"footbridge/sync/synapse"
)

// The rules here are: there are no keys of our own. The token service lends some, which
// are renewed while they are still good; where a bucket refuses them all the same, new
// ones are tried once. They are in memory only.

// loans are what the token service lent. Safe for concurrent use.
type loans struct {
	mu      sync.Mutex
	shelves map[int64]shelf // by storage location; without a bucket: the repository's own
	lent    map[synapse.EntityID]*loan
}

// loan is the keys to one shelf. Whoever renews it holds it.
type loan struct {
	mu     sync.Mutex
	remote *remote.Remote
	as     Bucket
	until  time.Time
}

const (
	loanRest  = 30 * time.Minute // that keys must be good for, at least
	loanMost  = 11 * time.Hour   // and at most; they are lent for twelve
	loanSpeed = 64 << 10         // bytes a second that a slow line carries
)

// lasting is how long keys must be good for, so that so many bytes may be sent.
func lasting(size int64) time.Duration {
	return min(loanRest+time.Duration(size/loanSpeed)*time.Second, loanMost)
}

// borrow does something with a shelf, with keys that last, and once more with new ones
// where the bucket refuses those.
func (r *Repository) borrow(ctx context.Context, s shelf, lasts time.Duration, do func(*remote.Remote) error) error {
	at, err := r.lend(ctx, s, lasts, nil)
	if err != nil {
		return err
	}
	err = do(at)
	if kind := remote.TroubleOf(err); kind != remote.WrongKey && kind != remote.NotAllowed {
		return err
	}
	if at, err = r.lend(ctx, s, lasts, at); err != nil {
		return err
	}
	return do(at)
}

// lend gives the shelf as a remote, with keys that are good for a while; refused is
// one whose keys are not.
func (r *Repository) lend(ctx context.Context, s shelf, lasts time.Duration, refused *remote.Remote) (*remote.Remote, error) {
	as := r.bucket()
	if as.Name != s.Bucket {
		return nil, refusal(nil, fmt.Sprintf("the bytes of this project lie in the bucket %[1]s, and the settings do not name it: footbridge config set repository.s3.bucket %[1]s", s.Bucket))
	}
	r.loans.mu.Lock()
	l := r.loans.lent[s.folder]
	if l == nil {
		l = &loan{}
		r.loans.lent[s.folder] = l
	}
	r.loans.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.remote != nil && l.remote != refused && l.as == as && time.Until(l.until) >= lasts {
		return l.remote, nil
	}
	keys, err := r.client.Credentials(ctx, s.folder, true)
	if errors.Is(err, synapse.ErrInvalid) {
		err = refusal(err, "the repository lends no keys to the bucket of this project; see that its storage location has direct access (STS)")
	}
	if err != nil {
		return nil, err
	}
	opened, err := remote.OpenBucket(ctx, remote.Bucket{
		Name: s.Bucket, Prefix: s.BaseKey, Provider: as.Provider, Region: as.Region, Endpoint: as.Endpoint,
		AccessKeyID: keys.AccessKeyID, SecretAccessKey: keys.SecretAccessKey, SessionToken: keys.SessionToken,
	})
	if err != nil {
		return nil, err
	}
	l.remote, l.as, l.until = opened, as, keys.Expiration
	return opened, nil
}
