package people

import (
	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// answer is a field of a sheet, and what is wrong with what stands in it.
type answer struct {
	name  string // as the API calls it
	label string
	at    fyne.Focusable
	wrong *widget.Label
	why   fyne.CanvasObject // the wrong with its icon
	item  *widget.FormItem
}

// newAnswer makes one of a field; shown is drawn with it, nil: nothing is.
func newAnswer(name, label, hint string, at fyne.Focusable, shown fyne.CanvasObject) *answer {
	a := &answer{name: name, label: label, at: at, wrong: page.Plain("")}
	a.why = page.Marked(theme.ErrorIcon(), a.wrong)
	a.why.Hide()
	all := container.NewVBox(at.(fyne.CanvasObject))
	if hint != "" { // the toolkit's own hint has one line, however long it is
		small := page.Plain(hint)
		small.SizeName = theme.SizeNameCaptionText
		all.Add(container.New(layout.NewCustomPaddedLayout(-8, 0, 0, 0), small)) // close to the field that it is about
	}
	if shown != nil {
		all.Add(shown)
	}
	all.Add(a.why)
	switch field := at.(type) {
	case *page.Entry:
		field.Label, field.With = label, all
	case *page.Select:
		field.Label, field.With = label, all
	}
	a.item = widget.NewFormItem(label, all)
	return a
}

// say says what is wrong; empty: nothing is.
func (a *answer) say(text string) {
	if a.wrong.SetText(text); text == "" {
		a.why.Hide()
	} else {
		a.why.Show()
	}
}

// marked reports whether something is said to be wrong.
func (a *answer) marked() bool { return a.why.Visible() }

// heed has something done, too, whenever what stands in the field is changed.
func (a *answer) heed(changed func()) {
	switch field := a.at.(type) {
	case *page.Entry:
		field.OnChanged = both(field.OnChanged, changed)
	case *page.Select:
		field.OnChanged = both(field.OnChanged, changed)
	case *page.Check:
		field.OnChanged = both(field.OnChanged, changed)
	}
}

// both does what is done already, nil: nothing, and something more.
func both[T any](done func(T), more func()) func(T) {
	return func(now T) {
		if done != nil {
			done(now)
		}
		more()
	}
}

// newFields draws answers below each other.
func newFields(all []*answer) *widget.Form {
	fields := widget.NewForm()
	for _, a := range all {
		fields.AppendItem(a.item)
	}
	return fields
}

// lack is what is missing in a sheet, and where.
type lack struct{ name, text string }
