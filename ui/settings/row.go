package settings

import (
	"context"
	"slices"
	"strings"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: what is chosen is saved at once, what is typed by a button or by
// Enter once it is right; nothing that asks is saved before a person answered; and what
// someone is typing is never taken away by what changed elsewhere.

// row is one setting: its name, what it does, its field, and what is said of what stands
// in it.
type row struct {
	p       *Page
	setting view.Setting
	entry   *page.Entry // of what is typed; nil: the setting is chosen
	choice  *page.Select
	save    *page.Button
	undo    *page.Button
	buttons *fyne.Container // these two, and what else is pressed
	icon    *widget.Icon
	verdict *widget.Label
	quiet   bool   // the field is filled by the program
	warning string // of what holds, as it is said
	all     *fyne.Container
}

func newRow(p *Page, s view.Setting) *row {
	r := &row{p: p, setting: s, icon: widget.NewIcon(theme.InfoIcon()), verdict: page.Plain("")}
	reader := p.f.Reader()
	r.all = pair(reader.SettingName(s), reader.SettingDoes(s), r.field(), container.NewBorder(nil, nil, r.icon, nil, r.verdict))
	if r.choice != nil {
		r.choice.With = r.all
	} else {
		r.entry.With = r.all
	}
	r.put(s)
	return r
}

// pair is what something is called and does, and beside it what it is changed with.
func pair(name, does string, fields ...fyne.CanvasObject) *fyne.Container {
	heading := page.Plain(name)
	heading.TextStyle.Bold = true
	words := container.New(layout.NewCustomPaddedVBoxLayout(-theme.InnerPadding()), heading, page.Plain(does))
	return page.NewCells([]page.Column{{Least: 20, Grow: 1}, {Least: 20, Grow: 1}}, words, container.NewVBox(fields...))
}

// field is what the setting is changed with.
func (r *row) field() fyne.CanvasObject {
	f := r.p.f
	if len(r.choices()) > 0 {
		r.choice = page.NewSelect(f, r.words(), func(string) { r.chosen() })
		r.choice.Label = f.Reader().SettingName(r.setting)
		return r.choice
	}
	r.entry = page.NewEntry(f, "", nil)
	r.entry.SetText(r.setting.Value)
	r.entry.Kept = func() string { return r.setting.Value }
	r.entry.OnChanged = func(string) { r.typed() }
	r.entry.OnSubmitted = func(string) {
		if r.save.Visible() && !r.save.Disabled() {
			r.ask(r.text())
		}
	}
	r.entry.Label = f.Reader().SettingName(r.setting)
	r.save = page.NewButton(f, f.Say("settings.save"), theme.DocumentSaveIcon(), func() { r.ask(r.text()) })
	r.undo = page.NewButton(f, f.Say("settings.undo"), theme.ContentUndoIcon(), func() { r.entry.SetText(r.setting.Value) })
	r.buttons = page.Buttons(r.save, r.undo)
	if r.setting.Key == "repository" {
		r.buttons.Add(page.NewButton(f, f.Say("settings.test"), theme.MediaPlayIcon(), r.test))
		r.buttons.Add(r.secretsButton())
	}
	return container.NewVBox(r.entry, r.buttons)
}

// text is what stands in the field as the setting takes it: without what nobody sees around
// it, and a size in bytes.
func (r *row) text() string { return r.setting.Typed(r.entry.Text) }

// choices are the values of a setting that is chosen.
func (r *row) choices() []string {
	switch r.setting.Kind {
	case "switch":
		return []string{"false", "true"}
	case "choice":
		return r.setting.Choices
	}
	return nil
}

// words are the choices as the reader reads them.
func (r *row) words() (all []string) {
	for _, value := range r.choices() {
		all = append(all, r.p.f.Reader().SettingValue(r.setting, value))
	}
	return all
}

// put shows the setting as it is. What someone typed stays, and so does what was said of a
// setting that is as it was.
func (r *row) put(s view.Setting) {
	typing := r.entry != nil && r.text() != r.setting.Value
	same := r.setting.Value == s.Value && r.setting.InForce == s.InForce
	r.setting = s
	r.quiet = true
	defer func() { r.quiet = false }()
	switch {
	case r.choice != nil:
		r.choice.SetSelectedIndex(slices.Index(r.choices(), s.Value))
	case typing && r.text() != s.Value:
		r.remind()
		return
	case r.entry.Text != s.Value:
		r.entry.SetText(s.Value)
		r.entry.CursorColumn = len([]rune(s.Value)) // it was in a size that is shorter
		r.entry.Refresh()
	}
	if !same || r.verdict.Text == "" || typing {
		r.rest()
	}
}

// remind says of what was typed that it is not saved, once its field was left: whoever went
// to another page took it for what holds.
func (r *row) remind() {
	unsaved := r.p.f.Say("settings.unsaved")
	if r.p.f.Window.Canvas().Focused() != r.entry && !strings.HasSuffix(r.verdict.Text, unsaved) {
		r.say(theme.WarningIcon(), r.verdict.Text+"\n"+unsaved)
	}
}

// room says what holds anew, where other room on the disk makes that another thing.
func (r *row) room() {
	if r.entry != nil && r.text() == r.setting.Value && r.warns() != r.warning {
		r.rest()
	}
}

// warns is what the setting brings about now, where that is hardly meant.
func (r *row) warns() string {
	return r.p.f.Reader().SettingWarns(r.setting, r.setting.Value, r.p.disk)
}

// rest says what the setting is where nobody chose one, and what should not stay as it is.
func (r *row) rest() {
	reader := r.p.f.Reader()
	text := reader.SettingUsual(r.setting)
	if r.entry != nil {
		if means := reader.SettingMeans(r.setting, r.setting.Value); means != "" {
			text = means + ". " + text
		}
		r.save.Hide()
		r.undo.Hide()
		r.buttons.Refresh() // they leave no gap
	}
	icon := theme.InfoIcon()
	r.warning = r.warns()
	for _, heed := range []string{r.warning, reader.SettingInForce(r.setting)} {
		if heed != "" {
			icon, text = theme.WarningIcon(), heed+"\n"+text
		}
	}
	r.say(icon, text)
}

func (r *row) say(icon fyne.Resource, text string) {
	r.icon.SetResource(icon)
	r.verdict.SetText(text)
}

// typed has what stands in the field checked.
func (r *row) typed() {
	if r.quiet {
		return
	}
	text := r.text()
	if text == r.setting.Value {
		r.rest()
		return
	}
	r.save.Disable()
	r.save.Show()
	r.undo.Show()
	r.p.f.Ask("setting "+r.setting.Key, func(ctx context.Context) (func(), error) {
		tried, err := r.p.source.TrySetting(ctx, r.setting.Key, text)
		return func() {
			if r.text() == text && text != r.setting.Value {
				r.judge(text, tried)
			}
		}, err
	})
}

// judge says whether what was typed is right.
func (r *row) judge(text string, tried view.SettingTry) {
	reader := r.p.f.Reader()
	if !tried.OK {
		r.say(theme.ErrorIcon(), reader.SettingMust(r.setting, tried.Why))
		return
	}
	r.save.Enable()
	right := reader.Say("settings.right")
	if means := reader.SettingMeans(r.setting, text); means != "" {
		right = means + ". " + right
	}
	if warns := reader.SettingWarns(r.setting, text, r.p.disk); warns != "" {
		r.say(theme.WarningIcon(), right+"\n"+warns)
		return
	}
	r.say(theme.ConfirmIcon(), right)
}

// chosen saves what was chosen.
func (r *row) chosen() {
	if i := r.choice.SelectedIndex(); !r.quiet && i >= 0 && r.choices()[i] != r.setting.Value {
		r.ask(r.choices()[i])
	}
}

// ask saves a value, once a person knows what that brings with it.
func (r *row) ask(value string) {
	f, reader := r.p.f, r.p.f.Reader()
	if !r.setting.Asks {
		r.change(value)
		return
	}
	f.Question(f.Say("settings.ask", "name", reader.SettingName(r.setting)), f.Say("settings.change"), f.Say("settings.leave"), page.Plain(reader.SettingAsks(r.setting)), func(yes bool) {
		if yes {
			r.change(value)
		} else {
			r.put(r.setting)
		}
	})
}

// change has a value saved.
func (r *row) change(value string) {
	r.p.f.Ask("", func(ctx context.Context) (func(), error) {
		now, err := r.p.source.ChangeSetting(ctx, r.setting.Key, value)
		return func() {
			if err != nil { // a choice shows again what holds
				r.put(r.setting)
				r.p.f.Tell(err.Error())
				return
			}
			if r.entry != nil && r.text() == value {
				r.setting.Value = value // nobody is typing any more
			}
			if r.put(now); r.entry == nil || r.text() == now.Value {
				r.rest()
			}
			r.p.f.Tell(r.p.f.Say("settings.saved", "name", r.p.f.Reader().SettingName(now)))
		}, nil
	})
}

// test tries out the repository that stands in the field.
func (r *row) test() {
	text := r.text()
	if text == r.setting.Value {
		text = "" // that of the settings, whose secrets are not shown here
	}
	r.tryOut(text)
}

// tryOut tries out a repository; empty: that of the settings.
func (r *row) tryOut(text string) {
	f := r.p.f
	r.say(theme.HistoryIcon(), f.Say("settings.testing"))
	f.Await(func(ctx context.Context) (func(), error) {
		trial, err := r.p.source.TestRepository(ctx, text)
		return func() {
			if err != nil {
				r.say(theme.ErrorIcon(), err.Error())
				return
			}
			icon := theme.ErrorIcon()
			if trial.OK {
				icon = theme.ConfirmIcon()
			}
			r.say(icon, f.Reader().Trial(trial))
		}, nil
	})
}
