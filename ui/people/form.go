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
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// form is the fields that staff fill in of a participant.
type form struct {
	externalID, firstName, lastName, email *page.Entry
	groups, languages, zone, note          *page.Entry
	password                               *page.Entry
	scope                                  *page.Select // of a new one
	maySignIn                              *page.Check  // of one that is there
	before                                 view.ParticipantForm
}

// newForm makes the fields, filled with what is known.
func (p *Page) newForm(known view.ParticipantForm) *form {
	field := func(text string) *page.Entry {
		e := page.NewEntry(p.f, "", nil)
		e.SetText(text)
		return e
	}
	f := &form{
		externalID: field(known.ExternalID), firstName: field(known.FirstName), lastName: field(known.LastName), email: field(known.Email),
		groups: field(strings.Join(known.DataGroups, ", ")), languages: field(strings.Join(known.Languages, ", ")),
		zone: field(known.TimeZone), note: field(known.Note), password: page.NewPassword(p.f), before: known,
	}
	var scopes []string
	for _, scope := range view.SharingScopes() {
		scopes = append(scopes, p.f.Say("sharing."+string(scope)))
	}
	f.scope = page.NewSelect(p.f, scopes, nil)
	f.scope.PlaceHolder = p.f.Say("people.scope_choose")
	f.maySignIn = page.NewCheck(p.f, p.f.Say("people.may_sign_in"))
	f.maySignIn.SetChecked(!known.Disabled)
	return f
}

// fields are all that is typed into.
func (f *form) fields() []*page.Entry {
	return []*page.Entry{f.externalID, f.firstName, f.lastName, f.email, f.groups, f.languages, f.zone, f.note, f.password}
}

// answers are the fields with their names and what is to be said of them.
func (p *Page) answers(f *form, second, password *answer) []*answer {
	field := func(name, label, hint string, at fyne.Focusable) *answer {
		return newAnswer(name, label, hint, at, nil)
	}
	return []*answer{
		field("externalIds", p.f.Say("people.external_id"), p.f.Say("people.external_hint"), f.externalID), second, password,
		field("firstName", p.f.Say("people.first_name"), "", f.firstName), field("lastName", p.f.Say("people.last_name"), "", f.lastName), field("email", p.f.Say("people.email"), "", f.email),
		field("dataGroups", p.f.Say("people.groups"), p.f.Say("people.groups_hint"), f.groups), field("languages", p.f.Say("people.languages"), p.f.Say("people.languages_hint"), f.languages),
		field("clientTimeZone", p.f.Say("people.zone"), p.f.Say("people.zone_hint"), f.zone), field("note", p.f.Say("people.note"), "", f.note),
	}
}

// filled is what was filled in.
func (f *form) filled() view.ParticipantForm {
	text := func(e *page.Entry) string { return strings.TrimSpace(e.Text) }
	filled := view.ParticipantForm{
		ExternalID: text(f.externalID), FirstName: text(f.firstName), LastName: text(f.lastName), Email: text(f.email),
		DataGroups: view.Listed(f.groups.Text), Languages: view.Words(f.languages.Text), TimeZone: text(f.zone), Note: text(f.note),
		Password: f.password.Text, SharingScope: f.before.SharingScope, Disabled: !f.maySignIn.Checked,
	}
	if i := f.scope.SelectedIndex(); i >= 0 {
		filled.SharingScope = view.SharingScopes()[i]
	}
	return filled
}

// askCreate asks for a new participant of the study.
func (p *Page) askCreate() {
	study := p.list.query.Study
	f := p.newForm(view.ParticipantForm{})
	means := page.Plain("")
	means.Hide()
	f.scope.OnChanged = func(string) {
		means.SetText(p.f.Say("consent." + string(f.filled().SharingScope)))
		means.Show()
	}
	answers := p.answers(f, newAnswer("sharingScope", p.f.Say("people.sharing"), "", f.scope, means),
		newAnswer("password", p.f.Say("people.password"), p.f.Say("people.password_hint"), f.password, nil))
	var filled view.ParticipantForm
	var id core.UserID
	var made string
	ready := func() (func(context.Context) error, []lack) {
		var missing []lack
		if filled = f.filled(); filled.ExternalID == "" {
			missing = append(missing, lack{"externalIds", p.f.Say("people.need_id")})
		}
		if filled.SharingScope == "" {
			missing = append(missing, lack{"sharingScope", p.f.Say("people.need_scope")})
		}
		asked := filled // what is typed meanwhile is another matter
		return func(ctx context.Context) (err error) {
			id, made, err = p.clerk.CreateParticipant(ctx, study, asked)
			return err
		}, missing
	}
	s := p.openSheet(p.f.Say("people.new_title", "study", study), p.f.Say("people.create"), newFields(answers), answers, ready, func() {
		p.f.Tell(p.f.Say("people.said_created", "who", filled.ExternalID))
		p.reveal(id, filled.ExternalID)
		if made != "" {
			p.tellPassword(filled.ExternalID, made)
		}
	})
	s.submit(f.fields()...)
	p.f.Window.Canvas().Focus(f.externalID)
}

// tellPassword shows a password that was made, this once.
func (p *Page) tellPassword(who, password string) {
	shown := widget.NewLabelWithStyle(password, fyne.TextAlignCenter, fyne.TextStyle{Monospace: true})
	shown.SizeName = theme.SizeNameSubHeadingText
	s := &sheet{f: p.f}
	duplicate := page.NewButton(p.f, p.f.Say("people.password_copy"), theme.ContentCopyIcon(), func() {
		p.f.App.Clipboard().SetContent(password)
		p.f.Tell(p.f.Say("people.password_copied"))
	})
	done := page.NewButton(p.f, p.f.Say("people.done"), nil, func() { s.dialog.Hide() })
	done.Importance = widget.HighImportance
	title, why := p.f.Titled(p.f.Say("people.password_title", "who", who), page.Plain(p.f.Say("people.password_once")))
	all := container.NewVBox(why, shown, container.NewCenter(container.NewHBox(duplicate, done)))
	s.show(title, all, all, 0)
	p.f.Window.Canvas().Focus(duplicate)
}

// askEdit asks what is to be changed of the participant who is shown.
func (p *Page) askEdit() {
	study, person := p.detail.study, p.detail.person
	f := p.newForm(person.Form(study))
	if !person.ActiveIn(study) {
		f.externalID.Disable() // it is that of a member
	}
	answers := p.answers(f, newAnswer("status", p.f.Say("people.sign_in"), "", f.maySignIn, nil),
		newAnswer("password", p.f.Say("people.password"), p.f.Say("people.password_stays"), f.password, nil))
	ready := func() (func(context.Context) error, []lack) {
		filled := f.filled()
		if filled.ExternalID == "" && f.before.ExternalID != "" {
			return nil, []lack{{"externalIds", p.f.Say("people.need_id")}}
		}
		return func(ctx context.Context) error { return p.clerk.ChangeParticipant(ctx, study, person.ID, filled) }, nil
	}
	s := p.openSheet(p.f.Say("people.edit_title", "who", p.called()), p.f.Say("people.save"), newFields(answers), answers, ready, func() {
		p.f.Tell(p.f.Say("people.said_saved"))
	})
	s.submit(f.fields()...)
	p.f.Window.Canvas().Focus(f.firstName)
}

// called is what the participant who is shown is called.
func (p *Page) called() string { return p.f.Reader().Called(p.detail.person.Row) }

// others are the studies that the participant who is shown is not in.
func (p *Page) others() []string {
	var names []string
	for _, study := range slices.Sorted(slices.Values(p.studies)) {
		if !p.detail.person.ActiveIn(study) {
			names = append(names, string(study))
		}
	}
	return names
}

// askEnrol asks for the study that the participant who is shown is to be in, too.
func (p *Page) askEnrol() {
	names, person, who := p.others(), p.detail.person, p.called()
	study := page.NewSelect(p.f, names, nil)
	study.PlaceHolder = p.f.Say("people.scope_choose")
	externalID := page.NewEntry(p.f, "", nil)
	answers := []*answer{
		newAnswer("studyId", p.f.Say("people.study"), "", study, nil),
		newAnswer("externalId", p.f.Say("people.external_id"), p.f.Say("people.enrol_hint"), externalID, nil),
	}
	content := container.NewVBox(newFields(answers))
	if len(names) == 0 {
		content.Objects = []fyne.CanvasObject{page.Plain(p.f.Say("people.nowhere_else"))}
	}
	ready := func() (func(context.Context) error, []lack) {
		into, as := core.StudyID(study.Selected), strings.TrimSpace(externalID.Text)
		if into == "" {
			return nil, []lack{{"studyId", p.f.Say("people.need_study")}}
		}
		return func(ctx context.Context) error { return p.clerk.EnrolParticipant(ctx, into, person.ID, as) }, nil
	}
	s := p.openSheet(p.f.Say("people.enrol_title", "who", who), p.f.Say("people.enrol_do"), content, answers, ready, func() {
		p.f.Tell(p.f.Say("people.said_enrolled", "who", who, "study", study.Selected))
	})
	s.submit(externalID)
	if len(names) == 0 {
		s.do.Disable()
		return
	}
	p.f.Window.Canvas().Focus(study)
}
