package guide

import (
	"context"
	"reflect"
	"strings"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: how devices find the site stays in sight once it is drawn. The test
// upload, and what becomes of it, stand below what scrolls.

// ready is the last screen: the site is there, and this is how devices find it.
type ready struct {
	g       *Guide
	device  Device
	site    plan.Founded
	test    *page.Button
	pairing Pairing       // nil: there is none, or not yet
	id      core.UploadID // of the test upload
	seen    view.UploadDetail
}

func newReady(g *Guide, device Device) *ready {
	r := &ready{g: g, device: device}
	r.test = page.NewButton(g.f, g.f.Say("guide.test.do"), theme.UploadIcon(), r.send)
	r.test.Hide()
	return r
}

// draw draws the screen.
func (r *ready) draw() {
	f := r.g.f
	r.g.heading.SetText(f.Say("guide.ready.name", "site", r.g.draft.Text(plan.Site)))
	r.g.body.Add(page.Plain(f.Say("guide.ready.why")))
	for i, address := range r.site.Addresses {
		large := page.Plain(address)
		if large.TextStyle.Bold = true; i == 0 {
			large.SizeName = theme.SizeNameHeadingText
		}
		r.g.body.Add(large)
	}
	if r.site.Fingerprint != "" {
		print := page.Plain(r.site.Fingerprint)
		print.TextStyle.Monospace = true
		r.g.body.Add(page.Plain(f.Say("guide.ready.fingerprint")))
		r.g.body.Add(print)
	}
	copied := page.NewButton(f, f.Say("guide.ready.copy"), theme.ContentCopyIcon(), func() {
		f.App.Clipboard().SetContent(strings.Join(append(r.site.Addresses, r.site.Fingerprint), "\n"))
	})
	r.g.body.Add(page.Buttons(copied))
	if r.g.config.Pairing != nil { // a device reads here what a person would type
		r.pairing = r.g.config.Pairing(f, core.StudyID(r.g.draft.Text(plan.Study)))
		r.g.body.Add(widget.NewSeparator())
		r.g.body.Add(r.pairing.Content())
	}
	r.g.body.Add(widget.NewSeparator())
	r.g.body.Add(page.Plain(r.site.Standing(f.Tongue)))
	r.g.body.Add(page.Heading(f.Say("guide.test.name")))
	r.g.body.Add(page.Plain(f.Say("guide.test.why")))
}

// send sends a test upload.
func (r *ready) send() {
	r.id, r.seen = "", view.UploadDetail{}
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
			r.keep()
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

// show says how far the upload is where it went on.
func (r *ready) show(upload view.UploadDetail) {
	if reflect.DeepEqual(upload, r.seen) {
		return
	}
	r.seen, r.g.trouble.Objects = upload, nil
	if stage, ok := reached(upload.Stages); ok {
		state, text := r.g.f.Reader().Stage(stage)
		r.g.trouble.Add(page.Marked(page.StageIcon(stage.State), page.Plain(state+": "+text)))
	}
	if upload.Standing == view.StandingSent {
		r.g.trouble.Add(page.Marked(theme.ConfirmIcon(), page.Heading(r.g.f.Say("guide.test.arrived"))))
	}
	r.g.trouble.Refresh()
	r.keep()
}

// reached is the stage that an upload is at, or where it stopped, or else the last one that
// is done; false where it is nowhere yet.
func reached(stages []view.Stage) (at view.Stage, ok bool) {
	for _, stage := range stages {
		switch stage.State {
		case "now", "stopped":
			return stage, true
		case "done":
			at, ok = stage, true
		}
	}
	return at, ok
}

// keep keeps a pairing's code in sight.
func (r *ready) keep() {
	if r.pairing != nil && r.pairing.Coded() {
		r.g.f.Window.Content().Refresh() // what stands below has other lines now
		r.g.f.See(r.pairing.Content())
	}
}
