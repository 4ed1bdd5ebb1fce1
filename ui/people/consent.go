package people

import (
	"context"
	"slices"
	"strings"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// scopes is a choice of how far data may travel, each with what it means below it.
type scopes struct {
	chosen  core.SharingScope
	options []*page.Option
	all     *fyne.Container
}

// newScopes makes the choice; the scope that holds is chosen.
func (p *Page) newScopes(holds core.SharingScope) *scopes {
	s := &scopes{chosen: holds, all: container.NewVBox()}
	for _, scope := range view.SharingScopes() {
		name := p.f.Say("sharing." + string(scope))
		one := page.NewOption(p.f, name, func() { s.choose(scope) })
		s.options = append(s.options, one)
		s.all.Add(one)
		means := page.Plain(p.f.Say("consent." + string(scope)))
		s.all.Add(container.New(layout.NewCustomPaddedLayout(-8, 0, 18, 0), means)) // below its name
	}
	s.choose(holds)
	return s
}

// choose chooses one, and none of the others.
func (s *scopes) choose(scope core.SharingScope) {
	s.chosen = scope
	for i, one := range s.options {
		one.Choose(view.SharingScopes()[i] == scope)
	}
}

// first is the one that is chosen, and where none is, the first.
func (s *scopes) first() fyne.Focusable {
	return s.options[max(slices.IndexFunc(s.options, (*page.Option).Chosen), 0)]
}

// askConsent asks how far the participant who is shown agreed to share.
func (p *Page) askConsent() {
	study, person := p.detail.study, p.detail.person
	choice := p.newScopes(person.SharingScope)
	content := container.NewVBox(page.Plain(p.f.Say("people.consent_intro")), choice.all)
	ready := func() (func(context.Context) error, []lack) {
		scope := choice.chosen
		return func(ctx context.Context) error { return p.clerk.RecordConsent(ctx, study, person.ID, scope) }, nil
	}
	p.openSheet(p.f.Say("people.consent_title", "who", p.called()), p.f.Say("people.save"), content, nil, ready, func() {
		p.f.Tell(p.f.Say("people.said_consented"))
	})
	p.f.Window.Canvas().Focus(choice.first())
}

// askWithdraw asks whether the participant who is shown leaves the study, and says what
// becomes of what they sent.
func (p *Page) askWithdraw() {
	study, person, who := p.detail.study, p.detail.person, p.called()
	stop := page.NewCheck(p.f, p.f.Say("people.withdraw_stop"))
	why := page.NewEntry(p.f, "", nil)
	content := container.NewVBox(page.Plain(p.f.Say("people.withdraw_means")))
	if person.SharingScope.Allows() {
		content.Add(stop)
		content.Add(page.Plain(p.f.Say("people.withdraw_stop_means")))
	}
	answers := []*answer{newAnswer("withdrawalNote", p.f.Say("people.withdraw_why"), "", why, nil)}
	content.Add(newFields(answers))
	ready := func() (func(context.Context) error, []lack) {
		note, ends := strings.TrimSpace(why.Text), stop.Checked
		return func(ctx context.Context) error {
			return p.clerk.WithdrawParticipant(ctx, study, person.ID, note, ends)
		}, nil
	}
	s := p.openSheet(p.f.Say("people.withdraw_title", "who", who, "study", study), p.f.Say("people.withdraw_do"), content, answers, ready, func() {
		p.f.Tell(p.f.Say("people.said_withdrawn", "who", who, "study", study))
	})
	page.Endanger(s.do)
	if person.SharingScope.Allows() { // Return does nothing there: who leaves is not let go by a slip
		p.f.Window.Canvas().Focus(stop)
		return
	}
	p.f.Window.Canvas().Focus(why) // nor there
}
