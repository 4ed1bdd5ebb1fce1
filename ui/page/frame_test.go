package page_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
)

// What was told goes after a while, or once it holds no more; what keeps something from
// being shown stands until it is mended.
func TestWhatWasToldGoes(t *testing.T) {
	now := pagetest.Noon
	f := page.New(pagetest.App(t), page.Config{Now: func() time.Time { return now }}, nil)
	is := func(want string) {
		t.Helper()
		if f.Notice.Text != want {
			t.Errorf("it says %q, not %q", f.Notice.Text, want)
		}
	}
	f.Tell("It is saved.")
	now = now.Add(20 * time.Second)
	f.Fade()
	is("It is saved.")
	f.Over("It is sent.")
	is("It is saved.")
	now = now.Add(20 * time.Second)
	f.Fade()
	is("")
	f.Tell("It is compared.")
	f.Over("It is compared.")
	is("")

	var wrong error
	ask := func() {
		f.Ask("list", func(context.Context) (func(), error) { return func() {}, wrong })
		f.Step(t.Context())
	}
	wrong = errors.New("Nobody answers.")
	ask()
	now = now.Add(time.Hour)
	f.Fade()
	is("Nobody answers.")
	wrong = nil
	ask()
	is("")
}
