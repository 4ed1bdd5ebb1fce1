package site

import (
	"context"
	"slices"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// regrets lets a person decide what becomes of the records of those who share no more.
// Where there is nothing to decide, nothing is seen of it.
type regrets struct {
	f       *page.Frame
	source  Withdrawer
	changed func() // told once others are known
	known   []view.Regret
	people  *fyne.Container
	all     *fyne.Container
}

func newRegrets(f *page.Frame, source Withdrawer) *regrets {
	r := &regrets{f: f, source: source, people: container.NewVBox()}
	r.all = container.NewVBox(page.Heading(f.Say("regrets.heading")), r.people, widget.NewSeparator())
	r.all.Hide()
	return r
}

// update asks who they are.
func (r *regrets) update() {
	r.f.Ask("regrets", func(ctx context.Context) (func(), error) {
		known, err := r.source.Regrets(ctx)
		return func() { r.show(known) }, err
	})
}

func (r *regrets) show(known []view.Regret) {
	if slices.Equal(known, r.known) {
		return
	}
	r.known = known
	r.people.Objects = nil
	for _, regret := range known {
		r.people.Add(container.NewVBox(
			container.NewBorder(nil, nil, widget.NewIcon(theme.WarningIcon()), nil, page.Plain(r.f.Say("regrets.person", "who", regret.Name))),
			page.Buttons(
				page.NewButton(r.f, r.f.Say("regrets.take"), theme.DeleteIcon(), func() { r.count(regret) }),
				page.NewButton(r.f, r.f.Say("regrets.leave"), theme.ConfirmIcon(), func() { r.askToKeep(regret) }),
			),
		))
	}
	if len(known) > 0 {
		r.all.Show()
	} else {
		r.all.Hide()
	}
	r.all.Refresh()
	r.changed()
}

// count finds out what would be taken out, and asks then.
func (r *regrets) count(regret view.Regret) {
	r.f.Await(func(ctx context.Context) (func(), error) {
		n, err := r.source.Withdrawable(ctx, regret.Participant)
		return func() { r.askToWithdraw(regret, n) }, err
	})
}

func (r *regrets) askToWithdraw(regret view.Regret, records int) {
	r.f.ConfirmForGood(r.f.Say("regrets.take_ask", "who", regret.Name), r.f.Count("regrets.take_why", records), r.f.Say("regrets.take_do"), func() {
		r.f.Do(func(ctx context.Context) error { return r.source.Withdraw(ctx, regret.Participant) }, r.f.Say("regrets.taken", "who", regret.Name))
	})
}

func (r *regrets) askToKeep(regret view.Regret) {
	r.f.Confirm(r.f.Say("regrets.leave_ask", "who", regret.Name), r.f.Say("regrets.leave_why"), r.f.Say("regrets.leave_do"), func() {
		r.f.Do(func(ctx context.Context) error { return r.source.Keep(ctx, regret.Participant) }, r.f.Say("regrets.left", "who", regret.Name))
	})
}
