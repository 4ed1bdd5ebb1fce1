package founder_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/founder"
	"footbridge/ui/guide"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"
)

var (
	_ guide.Founder = (*founder.Founder)(nil)
	_ guide.Device  = (*founder.Founder)(nil)
)

// site is a founder at work, and what serves what it makes.
type site struct {
	*founder.Founder
	home  string
	fails error // of what serves
}

func begin(t *testing.T) *site {
	t.Helper()
	s := &site{home: filepath.Join(t.TempDir(), "clinic")}
	s.Founder = founder.New(founder.Config{Home: s.home, Serve: s.serve, Reader: view.Reader{Tongue: tongue.In("fr"), Window: true}})
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	return s
}

// serve serves on this machine alone.
func (s *site) serve(ctx context.Context, opened func(founder.Door), show func(context.Context, *control.Client) error) error {
	if err := s.fails; err != nil {
		s.fails = nil
		return err
	}
	a, err := appliance.Open(ctx, s.home, nil)
	if err != nil {
		return err
	}
	defer a.Close()
	in, err := door.Open(door.Place{Address: "127.0.0.1:0"}, a.Identity)
	if err != nil {
		return err
	}
	opened(founder.Door{Addresses: []string{in.URL(), "https://10.0.0.7:8443"}, Fingerprint: in.Fingerprint})
	return a.Run(ctx, show, in.Listener)
}

func draft(home string) plan.Draft {
	d := plan.New(home)
	for field, text := range map[plan.Field]string{
		plan.Site: "Mbabane clinic", plan.Email: "ana@clinic.org", plan.Password: "Right-as-rain-1", plan.Again: "Right-as-rain-1",
	} {
		d.Put(field, text)
	}
	return d.Copy()
}

// A site is made and serves, and a test upload gets into its repository by the way that
// every upload takes.
func TestASiteIsFounded(t *testing.T) {
	s := begin(t)
	d := draft(s.home)
	if trial, err := s.Try(t.Context(), d); err != nil || !trial.OK {
		t.Fatalf("the trial: %+v (%v)", trial, err)
	}
	if _, err := s.Send(t.Context()); err == nil {
		t.Error("something was sent to a site that does not serve")
	}
	founded, err := s.Found(t.Context(), d)
	if err != nil || founded.Waits != "" || len(founded.Addresses) != 1 || founded.Addresses[0] != "https://10.0.0.7:8443" || len(founded.Fingerprint) != 95 {
		t.Fatalf("founded is %+v (%v)", founded, err)
	}
	if again, err := s.Found(t.Context(), d); err != nil || again.Fingerprint != founded.Fingerprint {
		t.Errorf("again it is %+v (%v)", again, err)
	}
	for range 2 {
		id, err := s.Send(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for limit := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			upload, err := s.Upload(t.Context(), id)
			if err != nil || time.Now().After(limit) {
				t.Fatalf("after a minute it is %+v (%v)", upload, err)
			}
			if upload.Over() {
				if last := upload.Stages[len(upload.Stages)-1].Sentence; last != "Envoyé vers study-1." {
					t.Errorf("in the end it says %q", last)
				}
				break
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(s.home, "repository", "study-1", "raw-data", "*", "*-test-upload.txt"))
	if err != nil || len(files) != 2 {
		t.Fatalf("in the repository are %v (%v)", files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.HasPrefix(string(text), "Footbridge tries itself out.") {
		t.Errorf("it holds %q (%v)", text, err)
	}
	var left []string
	for _, name := range []string{s.home + ".making", s.home + ".making.lock"} {
		if _, err := os.Stat(name); err == nil {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// A site that cannot serve yet is made, says why, and serves when it is asked again.
func TestASiteThatCannotServeYet(t *testing.T) {
	s := begin(t)
	s.fails = errors.New("the door is taken")
	if _, err := s.Found(t.Context(), draft(s.home)); err == nil || !strings.Contains(err.Error(), "the door is taken") {
		t.Errorf("it says %v", err)
	}
	if err := appliance.IsMade(s.home); err != nil {
		t.Error(err)
	}
	if _, err := s.Found(t.Context(), draft(s.home)); err != nil {
		t.Errorf("once it is free: %v", err)
	}
}

// A site is made though its repository is away, and says what its records wait for; what
// the forms ask for is in its rclone.conf.
func TestASiteWhoseRepositoryIsAway(t *testing.T) {
	s := begin(t)
	d := plan.New(s.home)
	for field, text := range map[plan.Field]string{
		plan.Site: "North", plan.Email: "ana@clinic.org", plan.Password: "Right-as-rain-1", plan.Address: "http://127.0.0.1:1/dav", plan.User: "ana", plan.UserPass: "p4ss",
	} {
		d.Put(field, text)
	}
	d.Place = plan.WebDAV
	trial, err := s.Try(t.Context(), d.Copy())
	if err != nil || trial.OK || len(trial.Wrong) != 3 || trial.Wrong[0] != "Rien ne répond à son adresse." {
		t.Errorf("the trial is %+v (%v)", trial, err)
	}
	founded, err := s.Found(t.Context(), d.Copy())
	if err != nil || founded.Waits != "le dépôt est injoignable" {
		t.Errorf("founded is %+v (%v)", founded, err)
	}
	conf, err := os.ReadFile(filepath.Join(s.home, "rclone.conf"))
	if err != nil || !strings.Contains(string(conf), "url = http://127.0.0.1:1/dav\n") || strings.Contains(string(conf), "p4ss") {
		t.Errorf("rclone.conf is %s (%v)", conf, err)
	}
	if info, err := os.Stat(filepath.Join(s.home, "rclone.conf")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v (%v)", info.Mode(), err)
	}
}
