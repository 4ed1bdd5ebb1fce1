package founder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/core"
	"footbridge/sync/push"
	"footbridge/sync/remote"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"
)

const (
	tryTime  = 90 * time.Second // a line is dead after one minute
	patience = 20 * time.Second // of a person, with a repository that is to make a project
)

// Door is where devices come in.
type Door struct {
	Addresses   []string // as URLs, that of this machine first
	Fingerprint string   // of the certificate, hex SHA-256; empty without TLS
}

// Config says what a founder works with.
type Config struct {
	Home   string
	Reader view.Reader // who is told

	// Serve serves the home until show returns. It tells opened where devices come in,
	// and gives show a client of the appliance, with a context that ends where nobody
	// can be served any more. Errors: why it cannot, as a sentence.
	Serve func(ctx context.Context, opened func(Door), show func(context.Context, *control.Client) error) error
}

// Founder makes a site and has it served (guide.Founder, guide.Device). Safe for
// concurrent use.
type Founder struct {
	config Config
	wanted chan struct{} // the home is made, and is to be served
	came   chan arrival  // what came of that

	mu     sync.Mutex
	made   bool
	waits  string // why there is no project yet
	served *serving
	tester *tester
}

// serving is a site that serves.
type serving struct {
	client *control.Client
	door   Door
	app    core.AppID
	study  core.StudyID
}

// arrival is a site that began to serve, or why it does not.
type arrival struct {
	client *control.Client
	door   Door
	err    error
}

// New makes a founder. Nothing is served before Run.
func New(config Config) *Founder {
	return &Founder{config: config, wanted: make(chan struct{}), came: make(chan arrival)}
}

// Run serves the home, once it is made, until ctx ends.
func (f *Founder) Run(ctx context.Context) error {
	for {
		select {
		case <-f.wanted:
		case <-ctx.Done():
			return nil
		}
		opened, began := make(chan Door, 1), false
		err := f.config.Serve(ctx, func(d Door) {
			select {
			case opened <- d:
			default: // it moved; nobody asks any more
			}
		}, func(serving context.Context, client *control.Client) error {
			select {
			case d := <-opened:
				began = true
				f.arrive(ctx, arrival{client: client.For(f.config.Reader.Code(), f.config.Reader.Window), door: d})
				<-serving.Done()
			case <-serving.Done():
			}
			return nil
		})
		if began || ctx.Err() != nil {
			return err
		}
		if err == nil {
			err = errors.New("it stopped before it served")
		}
		f.arrive(ctx, arrival{err: err})
	}
}

// arrive tells whoever waits for the site to serve.
func (f *Founder) arrive(ctx context.Context, a arrival) {
	select {
	case f.came <- a:
	case <-ctx.Done():
	}
}

// Try tries out where records are to go, and leaves nothing there.
func (f *Founder) Try(ctx context.Context, d plan.Draft) (plan.Trial, error) {
	secrets, err := secretsOf(d)
	if err != nil {
		return plan.Trial{}, f.said(err)
	}
	ctx, stop := context.WithTimeout(ctx, tryTime)
	defer stop()
	tested, err := appliance.Try(ctx, f.config.Home, d.Spec(), secrets)
	shown := view.Trial{Repository: tested.Repository, OK: tested.OK}
	for _, check := range tested.Checks {
		shown.Checks = append(shown.Checks, view.Check{OK: check.OK, Text: check.Text, Trouble: string(check.Trouble)})
	}
	return plan.Trial{OK: shown.OK, Wrong: f.config.Reader.TrialLines(shown)}, f.said(err)
}

// said is an error in the reader's language, as far as the catalogue knows its words.
func (f *Founder) said(err error) error {
	if err == nil {
		return nil
	}
	return &spoken{f.config.Reader.Message(err.Error()), err}
}

// spoken is an error in other words.
type spoken struct {
	words string
	cause error
}

func (s *spoken) Error() string { return s.words }
func (s *spoken) Unwrap() error { return s.cause }

// Found makes the home, wholly or not at all, and serves it from then on. A home that
// it made stays as it is, and is served.
func (f *Founder) Found(ctx context.Context, d plan.Draft) (plan.Founded, error) {
	if err := f.make(ctx, d); err != nil {
		return plan.Founded{}, f.said(err)
	}
	if f.site() == nil {
		if err := f.serve(ctx, d); err != nil {
			return plan.Founded{}, f.said(err)
		}
	}
	site := f.site()
	f.mu.Lock()
	defer f.mu.Unlock()
	return plan.Founded{Addresses: outward(site.door.Addresses), Fingerprint: door.Grouped(site.door.Fingerprint), Waits: f.waits}, nil
}

// make makes the home where that is not done.
func (f *Founder) make(ctx context.Context, d plan.Draft) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.made {
		return nil
	}
	secrets, err := secretsOf(d)
	if err != nil {
		return err
	}
	made, err := appliance.MakeWhole(ctx, f.config.Home, appliance.Plan{
		App: core.AppID(d.Text(plan.App)), Study: core.StudyID(d.Text(plan.Study)), Name: d.Text(plan.Site),
		AdminEmail: d.Text(plan.Email), Password: d.Text(plan.Password), Repository: d.Spec(), Patience: patience,
	}, secrets)
	if err != nil {
		return err
	}
	f.made = true
	if made.NoProject != nil {
		f.waits = f.config.Reader.Reason(push.ReasonOf(made.NoProject))
	}
	return nil
}

// serve has the home served, and waits until it is.
func (f *Founder) serve(ctx context.Context, d plan.Draft) error {
	select {
	case f.wanted <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case a := <-f.came:
		if a.err != nil {
			return fmt.Errorf("the site is made, but cannot serve yet: %w", a.err)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.served = &serving{a.client, a.door, core.AppID(d.Text(plan.App)), core.StudyID(d.Text(plan.Study))}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// site is the one that serves; nil before.
func (f *Founder) site() *serving {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.served
}

// Client asks the site that serves; nil before.
func (f *Founder) Client() *control.Client {
	if site := f.site(); site != nil {
		return site.client
	}
	return nil
}

// outward gives the addresses at which others reach this machine; where there is none,
// its own.
func outward(all []string) []string {
	if len(all) > 1 {
		return all[1:]
	}
	return all
}

// secretsOf gives what the place of a draft is reached by.
func secretsOf(d plan.Draft) (appliance.Secrets, error) {
	var secrets appliance.Secrets
	switch d.Place {
	case plan.Synapse:
		secrets.Token = d.Text(plan.Token)
	case plan.Rclone:
		if file := d.Text(plan.Conf); file != "" {
			text, err := os.ReadFile(file)
			if err != nil {
				return secrets, fmt.Errorf("read rclone.conf: %w", err)
			}
			secrets.Rclone = text
		}
	case plan.S3, plan.SFTP, plan.WebDAV:
		obscured, err := remote.Obscured(d.Text(plan.UserPass))
		if err != nil {
			return secrets, fmt.Errorf("write rclone.conf: %w", err)
		}
		secrets.Rclone = []byte(d.RcloneConf(obscured))
	}
	return secrets, nil
}
