package guide

import (
	"context"
	"reflect"
	"strings"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// ready is the last screen: the site is there, and this is how devices find it.
type ready struct {
	g       *Guide
	device  Device
	site    plan.Founded
	test    *widget.Button
	way     *fyne.Container
	pairing Pairing       // nil: there is none, or not yet
	id      core.UploadID // of the test upload
	seen    view.UploadDetail
}

func newReady(g *Guide, device Device) *ready {
	r := &ready{g: g, device: device, way: container.NewVBox()}
	r.test = widget.NewButtonWithIcon(g.f.Say("guide.test.do"), theme.UploadIcon(), r.send)
	return r
}

// draw draws the screen.
func (r *ready) draw() {
	f := r.g.f
	r.g.where.SetText(f.Say("guide.ready.where"))
	r.g.heading.SetText(f.Say("guide.ready.name", "site", r.g.draft.Text(plan.Site)))
	r.g.body.Add(page.Plain(f.Say("guide.ready.why")))
	for i, address := range r.site.Addresses {
		large := page.Plain(address)
		large.Selectable = true
		if large.TextStyle.Bold = true; i == 0 {
			large.SizeName = theme.SizeNameHeadingText
		}
		r.g.body.Add(large)
	}
	if r.site.Fingerprint != "" {
		print := page.Plain(r.site.Fingerprint)
		print.Selectable, print.TextStyle.Monospace = true, true
		r.g.body.Add(page.Plain(f.Say("guide.ready.fingerprint")))
		r.g.body.Add(print)
	}
	copied := widget.NewButtonWithIcon(f.Say("guide.ready.copy"), theme.ContentCopyIcon(), func() {
		f.App.Clipboard().SetContent(strings.Join(append(r.site.Addresses, r.site.Fingerprint), "\n"))
	})
	r.g.body.Add(container.NewHBox(copied))
	if r.g.config.Pairing != nil { // a device reads here what a person would type
		r.pairing = r.g.config.Pairing(f, core.StudyID(r.g.draft.Text(plan.Study)))
		r.g.body.Add(widget.NewSeparator())
		r.g.body.Add(r.pairing.Content())
	}
	r.g.body.Add(widget.NewSeparator())
	r.g.body.Add(page.Plain(r.site.Standing(f.Tongue)))
	r.g.body.Add(page.Heading(f.Say("guide.test.name")))
	r.g.body.Add(page.Plain(f.Say("guide.test.why")))
	r.g.body.Add(container.NewHBox(r.test))
	r.g.body.Add(r.way)
}

// send sends a test upload.
func (r *ready) send() {
	r.id, r.seen, r.way.Objects = "", view.UploadDetail{}, nil
	r.test.Disable()
	r.g.work(r.g.f.Say("guide.test.works"))
	r.g.f.Await(func(ctx context.Context) (func(), error) {
		id, err := r.device.Send(ctx)
		return func() {
			r.g.rest()
			r.g.enable()
			r.test.Enable()
			r.g.focus()
			if err != nil {
				r.g.complain(plan.Sentence(err.Error()))
				return
			}
			r.id = id
			r.look()
		}, nil
	})
}

// tick looks how far everything is that takes time.
func (r *ready) tick() {
	r.look()
	if r.pairing != nil {
		r.pairing.Update()
	}
}

// look asks how far the test upload is, until its way is over.
func (r *ready) look() {
	id := r.id
	if id == "" || r.seen.Over() {
		return
	}
	r.g.f.Ask("upload", func(ctx context.Context) (func(), error) {
		upload, err := r.device.Upload(ctx, id)
		return func() {
			if err != nil {
				r.g.complain(plan.Sentence(err.Error()))
			} else if r.id == id {
				r.show(upload)
			}
		}, nil
	})
}

// show draws the way of the upload where it went on.
func (r *ready) show(upload view.UploadDetail) {
	if reflect.DeepEqual(upload, r.seen) {
		return
	}
	r.seen, r.way.Objects = upload, nil
	reader := r.g.f.Reader()
	for _, stage := range upload.Stages {
		state, text := reader.Stage(stage)
		r.way.Add(page.Marked(page.StageIcon(stage.State), page.Plain(state+": "+text)))
	}
	if upload.Standing == view.StandingSent {
		said := page.Heading(r.g.f.Say("guide.test.arrived"))
		r.way.Add(page.Marked(theme.ConfirmIcon(), said))
	}
	r.way.Refresh()
	r.g.body.Refresh()
	r.g.scroll.ScrollToBottom()
}
