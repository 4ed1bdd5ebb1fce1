package study

import (
	"context"
	"errors"
	"fmt"
	"io"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// documentMax is how large a document may be, in bytes.
const documentMax = 32 << 20

// papers is the part of the page about what goes between the site and those who build
// apps: the key, schemas and the timeline.
type papers struct {
	s         *Page
	documents Documents
	timeline  *page.Button
	kept      *word // what came of the last key
	taken     *word // what came of the last document
	all       fyne.CanvasObject
}

func newPapers(s *Page, documents Documents) *papers {
	p := &papers{s: s, documents: documents, kept: newWord(s.f), taken: newWord(s.f)}
	save := page.NewButton(s.f, s.f.Say("study.key.save"), theme.DocumentSaveIcon(), func() { p.withKey(p.saveKey) })
	copies := page.NewButton(s.f, s.f.Say("study.key.copy"), theme.ContentCopyIcon(), func() { p.withKey(s.copy) })
	keep := page.NewButton(s.f, s.f.Say("study.key.import"), theme.FolderOpenIcon(), func() { p.choose(".pem", p.kept, p.importKey) })
	schema := page.NewButton(s.f, s.f.Say("study.schema.import"), theme.FolderOpenIcon(), func() { p.choose(".json", p.taken, p.importSchema) })
	p.timeline = page.NewButton(s.f, s.f.Say("study.timeline.import"), theme.FolderOpenIcon(), func() { p.choose(".json", p.taken, p.importTimeline) })
	p.all = container.NewVBox(
		page.Heading(s.f.Say("study.key")), page.Plain(s.f.Say("study.key.why")), page.Buttons(save, copies, keep), p.kept.all, widget.NewSeparator(),
		page.Heading(s.f.Say("study.papers")), page.Plain(s.f.Say("study.papers.why")), page.Buttons(schema, p.timeline), p.taken.all,
	)
	return p
}

// withKey gives the public key to who wants it.
func (p *papers) withKey(to func(pem string)) {
	p.s.f.Ask("", func(ctx context.Context) (func(), error) {
		pem, err := p.s.studies.PublicKey(ctx)
		return func() { to(pem) }, err
	})
}

// saveKey asks where to, and saves the key there.
func (p *papers) saveKey(pem string) {
	where := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
		if err == nil && file != nil {
			_, err = io.WriteString(file, pem)
			err = errors.Join(err, file.Close())
			if err == nil {
				p.kept.well(p.s.f.Say("study.key.saved"))
			}
		}
		if err != nil {
			p.kept.wrong(err.Error())
		}
	}, p.s.f.Window)
	where.SetFileName("footbridge-public-key.pem")
	p.s.f.SaveFile(where)
}

// choose asks for a document, whose name ends so; answer says that it cannot be opened.
func (p *papers) choose(ending string, answer *word, take func(io.ReadCloser)) {
	which := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			answer.wrong(err.Error())
		case file != nil:
			take(file)
		}
	}, p.s.f.Window)
	which.SetFilter(storage.NewExtensionFileFilter([]string{ending}))
	p.s.f.OpenFile(which)
}

// importSchema imports a schema.
func (p *papers) importSchema(file io.ReadCloser) {
	p.take(file, p.taken, func(ctx context.Context, document []byte) (func(view.Reader) string, error) {
		taken, err := p.documents.ImportSchema(ctx, document)
		return func(r view.Reader) string { return r.SchemaTaken(taken) }, err
	})
}

// importKey keeps a key that files were encrypted to.
func (p *papers) importKey(file io.ReadCloser) {
	p.take(file, p.kept, func(ctx context.Context, pem []byte) (func(view.Reader) string, error) {
		serial, err := p.documents.ImportKey(ctx, pem)
		return func(r view.Reader) string { return r.Say("study.key.taken", "serial", serial) }, err
	})
}

// importTimeline makes a file the timeline of the study that is open.
func (p *papers) importTimeline(file io.ReadCloser) {
	id := p.s.open
	p.take(file, p.taken, func(ctx context.Context, document []byte) (func(view.Reader) string, error) {
		taken, err := p.documents.ImportTimeline(ctx, id, document)
		return func(r view.Reader) string { return r.TimelineTaken(id, taken) }, err
	})
}

// take reads a document and hands it on; answer says what came of it.
func (p *papers) take(file io.ReadCloser, answer *word, hand func(context.Context, []byte) (func(view.Reader) string, error)) {
	p.s.f.Ask("", func(ctx context.Context) (func(), error) {
		defer file.Close()
		document, err := io.ReadAll(io.LimitReader(file, documentMax))
		if err != nil {
			return nil, fmt.Errorf("read the document: %w", err)
		}
		taken, err := hand(ctx, document)
		return func() {
			if err != nil {
				answer.wrong(p.s.f.Say("study.not_taken", "why", err.Error()))
				return
			}
			answer.well(taken(p.s.f.Reader()))
		}, nil
	})
}
