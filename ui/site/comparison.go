package site

import (
	"context"
	"reflect"
	"strings"
	"time"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// comparison compares the repository with what it should hold: what is wrong first, and
// then the buttons that mend it.
type comparison struct {
	f       *page.Frame
	source  Comparer
	last    view.Comparison
	seen    view.Compared
	said    string    // when a person had it begin; empty once it is over
	cleared time.Time // when the removal of files began that was asked for here last
	text    *widget.Label
	plans   *fyne.Container
	working *widget.ProgressBarInfinite
	compare *page.Button
	repair  *page.Button
	remove  *page.Button
	all     fyne.CanvasObject
}

func newComparison(f *page.Frame, source Comparer) *comparison {
	c := &comparison{f: f, source: source, text: page.Plain(f.Say("compare.none")), plans: container.NewVBox(), working: widget.NewProgressBarInfinite()}
	c.compare = page.NewButton(f, f.Say("compare.name"), theme.SearchIcon(), func() { c.do(c.source.Compare, f.Say("compare.begun")) })
	c.repair = page.NewButton(f, f.Say("compare.repair"), theme.ViewRefreshIcon(), func() { c.do(c.source.Repair, f.Say("compare.repairs")) })
	c.remove = page.NewButton(f, f.Say("compare.remove"), theme.DeleteIcon(), c.askToRemove)
	c.working.Stop()
	c.working.Hide()
	c.enable()
	c.all = container.NewVBox(page.Heading(f.Say("compare.heading")), page.Buttons(c.compare, c.repair, c.remove), c.text, c.working, c.plans)
	return c
}

// do begins something, says so until it is over, and shows how far it is.
func (c *comparison) do(what func(context.Context) error, said string) {
	c.f.DoThen(what, func() {
		c.f.Tell(said)
		c.said = said
	})
}

// askToRemove removes what belongs to no record once a person knows what that means.
func (c *comparison) askToRemove() {
	plans := c.last.WithOrphans() // those that they saw
	c.f.ConfirmForGood(c.f.Say("compare.ask"), c.f.Reader().Orphaned(c.last), c.f.Say("compare.remove"), func() {
		c.do(func(ctx context.Context) error { return c.source.Remove(ctx, plans) }, c.f.Say("compare.removes"))
	})
}

// update asks how far it is.
func (c *comparison) update() {
	c.f.Ask("comparison", func(ctx context.Context) (func(), error) {
		last, err := c.source.Compared(ctx)
		return func() { c.show(last) }, err
	})
}

func (c *comparison) show(last view.Comparison) {
	if last.Since != nil && last.Mends {
		if c.said == c.f.Say("compare.removes") {
			c.cleared = *last.Since
		}
		last.Clears = last.Since.Equal(c.cleared)
	}
	seen := c.f.Reader().Compared(last)
	c.last = last
	ended := !seen.Running && (c.seen.Running || c.said != "") // it may be over before anyone saw that it ran
	if !ended && reflect.DeepEqual(seen, c.seen) {
		return
	}
	c.seen = seen
	c.text.SetText(seen.Text)
	c.plans.Objects = nil
	for _, plan := range seen.Plans {
		icon := theme.ConfirmIcon()
		if len(plan.Lines) > 0 {
			icon = theme.WarningIcon()
		}
		c.plans.Add(container.NewBorder(nil, nil, widget.NewIcon(icon), nil, page.Plain(strings.Join(append([]string{plan.Text}, plan.Lines...), "\n"))))
	}
	c.plans.Refresh()
	if seen.Running {
		c.working.Start()
		c.working.Show()
	} else {
		c.working.Stop()
		c.working.Hide()
	}
	c.enable()
	if ended {
		c.f.Over(c.said)
		c.said = ""
		c.f.See(c.all) // what came of it may be longer than what it came to
	}
}

// enable lets a person do what can help.
func (c *comparison) enable() {
	for button, can := range map[*page.Button]bool{c.compare: !c.seen.Running, c.repair: c.seen.Mend, c.remove: c.seen.Orphans > 0} {
		page.Enable(button, can)
	}
}
