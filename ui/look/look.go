package look

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
)

// Variant is light or dark, or whichever the desktop is.
type Variant string

// The variants.
const (
	System Variant = "system"
	Light  Variant = "light"
	Dark   Variant = "dark"
)

// Variants are all there are, the usual one first.
func Variants() []Variant { return []Variant{System, Light, Dark} }

// Scales are how large everything may be, in hundredths.
func Scales() []int { return []int{100, 125, 150, 200} }

// ScaleNames are those as people read them.
func ScaleNames() (all []string) {
	for _, s := range Scales() {
		all = append(all, fmt.Sprintf("%d %%", s))
	}
	return all
}

// Look is what someone chose.
type Look struct {
	Variant Variant
	Scale   int // of Scales
}

// ScaleName is its scale as people read it.
func (l Look) ScaleName() string { return ScaleNames()[slices.Index(Scales(), l.Scale)] }

// Where the preferences of an app have it.
const (
	variantKey = "look.variant"
	scaleKey   = "look.scale"
)

// Of is the look that was chosen in an app; that of the desktop where none was.
func Of(app fyne.App) Look {
	l := Look{Variant(app.Preferences().String(variantKey)), app.Preferences().Int(scaleKey)}
	if !slices.Contains(Variants(), l.Variant) {
		l.Variant = System
	}
	if !slices.Contains(Scales(), l.Scale) {
		l.Scale = Scales()[0]
	}
	return l
}

// Choose has an app look like that, now and when it starts again.
func Choose(app fyne.App, l Look) {
	app.Preferences().SetString(variantKey, string(l.Variant))
	app.Preferences().SetInt(scaleKey, l.Scale)
	Apply(app)
}

// Apply has an app look as was chosen.
func Apply(app fyne.App) { app.Settings().SetTheme(Theme{Of(app)}) }
