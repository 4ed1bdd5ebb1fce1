package guide

import (
	"context"
	"slices"
	"time"

	"footbridge/core"
	"footbridge/ui/help"
	"footbridge/ui/page"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Config says how a guide is.
type Config struct {
	page.Config

	About    func() view.About                       // of the program; nil: nothing is known of it
	Home     string                                  // where the site is to be
	Pairing  func(*page.Frame, core.StudyID) Pairing // of the study's devices; nil: there is none
	Finished func()                                  // told when the person goes on to the window, by the thread that draws
}

// Guide is the window of a first run. Its methods but Run and Step belong to the thread
// that draws.
type Guide struct {
	f       *page.Frame
	founder Founder
	config  Config
	draft   *plan.Draft
	step    int  // of plan.Steps; their number: the site is there
	asks    bool // whether it may be closed
	fields  []*field
	records *records
	ready   *ready

	where, heading *widget.Label
	body           *fyne.Container
	scroll         *container.Scroll
	back, next     *page.Button
	busy           *widget.ProgressBarInfinite
	trouble        *fyne.Container
}

// New makes the window of an app; whoever has the app shows it and runs it.
func New(app fyne.App, founder Founder, device Device, config Config) *Guide {
	if config.About == nil {
		config.About = func() view.About { return view.About{} }
	}
	g := &Guide{founder: founder, config: config, draft: plan.New(config.Home), where: widget.NewLabel(""), heading: page.Plain(""), body: container.NewVBox(), trouble: container.NewVBox()}
	g.f = page.New(app, config.Config, g)
	g.heading.TextStyle.Bold, g.heading.SizeName = true, theme.SizeNameHeadingText
	g.records = newRecords(g)
	g.ready = newReady(g, device)
	g.back = page.NewButton(g.f, g.f.Say("guide.back"), theme.NavigateBackIcon(), func() { g.turn(g.step - 1) })
	g.next = page.NewButton(g.f, "", theme.NavigateNextIcon(), g.forward)
	g.next.Importance, g.next.IconPlacement = widget.HighImportance, widget.ButtonIconTrailingText
	helps := page.NewButton(g.f, g.f.Say("help.name")+" (F1)", theme.HelpIcon(), g.help)
	g.busy = widget.NewProgressBarInfinite()
	g.rest()
	foot := container.NewVBox(g.trouble, g.busy, widget.NewSeparator(), container.NewBorder(nil, nil, nil, g.next, page.Buttons(g.back, helps, g.ready.test)))
	g.scroll = container.NewVScroll(g.body)
	g.f.Window.SetContent(container.NewPadded(container.NewBorder(container.NewVBox(g.where, g.heading), foot, nil, nil, g.scroll)))
	g.f.Window.Resize(fyne.NewSize(min(page.Em(61.5), 1180), min(page.Em(50), 720))) // as the window later, at most
	g.f.Window.CenterOnScreen()
	g.f.Window.SetCloseIntercept(g.AskToClose)
	g.f.Keep(page.HelpKey(), g.help)
	g.turn(0)
	return g
}

// Shown is the window itself.
func (g *Guide) Shown() fyne.Window { return g.f.Window }

// Refresh asks for nothing: before the site is there, there is nobody to ask
// (page.Stage).
func (g *Guide) Refresh() {}

// Open does nothing: the guide has no pages (page.Stage).
func (g *Guide) Open(page.Page) {}

// Step asks for one thing that is to be asked, and shows what came of it; false where
// nothing is to be asked.
func (g *Guide) Step(ctx context.Context) bool { return g.f.Step(ctx) }

// lookAgain is how often it is looked how far the test upload and the pairing are.
const lookAgain = 500 * time.Millisecond

// Run does what the person asks for until ctx ends.
func (g *Guide) Run(ctx context.Context) {
	ticks := time.NewTicker(lookAgain)
	defer ticks.Stop()
	for ctx.Err() == nil {
		for g.f.Step(ctx) {
		}
		select {
		case <-g.f.Asked():
		case <-ticks.C:
			fyne.Do(g.ready.tick)
		case <-ctx.Done():
		}
	}
}

// AskToClose closes the guide, once a person knows what that means: before the site is
// there, that nothing is kept of what they answered; then, that devices cannot send. While
// the site is being made it stays.
func (g *Guide) AskToClose() {
	ask, why := g.f.Say("guide.close"), g.f.Say("guide.close_why")
	switch {
	case g.asks, g.busy.Visible():
		return
	case g.step == 0 && !g.answered():
		g.f.Window.Close()
		return
	case g.step == len(plan.Steps()):
		ask, why = g.f.Say("window.close"), g.f.Say("window.close_why")
	}
	g.asks = true
	g.f.Question(ask, g.f.Say("window.close_do"), g.f.Say("window.leave"), page.Plain(why), func(yes bool) {
		if g.asks = false; yes {
			g.f.Window.Close()
		}
	})
}

// answered reports whether something stands in a field of this step.
func (g *Guide) answered() bool {
	return slices.ContainsFunc(g.fields, func(f *field) bool { return f.entry.Text != "" })
}

// help answers what staff ask, above the guide.
func (g *Guide) help() {
	if g.f.Window.Canvas().Overlays().Top() != nil {
		return // something else waits for an answer
	}
	p := help.New(g.f, g.config.About)
	name, _ := p.Name()
	g.f.Lay(name, p.Content(), p.First(), g.f.Say("guide.back"))
}

// turn shows a step.
func (g *Guide) turn(to int) {
	g.step, g.fields, g.body.Objects = to, nil, nil
	g.complain("")
	name := "ready"
	if steps := plan.Steps(); to < len(steps) {
		name = string(steps[to])
		g.where.SetText(g.f.Say("guide.where", "n", to+1, "of", len(steps)))
		g.heading.SetText(g.f.Say("guide.step." + name))
		g.body.Add(page.Plain(g.f.Say("guide.why." + name)))
	}
	g.next.SetText(g.f.Say("guide.next"))
	switch name {
	case string(plan.StepRecords):
		g.records.draw()
	case string(plan.StepMake):
		g.drawSummary()
		g.next.SetText(g.f.Say("guide.make.do"))
	case "ready":
		g.where.Hide() // there is little room where the text is large
		g.back.Hide()
		g.ready.test.Show()
		g.ready.draw()
		g.next.SetText(g.f.Say("guide.finish"))
	default:
		g.addFields(g.body, g.draft.Asked(plan.Step(name)))
	}
	g.f.Window.SetTitle("Footbridge: " + g.heading.Text)
	g.enable()
	g.body.Refresh()
	g.focus()
	g.scroll.ScrollToTop() // what stands above the field is read first
}

// focus puts the cursor where the person goes on.
func (g *Guide) focus() {
	canvas := g.f.Window.Canvas()
	if len(g.fields) > 0 {
		canvas.Focus(g.fields[0].entry)
		g.fields[0].entry.TypedShortcut(&fyne.ShortcutSelectAll{}) // what is typed stands in its place
		return
	}
	canvas.Focus(g.next)
}

// enable lets the person go back where there is somewhere to go back to.
func (g *Guide) enable() {
	if g.step > 0 && g.step < len(plan.Steps()) {
		g.back.Enable()
	} else {
		g.back.Disable()
	}
	g.next.Enable()
}

func (g *Guide) drawSummary() {
	for _, line := range g.draft.Summary(g.f.Tongue) {
		g.body.Add(page.Marked(theme.NavigateNextIcon(), page.Plain(line)))
	}
}

// forward goes on, once nothing is wrong with what the screen asks.
func (g *Guide) forward() {
	steps := plan.Steps()
	if g.step == len(steps) {
		g.config.Finished()
		return
	}
	if g.wrong(steps[g.step]) {
		return
	}
	if steps[g.step] != plan.StepMake {
		g.turn(g.step + 1)
		return
	}
	for i, step := range steps { // one answer may have made another wrong
		if g.draft.FirstWrong(step) != "" {
			g.turn(i)
			g.wrong(step)
			return
		}
	}
	g.found()
}

// wrong reports whether something is wrong on the screen, says what, and puts the
// cursor there.
func (g *Guide) wrong(step plan.Step) bool {
	first := g.draft.FirstWrong(step)
	for _, f := range g.fields {
		f.tell()
		if f.name == first {
			g.f.Window.Canvas().Focus(f.entry)
		}
	}
	return first != ""
}

// found has the site made.
func (g *Guide) found() {
	g.work(g.f.Say("guide.make.works"))
	draft := g.draft.Copy()
	g.f.Await(func(ctx context.Context) (func(), error) {
		site, err := g.founder.Found(ctx, draft)
		return func() {
			g.rest()
			if err != nil {
				g.complain(plan.Sentence(err.Error()))
				g.enable()
				g.focus()
				return
			}
			g.ready.site = site
			g.turn(len(plan.Steps()))
		}, nil
	})
}

// work says what the person waits for; rest ends that.
func (g *Guide) work(what string) {
	g.complain("")
	g.trouble.Objects = []fyne.CanvasObject{page.Plain(what)}
	g.trouble.Refresh()
	g.back.Disable()
	g.next.Disable()
	g.busy.Show()
	g.busy.Start()
}

func (g *Guide) rest() {
	g.busy.Stop()
	g.busy.Hide()
	g.complain("")
}

// complain says above the buttons what went wrong; empty: nothing did.
func (g *Guide) complain(text string) {
	g.trouble.Objects = nil
	if text != "" {
		g.trouble.Add(page.Marked(theme.WarningIcon(), page.Plain(text)))
	}
	g.trouble.Refresh()
}
