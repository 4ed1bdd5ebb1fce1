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
	means   *widget.Label // that the repository has no accounts
	copies  *page.Button
	record  *page.Button
	grant   *page.Button
	lines   *fyne.Container
	word    *word // what came of the last word
	all     fyne.CanvasObject
}

func newAccess(s *Page, granter Access) *access {
	a := &access{s: s, granter: granter, text: page.Plain(""), means: page.Plain(s.f.Say("study.access.means")), lines: container.NewVBox(), word: newWord(s.f)}
	a.account = page.NewEntry(s.f, s.f.Say("study.access.account"), func(string) { a.follow() })
	a.copies = page.NewButton(s.f, s.f.Say("study.access.copy"), theme.ContentCopyIcon(), func() { s.copy(a.text.Text) })
	a.record = page.NewButton(s.f, s.f.Say("study.access.record"), theme.DocumentSaveIcon(), a.ask)
	a.grant = page.NewButton(s.f, s.f.Say("study.access.grant"), theme.ConfirmIcon(), func() { a.give(a.name()) })
	a.text.TextStyle.Italic = true
	a.all = container.NewVBox(page.Heading(s.f.Say("study.access")), page.Plain(s.f.Say("study.access.why")), a.means, a.lines,
		a.account, a.text, page.Buttons(a.copies, a.record, a.grant), a.word.all)
	return a
}

// name is the account that was typed.
func (a *access) name() string { return strings.TrimSpace(a.account.Text) }

// follow writes the request for who was typed.
func (a *access) follow() {
	a.text.SetText(a.s.f.Reader().AccessText(a.s.detail, a.account.Text))
	for _, b := range []*page.Button{a.copies, a.record, a.grant} {
		page.Enable(b, a.name() != "" && a.s.detail.ID != "")
	}
}

// draw lists who asked and who was given it.
func (a *access) draw() {
	a.lines.Objects = nil
	r := a.s.f.Reader()
	grant := a.s.f.Say("study.access.grant")
	a.grant.SetIcon(theme.ConfirmIcon())
	if a.means.Hidden = !a.s.detail.Accountless(); !a.means.Hidden { // nothing is opened by it
		grant = a.s.f.Say("study.access.note")
		a.grant.SetIcon(theme.DocumentSaveIcon())
	}
	a.grant.SetText(grant)
	for _, line := range a.s.detail.Access {
		icon, give := theme.ConfirmIcon(), page.NewButton(a.s.f, grant, nil, func() { a.give(line.Account) })
		if line.GrantedOn.IsZero() {
			icon = theme.RadioButtonIcon()
		} else {
			give.Hide()
			if a.s.detail.Accountless() {
				icon = theme.InfoIcon()
			}
		}
		a.lines.Add(container.NewBorder(nil, nil, nil, give, page.Marked(icon, page.Plain(r.Access(a.s.detail, line)))))
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
		said, err := a.granter.GrantAccess(ctx, id, account)
		return func() {
			if err != nil {
				a.word.wrong(err.Error())
			} else {
				a.word.well(a.s.f.Reader().Message(said))
			}
			a.s.Update()
		}, nil
	})
}
