package look_test

import (
	"image/color"
	"math"
	"testing"

	"footbridge/ui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// luminance is the relative luminance of an opaque colour, as WCAG 2.1 has it.
func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	first, second := luminance(a), luminance(b)
	return (max(first, second) + 0.05) / (min(first, second) + 0.05)
}

// lay lays a colour over an opaque one.
func lay(below, above color.NRGBA) color.NRGBA {
	mix := func(b, a uint8) uint8 {
		return uint8((int(b)*(255-int(above.A)) + int(a)*int(above.A)) / 255)
	}
	return color.NRGBA{R: mix(below.R, above.R), G: mix(below.G, above.G), B: mix(below.B, above.B), A: 255}
}

func TestContrast(t *testing.T) {
	if got := contrast(color.NRGBA{A: 255}, color.NRGBA{R: 255, G: 255, B: 255, A: 255}); math.Abs(got-21) > 0.01 {
		t.Fatalf("black on white is %.2f", got)
	}
	type names = []fyne.ThemeColorName
	overlays := names{"", theme.ColorNameFocus, theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameSelection}
	grounds := names{
		theme.ColorNameBackground, theme.ColorNameButton, theme.ColorNameInputBackground, theme.ColorNameMenuBackground,
		theme.ColorNameOverlayBackground, theme.ColorNameHeaderBackground,
	}
	plain := names{theme.ColorNameBackground, theme.ColorNameInputBackground, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameHeaderBackground}
	for variant, of := range map[look.Variant]fyne.ThemeVariant{look.Light: theme.VariantDark, look.Dark: theme.VariantLight} { // the choice stands above the desktop's
		at := func(name fyne.ThemeColorName) color.NRGBA {
			return color.NRGBAModel.Convert(look.Theme{Look: look.Look{Variant: variant, Scale: 100}}.Color(name, of)).(color.NRGBA)
		}
		check := func(text fyne.ThemeColorName, grounds, overlays names, least float64) {
			t.Helper()
			for _, ground := range grounds {
				for _, overlay := range overlays {
					below := at(ground)
					if overlay != "" {
						below = lay(below, at(overlay))
					}
					if got := contrast(at(text), below); got < least {
						t.Errorf("%s: %s on %s %s has %.2f:1", variant, text, ground, overlay, got)
					}
				}
			}
		}
		check(theme.ColorNameForeground, grounds, overlays, 4.5)
		check(theme.ColorNameDisabled, append(names{theme.ColorNameDisabledButton}, plain...), names{""}, 4.5)
		check(theme.ColorNamePlaceHolder, plain, names{""}, 4.5)
		check(theme.ColorNameHyperlink, plain, names{""}, 4.5)
		check(theme.ColorNamePrimary, plain, names{""}, 4.5)
		for _, coloured := range []fyne.ThemeColorName{theme.ColorNameError, theme.ColorNameWarning, theme.ColorNameSuccess} {
			check(coloured, plain, names{""}, 4.5)
		}
		for text, ground := range map[fyne.ThemeColorName]fyne.ThemeColorName{
			theme.ColorNameForegroundOnPrimary: theme.ColorNamePrimary, theme.ColorNameForegroundOnError: theme.ColorNameError,
			theme.ColorNameForegroundOnWarning: theme.ColorNameWarning, theme.ColorNameForegroundOnSuccess: theme.ColorNameSuccess,
		} {
			check(text, names{ground}, names{"", theme.ColorNameFocus, theme.ColorNameHover, theme.ColorNamePressed}, 4.5)
		}
		check(theme.ColorNameInputBorder, names{theme.ColorNameBackground}, names{""}, 3) // what is no text
		for _, ground := range []fyne.ThemeColorName{theme.ColorNameButton, theme.ColorNameBackground} {
			if got := contrast(at(ground), lay(at(ground), at(theme.ColorNameFocus))); got < 1.5 {
				t.Errorf("%s: the cursor on %s is seen with %.2f:1 only", variant, ground, got)
			}
		}
	}
}

// Where nothing was chosen the window is as the desktop is; what was chosen is kept.
func TestChoose(t *testing.T) {
	app := test.NewTempApp(t)
	if got, want := look.Of(app), (look.Look{Variant: look.System, Scale: 100}); got != want {
		t.Errorf("at first it is %+v", got)
	}
	want := look.Look{Variant: look.Dark, Scale: 150}
	look.Choose(app, want)
	if got := look.Of(app); got != want || got.ScaleName() != "150 %" {
		t.Errorf("then it is %+v", got)
	}
	if got := app.Settings().Theme(); got != (look.Theme{Look: want}) {
		t.Errorf("the theme is %+v", got)
	}
	usual := theme.DefaultTheme().Size(theme.SizeNameText)
	if got := app.Settings().Theme().Size(theme.SizeNameText); got != usual*1.5 {
		t.Errorf("text is %v high, not %v", got, usual*1.5)
	}
	app.Preferences().SetInt("look.scale", 7)
	app.Preferences().SetString("look.variant", "pink")
	if got := look.Of(app); got != (look.Look{Variant: look.System, Scale: 100}) {
		t.Errorf("what nobody can have chosen is %+v", got)
	}
}

// The desktop's variant is followed where nobody chose one.
func TestTheDesktopsVariant(t *testing.T) {
	system := look.Theme{Look: look.Look{Variant: look.System, Scale: 100}}
	for _, v := range []fyne.ThemeVariant{theme.VariantLight, theme.VariantDark} {
		chosen := look.Theme{Look: look.Look{Variant: map[fyne.ThemeVariant]look.Variant{theme.VariantLight: look.Light, theme.VariantDark: look.Dark}[v], Scale: 100}}
		for _, name := range []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameShadow} {
			if system.Color(name, v) != chosen.Color(name, 1-v) {
				t.Errorf("variant %d: %s is another", v, name)
			}
		}
	}
}
