package uploads

import (
	"net/url"
	"path/filepath"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// drawDossier draws what is known of a record, and how far its ways are.
func drawDossier(f *page.Frame, d view.Dossier) (all []fyne.CanvasObject) {
	r := f.Reader()
	all = append(all, page.Heading(f.Say("record.heading")), page.Plain(r.RecordFacts(d)))
	for _, j := range d.Journals {
		all = append(all, page.Heading(f.Say("steps.heading", "destination", j.Destination)), lines(r.Steps(j)))
	}
	if annotations := r.Annotations(d); len(annotations) > 0 {
		all = append(all, page.Heading(f.Say("record.annotations")), lines(annotations))
	}
	return all
}

// lines is a text of several lines, close together.
func lines(all []string) fyne.CanvasObject {
	text := ""
	for i, line := range all {
		if i > 0 {
			text += "\n"
		}
		text += line
	}
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapBreak
	return label
}

// showFile opens the folder that an upload's file lies in; where it lies elsewhere, its
// place goes to the clipboard.
func showFile(f *page.Frame, d *view.Dossier) {
	folder, place := d.Shown()
	if folder == "" {
		f.App.Clipboard().SetContent(place)
		f.Tell(f.Say("record.elsewhere", "place", place))
		return
	}
	if err := f.App.OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}); err != nil {
		f.App.Clipboard().SetContent(place)
		f.Tell(f.Say("record.no_folder", "place", place))
		return
	}
	f.Tell(f.Say("record.folder", "place", place))
}
