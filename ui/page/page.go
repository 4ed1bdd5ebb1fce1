package page

import (
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
)

// Searcher is a page that is searched. Its method belongs to the thread that draws.
type Searcher interface {
	// Search puts the cursor where a search is typed.
	Search()
}

// Page is one screen. Its methods belong to the thread that draws.
type Page interface {
	// Name is what the page is called, and its icon.
	Name() (string, fyne.Resource)

	// Content is drawn once, and changed by Show and by what Update asks for.
	Content() fyne.CanvasObject

	// First has the cursor once the page is opened; nil: nothing has.
	First() fyne.Focusable

	// Show draws what is known of the appliance.
	Show(view.Site)

	// Update asks for what else the page shows.
	Update()
}
