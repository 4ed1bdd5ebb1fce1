package settings

import (
	"footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// lookGroup is how this window looks; it is chosen for whoever sits here, and is no
// setting of the site.
type lookGroup struct {
	f       *page.Frame
	variant *page.Select
	scale   *page.Select
	rows    []fyne.CanvasObject // of the choices
	all     fyne.CanvasObject
}

func newLookGroup(f *page.Frame) *lookGroup {
	g := &lookGroup{f: f}
	var variants []string
	for _, v := range look.Variants() {
		variants = append(variants, f.Say("look.theme."+string(v)))
	}
	now := look.Of(f.App)
	g.variant = page.NewSelect(f, variants, nil)
	g.scale = page.NewSelect(f, look.ScaleNames(), nil)
	g.variant.Label, g.scale.Label = f.Say("look.theme"), f.Say("look.scale")
	g.variant.Selected, g.scale.Selected = f.Say("look.theme."+string(now.Variant)), now.ScaleName()
	choose := func(string) {
		look.Choose(f.App, look.Look{Variant: look.Variants()[g.variant.SelectedIndex()], Scale: look.Scales()[g.scale.SelectedIndex()]})
	}
	g.variant.OnChanged, g.scale.OnChanged = choose, choose
	g.rows = []fyne.CanvasObject{pair(f.Say("look.theme"), f.Say("look.theme_does"), g.variant), pair(f.Say("look.scale"), f.Say("look.scale_does"), g.scale)}
	g.all = container.NewVBox(append([]fyne.CanvasObject{groupHeading(f, "window")}, g.rows...)...)
	return g
}

// filter shows what of it someone looks for; false where nothing is.
func (g *lookGroup) filter(text string) (found bool) {
	for i, words := range [][]string{
		append([]string{g.f.Say("look.theme"), g.f.Say("look.theme_does")}, g.variant.Options...),
		append([]string{g.f.Say("look.scale"), g.f.Say("look.scale_does")}, g.scale.Options...),
	} {
		shown := view.Sought(text, append(words, groupName(g.f, "window"))...)
		show(g.rows[i], shown)
		found = found || shown
	}
	show(g.all, found)
	return found
}
