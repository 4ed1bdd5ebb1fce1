package study

import (
	"context"
	"strings"

	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// access is the part of the page about who may see the project: nobody may but those
// who made it, until it is asked for and given.
type access struct {
	s       *Page
	granter Access
	account *page.Entry
	text    *widget.Label
	record  *page.Button
	grant   *page.Button
	lines   *fyne.Container
	word    *widget.Label // what came of the last word
	all     fyne.CanvasObject
}

func newAccess(s *Page, granter Access) *access {
	a := &access{s: s, granter: granter, text: page.Plain(""), lines: container.NewVBox(), word: page.Plain("")}
	a.account = page.NewEntry(s.f, s.f.Say("study.access.account"), func(string) { a.follow() })
	copies := page.NewButton(s.f, s.f.Say("study.access.copy"), theme.ContentCopyIcon(), func() { s.copy(a.text.Text) })
	a.record = page.NewButton(s.f, s.f.Say("study.access.record"), theme.DocumentSaveIcon(), a.ask)
	a.grant = page.NewButton(s.f, s.f.Say("study.access.grant"), theme.ConfirmIcon(), func() { a.give(a.name()) })
	a.text.TextStyle.Italic = true
	a.word.Hide()
	a.all = container.NewVBox(page.Heading(s.f.Say("study.access")), page.Plain(s.f.Say("study.access.why")), a.lines,
		a.account, a.text, page.Buttons(copies, a.record, a.grant), a.word)
	return a
}

// name is the account that was typed.
func (a *access) name() string { return strings.TrimSpace(a.account.Text) }

// follow writes the request for who was typed.
func (a *access) follow() {
	a.text.SetText(a.s.f.Reader().AccessText(a.s.detail, a.account.Text))
	for _, b := range []*page.Button{a.record, a.grant} {
		page.Enable(b, a.name() != "" && a.s.detail.ID != "")
	}
}

// say tells what came of the last word; empty: nothing.
func (a *access) say(text string) {
	if a.word.SetText(text); text == "" {
		a.word.Hide()
	} else {
		a.word.Show()
	}
}

// draw lists who asked and who was given it.
func (a *access) draw() {
	a.lines.Objects = nil
	r := a.s.f.Reader()
	for _, line := range a.s.detail.Access {
		icon, grant := theme.ConfirmIcon(), page.NewButton(a.s.f, a.s.f.Say("study.access.grant"), nil, func() { a.give(line.Account) })
		if line.GrantedOn.IsZero() {
			icon = theme.RadioButtonIcon()
		} else {
			grant.Hide()
		}
		a.lines.Add(container.NewBorder(nil, nil, nil, grant, page.Marked(icon, page.Plain(r.Access(line)))))
	}
	if len(a.s.detail.Access) == 0 {
		a.lines.Add(page.Plain(a.s.f.Say("study.access.none")))
	}
	a.lines.Refresh()
	a.follow()
}

// ask records the request.
func (a *access) ask() {
	id, account := a.s.open, a.name()
	a.s.f.Do(func(ctx context.Context) error { return a.granter.RequestAccess(ctx, id, account) }, a.s.f.Say("study.access.recorded"))
}

// give gives an account access, and says what came of that.
func (a *access) give(account string) {
	id := a.s.open
	a.s.f.Ask("", func(ctx context.Context) (func(), error) {
		word, err := a.granter.GrantAccess(ctx, id, account)
		if err != nil {
			word = err.Error()
		}
		return func() {
			a.say(word)
			a.s.Update()
		}, nil
	})
}
