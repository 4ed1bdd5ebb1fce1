package ui

import (
	"context"
	"reflect"

	"footbridge/core"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// detail is one upload: what it is, what can be done for it, and how it went.
type detail struct {
	w       *Window
	id      core.UploadID
	upload  view.UploadDetail
	lines   *fyne.Container
	retry   *widget.Button
	redrive *widget.Button
	copy    *widget.Button
	all     fyne.CanvasObject
}

func newDetail(w *Window) *detail {
	d := &detail{w: w, lines: container.NewVBox(plain(view.LabelChoose))}
	d.retry = widget.NewButtonWithIcon(view.LabelRetry, theme.ViewRefreshIcon(), func() {
		id := d.id
		w.do(func(ctx context.Context) error { return w.commands.Retry(ctx, id) }, view.LabelRetried)
	})
	d.redrive = widget.NewButtonWithIcon(view.LabelRedrive, theme.MediaReplayIcon(), func() {
		id := d.id
		w.do(func(ctx context.Context) error { return w.commands.Redrive(ctx, id) }, view.LabelRedriven)
	})
	d.copy = widget.NewButtonWithIcon(view.LabelCopy, theme.ContentCopyIcon(), func() {
		w.app.Clipboard().SetContent(string(d.id))
		w.say(view.LabelCopied)
	})
	d.enable()
	d.all = container.NewBorder(container.NewHBox(d.retry, d.redrive, d.copy), nil, nil, nil, container.NewVScroll(d.lines))
	return d
}

// open shows an upload.
func (d *detail) open(id core.UploadID) {
	d.id = id
	d.update()
}

// update asks for the upload again.
func (d *detail) update() {
	id := d.id
	if id == "" {
		return
	}
	d.w.errands.add("upload", func(ctx context.Context) (func(), error) {
		u, err := d.w.feed.Upload(ctx, id)
		return func() {
			if d.id == id {
				d.show(u)
			}
		}, err
	})
}

func (d *detail) show(u view.UploadDetail) {
	if reflect.DeepEqual(u, d.upload) {
		return
	}
	d.upload = u
	d.enable()
	r := d.w.reader()
	row := r.Row(u.UploadRow)
	name := plain(row.File)
	name.TextStyle.Bold, name.SizeName = true, theme.SizeNameSubHeadingText
	d.lines.Objects = []fyne.CanvasObject{
		name,
		container.NewBorder(nil, nil, widget.NewIcon(standingIcon(u.Standing)), nil, plain(row.State+", "+row.Who+", "+row.When)),
		plain(r.Facts(u)), heading(view.LabelTimeline),
	}
	for _, stage := range u.Stages {
		state, text := r.Stage(stage)
		icon := widget.NewIcon(stageIcon(stage.State))
		d.lines.Add(container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(icon)), nil, told(state, text)))
	}
	if messages := r.Messages(u); len(messages) > 0 {
		d.lines.Add(heading(view.LabelMessages))
		for _, message := range messages {
			d.lines.Add(plain(message))
		}
	}
	d.lines.Add(plain(string(u.ID)))
	d.lines.Refresh()
}

// told is a state in bold, and below it what is to be said of it.
func told(state, text string) *widget.RichText {
	bold, plain := widget.RichTextStyleParagraph, widget.RichTextStyleParagraph
	bold.TextStyle.Bold = true
	t := widget.NewRichText(&widget.TextSegment{Text: state, Style: bold}, &widget.TextSegment{Text: text, Style: plain})
	t.Wrapping = fyne.TextWrapWord
	return t
}

// enable lets a person do what can help.
func (d *detail) enable() {
	for button, can := range map[*widget.Button]bool{d.retry: d.upload.Retry, d.redrive: d.upload.Redrive, d.copy: d.upload.ID != ""} {
		if can {
			button.Enable()
		} else {
			button.Disable()
		}
	}
}

func stageIcon(state string) fyne.Resource {
	switch state {
	case "done":
		return theme.ConfirmIcon()
	case "now":
		return theme.MediaPlayIcon()
	case "stopped":
		return theme.WarningIcon()
	}
	return theme.RadioButtonIcon()
}
