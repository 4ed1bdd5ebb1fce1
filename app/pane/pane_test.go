package pane_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/app/pane"
	"footbridge/core"
	"footbridge/ui"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

var _ ui.Appliance = (*pane.Pane)(nil)

// through looks at an appliance while it runs; the pane outlives it.
func through(t *testing.T, look func(context.Context, *pane.Pane)) *pane.Pane {
	t.Helper()
	home := filepath.Join(t.TempDir(), "h")
	_, err := appliance.Make(t.Context(), home, appliance.Plan{
		App: "test-app", Study: "sleep", AdminEmail: "admin@example.org", Password: "Right-as-rain-1", Repository: "folder:repository",
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := appliance.Open(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var p *pane.Pane
	err = a.Run(t.Context(), func(ctx context.Context, client *control.Client) error {
		p = pane.New(client, view.Reader{Window: true})
		look(ctx, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The window is told how things are, and has done what a person asks for.
func TestAnApplianceThroughAPane(t *testing.T) {
	p := through(t, func(ctx context.Context, p *pane.Pane) {
		site, err := p.Site(ctx)
		if err != nil || site.Overview.State != "ok" || len(site.Studies) != 1 || site.Studies[0] != "sleep" {
			t.Errorf("the site is %+v (%v)", site, err)
		}
		page, err := p.Uploads(ctx, view.UploadQuery{Standing: view.StandingSent, Study: "sleep", Text: " walk & more ", Size: 10})
		if err != nil || len(page.Rows) != 0 || page.Next != "" {
			t.Errorf("the uploads are %+v (%v)", page, err)
		}
		for name, do := range map[string]func(context.Context) error{
			"pause": p.Pause, "now": p.Now, "resume": p.Resume,
		} {
			if err := do(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := errors.Join(p.RetryAll(ctx), p.Compare(ctx), p.Remove(ctx, []view.Plan{{Destination: "sleep"}}), p.Repair(ctx)); err != nil {
			t.Errorf("what concerns all: %v", err)
		}
		if c, err := p.Compared(ctx); err != nil || c.State != "running" && c.State != "done" {
			t.Errorf("the comparison is %+v (%v)", c, err)
		}
		page, err = p.Uploads(ctx, view.UploadQuery{Since: time.Now().Add(-time.Hour), Until: time.Now()})
		if err != nil || len(page.Rows) != 0 {
			t.Errorf("the uploads of the last hour are %+v (%v)", page, err)
		}
		if len(site.Traffic.Days) != 30 || site.Traffic.Moves() {
			t.Errorf("the traffic is %+v", site.Traffic)
		}
		var refusal *control.Refusal
		if _, err := p.Upload(ctx, "no/upload"); !errors.As(err, &refusal) || refusal.Status != 404 {
			t.Errorf("an upload that is not there: %v", err)
		}
		for name, do := range map[string]func(context.Context, core.UploadID) error{"retry": p.Retry, "redrive": p.Redrive, "give up": p.GiveUp} {
			if err := do(ctx, "none"); !errors.As(err, &refusal) || refusal.Status != 404 {
				t.Errorf("%s what is not there: %v", name, err)
			}
		}
	})
	if _, err := p.Site(t.Context()); err == nil || err.Error() != (view.Reader{Window: true}).Say("window.answers_not") {
		t.Errorf("once it does not run, the site is told with %v", err)
	}
}

// The same appliance is looked at in another language, with one bell.
func TestAPaneInAnotherLanguage(t *testing.T) {
	p := through(t, func(ctx context.Context, p *pane.Pane) {
		french := p.In(tongue.In("fr"))
		if _, err := french.Upload(ctx, "no/upload"); err == nil || !strings.HasPrefix(err.Error(), "Introuvable : ") {
			t.Errorf("an upload that is not there: %v", err)
		}
		if french.Changes() != p.Changes() {
			t.Error("it has a bell of its own")
		}
	})
	if _, err := p.In(tongue.In("fr")).Site(t.Context()); err == nil || err.Error() != tongue.In("fr").Say("window.answers_not") {
		t.Errorf("once it does not run, the site is told with %v", err)
	}
}

// Settings are told, tried and changed, and the catalogue has words for each of them.
func TestSettings(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		all, err := p.Settings(ctx)
		if err != nil || len(all) < 16 {
			t.Fatalf("the settings are %+v (%v)", all, err)
		}
		var reader view.Reader
		for _, s := range all {
			if reader.SettingName(s) == s.Key || reader.SettingDoes(s) == "" {
				t.Errorf("the catalogue has no words for %s", s.Key)
			}
			if s.Asks && reader.SettingAsks(s) == "" {
				t.Errorf("nothing says what a change of %s brings with it", s.Key)
			}
			for _, choice := range s.Choices {
				if choice != "" && s.Key != "language" && reader.SettingValue(s, choice) == choice {
					t.Errorf("the catalogue has no words for %s where it is %s", s.Key, choice)
				}
			}
		}
		if tried, err := p.TrySetting(ctx, "sync.transfers", "17"); err != nil || tried.OK || tried.Why != "must be 1 to 16" {
			t.Errorf("17 transfers: %+v (%v)", tried, err)
		}
		if now, err := p.ChangeSetting(ctx, "sync.transfers", "2"); err != nil || now.Value != "2" {
			t.Errorf("now it is %+v (%v)", now, err)
		}
		var refusal *control.Refusal
		if _, err := p.ChangeSetting(ctx, "sync.transfers", "17"); !errors.As(err, &refusal) || refusal.Status != 400 {
			t.Errorf("what cannot work: %v", err)
		}
		if trial, err := p.TestRepository(ctx, ""); err != nil || !trial.OK {
			t.Errorf("the repository's trial is %+v (%v)", trial, err)
		}
		if trial, err := p.TestRepository(ctx, "folder:elsewhere"); err != nil || trial.OK || trial.Checks[len(trial.Checks)-1].Trouble != "no_folder" {
			t.Errorf("the trial of a folder that is not there is %+v (%v)", trial, err)
		}
	})
}

// Deeds come with what people call those who are named in them.
func TestDeedsNamePeople(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		id, _, err := p.CreateParticipant(ctx, "sleep", view.ParticipantForm{ExternalID: "P-17", FirstName: "Jo", Email: "jo@example.org", SharingScope: core.SponsorsAndPartners})
		if err == nil {
			err = p.WithdrawParticipant(ctx, "sleep", id, "", false)
		}
		if err != nil {
			t.Fatal(err)
		}
		page, err := p.Deeds(ctx, "", 2)
		if err != nil || len(page.Deeds) != 2 {
			t.Fatalf("%+v (%v)", page, err)
		}
		for _, d := range page.Deeds {
			if _, what := (view.Reader{Window: true, Zone: time.UTC}).Deed(d); !strings.HasSuffix(what, ": study sleep, participant P-17.") {
				t.Errorf("said is %s", what)
			}
		}
	})
}

// The last deeds come first; what changed nothing is none.
func TestDeeds(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		for range 3 {
			if err := errors.Join(p.Pause(ctx), p.Resume(ctx), p.Resume(ctx)); err != nil {
				t.Fatal(err)
			}
		}
		page, err := p.Deeds(ctx, "", 1)
		if err != nil || len(page.Deeds) != 1 || page.Next == "" {
			t.Fatalf("%+v (%v)", page, err)
		}
		deeds := page.Deeds
		if page, err = p.Deeds(ctx, page.Next, 2); err != nil || len(page.Deeds) != 2 {
			t.Fatalf("%+v (%v)", page, err)
		}
		deeds = append(deeds, page.Deeds...)
		for i, want := range []core.DeedKind{core.DeedSyncResumed, core.DeedSyncPaused, core.DeedSyncResumed} {
			if deeds[i].Did != want {
				t.Errorf("deed %d is %s, not %s", i, deeds[i].Did, want)
			}
		}
	})
}

// The bell is heard, and silence too.
func TestTheBell(t *testing.T) {
	hear := func(p *pane.Pane) {
		t.Helper()
		select {
		case <-p.Changes():
		case <-time.After(time.Minute):
			t.Fatal("nothing rings")
		}
	}
	listening, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	p := through(t, func(ctx context.Context, p *pane.Pane) {
		go func() {
			defer close(ended)
			p.Listen(listening)
		}()
		hear(p) // it listens
		if err := p.Pause(ctx); err != nil {
			t.Fatal(err)
		}
		hear(p)
	})
	hear(p) // what rang before, perhaps
	hear(p) // the line broke
	stop()
	<-ended
}
