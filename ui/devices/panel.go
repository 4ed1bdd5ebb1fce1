package devices

import (
	"context"
	"errors"
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

// Panel pairs a device: it asks whose it is, shows the code, and then what came of it.
// Its methods belong to the thread that draws.
type Panel struct {
	f      *page.Frame
	pairer Pairer
	fixed  core.StudyID // the one study that it is for; empty: any
	busy   bool         // a code is being made
	asked  view.PairingForm

	study       *page.Select
	participant *page.SelectEntry
	make        *page.Button
	trouble     *widget.Label // why there is no code
	troubled    fyne.CanvasObject
	unknown     *widget.Label
	scope       *page.Select
	create      *page.Button
	newcomer    *fyne.Container

	code  *code
	form  fyne.CanvasObject
	stage *fyne.Container
}

// NewPanel makes a panel for devices of a study (empty: of any). Who shows it tells it
// Show and Update as a page.
func NewPanel(f *page.Frame, pairer Pairer, study core.StudyID) *Panel {
	p := &Panel{f: f, pairer: pairer, fixed: study, unknown: page.Plain(""), trouble: page.Plain("")}
	p.troubled = page.Marked(theme.WarningIcon(), p.trouble)
	p.study = page.NewSelect(f, nil, func(string) {
		p.newcomer.Hide() // it was another study's question
		p.offer()
		if f.Window.Canvas().Focused() == p.study { // else nobody chose it just now
			f.Window.Canvas().Focus(p.participant)
		}
	})
	p.study.PlaceHolder = f.Say("people.scope_choose")
	p.participant = page.NewSelectEntry(f, f.Say("pairing.hint"), p.changed, p.ask)
	p.make = page.NewButton(f, f.Say("pairing.make"), nil, p.ask)
	p.make.Importance = widget.HighImportance
	p.create = page.NewButton(f, f.Say("pairing.create"), nil, p.askNew)
	p.create.Importance = widget.HighImportance
	p.scope = page.NewSelect(f, nil, func(string) { p.create.Enable() })
	p.scope.PlaceHolder = f.Say("pairing.agreed")
	for _, scope := range scopes() {
		p.scope.Options = append(p.scope.Options, f.Say("pairing."+string(scope)))
	}
	p.newcomer = container.NewVBox(p.unknown, p.scope, page.Buttons(p.create))
	p.newcomer.Hide()
	fields := widget.NewForm()
	if study == "" {
		fields.Append(f.Say("pairing.study"), p.study)
	}
	fields.Append(f.Say("pairing.participant"), p.participant)
	p.form = container.NewVBox(page.Heading(f.Say("pairing.heading")), page.Plain(f.Say("pairing.what")), fields, page.Buttons(p.make), p.troubled, p.newcomer)
	p.code = newCode(f, p.Reset)
	p.stage = container.NewStack(p.form)
	p.tell("")
	return p
}

// tell says why there is no code; nothing where text is empty.
func (p *Panel) tell(text string) {
	p.trouble.SetText(text)
	if text == "" {
		p.troubled.Hide()
		return
	}
	p.troubled.Show()
}

// needs says what is asked for before there can be a code.
func (p *Panel) needs() string {
	if p.fixed != "" {
		return p.f.Say("pairing.needs_participant")
	}
	return p.f.Say("pairing.needs")
}

// scopes are what a participant may have agreed to, the usual one first; which, a person
// says.
func scopes() []core.SharingScope {
	return []core.SharingScope{core.SponsorsAndPartners, core.AllQualifiedResearchers, core.NoSharing}
}

// Content is what is drawn.
func (p *Panel) Content() fyne.CanvasObject { return p.stage }

// Coded reports whether a code is on the screen.
func (p *Panel) Coded() bool { return p.code.made.ID != "" }

// First has the cursor once the panel is shown.
func (p *Panel) First() fyne.Focusable {
	switch {
	case p.code.made.ID != "":
		return p.code.again
	case p.fixed == "" && p.study.Selected == "":
		return p.study
	}
	return p.participant
}

// Show offers the studies that there are.
func (p *Panel) Show(site view.Site) {
	var names []string
	for _, id := range site.Studies {
		names = append(names, string(id))
	}
	if p.fixed != "" || slices.Equal(names, p.study.Options) {
		return
	}
	p.study.SetOptions(names)
	if len(names) == 1 {
		p.study.SetSelected(names[0])
	}
}

// Update asks what came of the code that is shown, and who there is.
func (p *Panel) Update() {
	if p.code.made.ID == "" {
		p.offer()
		return
	}
	p.code.draw() // time passes
	if p.code.card.Ended && p.code.card.Waits == "" {
		return
	}
	id := p.code.made.ID
	p.f.Ask("pairing", func(ctx context.Context) (func(), error) {
		now, err := p.pairer.Pairing(ctx, id)
		return func() { p.code.turn(id, now) }, err
	})
}

// Reset asks whose device is to be paired, whatever was shown.
func (p *Panel) Reset() {
	p.code.clear()
	p.participant.SetText("")
	p.newcomer.Hide()
	p.tell("")
	p.turn(p.form)
}

func (p *Panel) turn(to fyne.CanvasObject) {
	p.stage.Objects = []fyne.CanvasObject{to}
	p.stage.Refresh()
	if p.f.Window.Canvas().Content() != nil {
		p.f.Window.Canvas().Focus(p.First())
		p.f.See(p.stage)
	}
}

// offer offers the participants that the chosen study has.
func (p *Panel) offer() {
	study := p.chosen()
	if study == "" {
		return
	}
	p.f.Ask("participants to pair", func(ctx context.Context) (func(), error) {
		ids, err := p.pairer.ParticipantIDs(ctx, study)
		return func() {
			if p.chosen() == study {
				p.participant.Offer(ids)
			}
		}, err
	})
}

func (p *Panel) chosen() core.StudyID {
	if p.fixed != "" {
		return p.fixed
	}
	return core.StudyID(p.study.Selected)
}

// changed forgets what was said of another participant.
func (p *Panel) changed(text string) {
	p.tell("")
	if p.newcomer.Visible() && strings.TrimSpace(text) != p.asked.Participant {
		p.newcomer.Hide()
	}
}

// ask makes a code for whoever the fields name.
func (p *Panel) ask() {
	asked := view.PairingForm{Study: p.chosen(), Participant: strings.TrimSpace(p.participant.Text)}
	if asked.Study == "" || asked.Participant == "" {
		p.tell(p.needs())
		return
	}
	p.pair(asked)
}

// askNew creates the participant that was not found, and makes a code.
func (p *Panel) askNew() {
	asked := p.asked
	if i := p.scope.SelectedIndex(); i >= 0 {
		asked.New, asked.Scope = true, scopes()[i]
		p.pair(asked)
	}
}

func (p *Panel) pair(asked view.PairingForm) {
	if p.busy {
		return
	}
	p.busy, p.asked = true, asked
	p.f.Ask("", func(ctx context.Context) (func(), error) {
		made, err := p.pairer.Pair(ctx, asked)
		return func() { p.answered(asked, made, err) }, nil
	})
}

// answered shows the code that was made, or why there is none.
func (p *Panel) answered(asked view.PairingForm, made view.Pairing, err error) {
	p.busy = false
	p.tell("")
	switch {
	case errors.Is(err, core.ErrNotFound) && !asked.New:
		p.unknown.SetText(p.f.Say("pairing.new", "who", asked.Participant, "study", asked.Study))
		p.scope.ClearSelected()
		p.create.Disable()
		p.newcomer.Show()
		p.f.Window.Canvas().Focus(p.scope)
	case err != nil:
		p.tell(err.Error())
	default:
		p.newcomer.Hide()
		p.code.show(made)
		p.turn(p.code.all)
	}
}
