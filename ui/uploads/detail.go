package uploads

import (
	"context"
	"reflect"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// detail is one upload: what it is, what can be done for it, and how it went.
type detail struct {
	f       *page.Frame
	source  Source
	mender  Mender
	id      core.UploadID
	opened  bool // it is to be brought into sight
	upload  view.UploadDetail
	traffic view.Traffic  // of which it may be a part
	awaits  core.UploadID // is being processed again, as a person asked
	lines   *fyne.Container
	retry   *page.Button
	redrive *page.Button
	all     *page.Button // redrives all that could not be opened
	refused int          // how many those are
	sought  bool         // the list shows those alone
	giveUp  *page.Button
	file    *page.Button
	path    *page.Button
	copy    *page.Button
	buttons *fyne.Container
	scroll  *page.Scroll
}

func newDetail(f *page.Frame, source Source, mender Mender) *detail {
	d := &detail{f: f, source: source, mender: mender, lines: container.NewVBox(page.Plain(f.Say("uploads.choose")))}
	d.retry = page.NewButton(f, f.Say("uploads.retry"), theme.ViewRefreshIcon(), func() {
		id := d.id
		f.Do(func(ctx context.Context) error { return mender.Retry(ctx, id) }, f.Say("uploads.retried"))
	})
	d.redrive = page.NewButton(f, f.Say("uploads.redrive"), theme.MediaReplayIcon(), func() {
		id := d.id
		f.DoThen(func(ctx context.Context) error { return mender.Redrive(ctx, id) }, func() {
			f.Tell(f.Say("uploads.redriven"))
			d.awaits = id
		})
	})
	d.all = page.NewButton(f, f.Say("uploads.redrive_all"), theme.MediaReplayIcon(), d.askRedriveAll)
	d.copy = page.NewButton(f, f.Say("uploads.copy"), theme.ContentCopyIcon(), func() {
		f.App.Clipboard().SetContent(string(d.id))
		f.Tell(f.Say("uploads.copied"))
	})
	d.giveUp = page.NewButton(f, f.Say("uploads.give_up"), theme.CancelIcon(), d.askGiveUp)
	d.path = page.NewButton(f, f.Say("record.copy"), theme.ContentCopyIcon(), func() {
		_, place := d.upload.Dossier.Shown()
		f.App.Clipboard().SetContent(place)
		f.Tell(f.Say("record.copied"))
	})
	d.file = page.NewButton(f, f.Say("record.show"), theme.FolderOpenIcon(), func() { showFile(f, d.upload.Dossier) })
	d.buttons = page.Buttons(d.retry, d.redrive, d.all, d.giveUp, d.file, d.path, d.copy)
	d.enable()
	d.scroll = page.NewScroll(f, f.Say("uploads.way"), container.NewVBox(d.buttons, d.lines)) // large buttons leave no room to read in
	return d
}

// open shows an upload.
func (d *detail) open(id core.UploadID) {
	if d.id != id {
		d.scroll.ScrollToTop()
	}
	d.id, d.opened = id, true
	d.enable()
	d.update()
}

// close shows none.
func (d *detail) close() {
	d.id, d.opened, d.upload = "", false, view.UploadDetail{}
	d.lines.Objects = []fyne.CanvasObject{page.Plain(d.f.Say("uploads.choose"))}
	d.lines.Refresh()
	d.enable()
}

// update asks for the upload again.
func (d *detail) update() {
	id := d.id
	if id == "" {
		return
	}
	d.f.Ask("upload", func(ctx context.Context) (func(), error) {
		u, err := d.source.Upload(ctx, id)
		return func() {
			if d.id != id {
				return
			}
			if d.show(u); d.opened {
				d.opened = false
				d.f.See(d.scroll)
			}
		}, err
	})
}

func (d *detail) show(u view.UploadDetail) {
	if u.ID == d.awaits && u.Standing != view.StandingProcessing {
		d.awaits = ""
		d.f.Tell(d.f.Reader().Redriven(u))
	}
	if reflect.DeepEqual(u, d.upload) {
		return
	}
	d.upload = u
	d.enable()
	d.redraw()
}

// seek says whether the list shows those alone that could not be opened.
func (d *detail) seek(refused bool) {
	d.sought = refused
	d.enable()
}

// passing draws how far the upload is, where it is on its way.
func (d *detail) passing(site view.Site) {
	r := d.f.Reader()
	before := r.StagesNow(d.upload, d.traffic)
	d.traffic, d.refused = site.Traffic, site.Overview.Queues.Refused
	d.enable()
	if !reflect.DeepEqual(before, r.StagesNow(d.upload, d.traffic)) {
		d.redraw()
	}
}

// redraw draws the upload.
func (d *detail) redraw() {
	r, u := d.f.Reader(), d.upload
	row := r.RowNow(u.UploadRow, d.traffic)
	name := page.Plain(row.File)
	name.TextStyle.Bold, name.SizeName = true, theme.SizeNameSubHeadingText
	d.lines.Objects = []fyne.CanvasObject{
		name,
		container.NewBorder(nil, nil, widget.NewIcon(standingIcon(u.Standing)), nil, page.Plain(row.State+", "+row.Who+", "+row.When)),
		page.Plain(r.Facts(u)), page.Heading(d.f.Say("uploads.way")),
	}
	for _, stage := range r.StagesNow(u, d.traffic) {
		state, text := r.Stage(stage)
		icon := widget.NewIcon(page.StageIcon(stage.State))
		d.lines.Add(container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(icon)), nil, told(state, text)))
	}
	if messages := r.Messages(u); len(messages) > 0 {
		d.lines.Add(page.Heading(d.f.Say("uploads.messages")))
		for _, message := range messages {
			d.lines.Add(page.Plain(message))
		}
	}
	if u.Dossier != nil {
		for _, o := range drawDossier(d.f, *u.Dossier) {
			d.lines.Add(o)
		}
	}
	d.lines.Add(page.Plain(string(u.ID)))
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

// enable lets a person do what can help the upload that they see: until another one is
// here, nothing.
func (d *detail) enable() {
	here := d.upload.ID == d.id
	_, place := d.upload.Dossier.Shown()
	for button, can := range map[*page.Button]bool{d.retry: d.upload.Retry, d.redrive: d.upload.Redrive, d.copy: d.upload.ID != "", d.file: place != ""} {
		page.Enable(button, can && here)
	}
	refused := d.upload.Standing == view.StandingRefused
	for button, seen := range map[*page.Button]bool{d.giveUp: d.upload.Standing == view.StandingPerson || refused, d.path: place != "", d.all: d.refused > 0 && (refused || d.sought)} {
		if page.Enable(button, here || button == d.all); seen {
			button.Show()
		} else {
			button.Hide()
		}
	}
	d.buttons.Refresh()
}

// askGiveUp gives up a record that can never be sent, such as one whose bytes no backup
// has, or an upload that can never be opened, once a person knows what that means.
func (d *detail) askGiveUp() {
	f, id := d.f, d.id
	ask, why := f.Say("uploads.give_up_ask", "file", d.upload.File), f.Say("uploads.give_up_why")
	if d.upload.Standing == view.StandingRefused && d.upload.Unsent() {
		ask, why = f.Say("uploads.give_up_unopened_ask", "file", d.upload.File), f.Say("uploads.give_up_unopened_why")
	}
	f.ConfirmForGood(ask, why, f.Say("uploads.give_up_do"), func() {
		f.Do(func(ctx context.Context) error { return d.mender.GiveUp(ctx, id) }, f.Say("uploads.given_up"))
	})
}

// askRedriveAll processes all again that could not be opened, such as after the key was
// imported that opens them, once a person knows how many they are.
func (d *detail) askRedriveAll() {
	f := d.f
	f.Confirm(f.Say("uploads.redrive_all_ask"), f.Count("uploads.redrive_all_why", d.refused), f.Say("uploads.redrive_all"), func() {
		f.Await(func(ctx context.Context) (func(), error) {
			n, err := d.mender.RedriveRefused(ctx)
			return func() {
				f.Tell(f.Count("uploads.redriven_all", n))
				f.Refresh()
			}, err
		})
	})
}
