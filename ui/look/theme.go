package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Theme draws an app with a look (fyne.Theme).
type Theme struct{ Look }

// Color gives a colour of the look's variant; system is that of the desktop.
func (t Theme) Color(name fyne.ThemeColorName, system fyne.ThemeVariant) color.Color {
	variant := system
	switch t.Variant {
	case Light:
		variant = theme.VariantLight
	case Dark:
		variant = theme.VariantDark
	}
	if c, ok := paint(name, variant); ok {
		return c
	}
	return theme.DefaultTheme().Color(name, variant)
}

// Font is the usual one.
func (t Theme) Font(style fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(style) }

// Icon is the usual one.
func (t Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size is the usual one at the look's scale. Lines stay thin, or they would look like bars.
func (t Theme) Size(name fyne.ThemeSizeName) float32 {
	usual := theme.DefaultTheme().Size(name)
	switch name {
	case theme.SizeNameSeparatorThickness, theme.SizeNameInputBorder:
		return usual
	}
	return usual * float32(t.Scale) / 100
}

// rgb is an opaque colour, as 0xRRGGBB.
func rgb(c uint32) color.NRGBA { return over(c, 0xff) }

// over is a colour that lets through what is below it.
func over(c uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: alpha}
}

// paint gives a colour of ours.
func paint(name fyne.ThemeColorName, variant fyne.ThemeVariant) (color.Color, bool) {
	var light, dark color.NRGBA
	switch name {
	case theme.ColorNameBackground:
		light, dark = rgb(0xffffff), rgb(0x17181b)
	case theme.ColorNameForeground:
		light, dark = rgb(0x15181c), rgb(0xf3f3f3)
	case theme.ColorNameButton:
		light, dark = rgb(0xe4e6ea), rgb(0x2b2d33)
	case theme.ColorNameDisabledButton:
		light, dark = rgb(0xeff0f2), rgb(0x222429)
	case theme.ColorNameDisabled:
		light, dark = rgb(0x5c6067), rgb(0xa3a7af)
	case theme.ColorNamePlaceHolder:
		light, dark = rgb(0x565a61), rgb(0xadb1b9)
	case theme.ColorNamePrimary:
		light, dark = rgb(0x1554b8), rgb(0x7db1ff)
	case theme.ColorNameHyperlink:
		light, dark = rgb(0x1554b8), rgb(0x8cbaff)
	case theme.ColorNameForegroundOnPrimary:
		light, dark = rgb(0xffffff), rgb(0x0b1526)
	case theme.ColorNameFocus:
		light, dark = over(0x3d7fe0, 0x66), over(0x9cc4ff, 0x55)
	case theme.ColorNameSelection:
		light, dark = over(0x3d7fe0, 0x40), over(0x9cc4ff, 0x40)
	case theme.ColorNameHover:
		light, dark = over(0x000000, 0x14), over(0xffffff, 0x14)
	case theme.ColorNamePressed:
		light, dark = over(0x000000, 0x24), over(0xffffff, 0x24)
	case theme.ColorNameInputBackground:
		light, dark = rgb(0xf3f4f6), rgb(0x202227)
	case theme.ColorNameInputBorder:
		light, dark = rgb(0x767b84), rgb(0x8a8f98)
	case theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground:
		light, dark = rgb(0xf6f7f9), rgb(0x23252a)
	case theme.ColorNameHeaderBackground:
		light, dark = rgb(0xf3f4f6), rgb(0x1d1f23)
	case theme.ColorNameError:
		light, dark = rgb(0xb3261e), rgb(0xff8a80)
	case theme.ColorNameWarning:
		light, dark = rgb(0x8a5300), rgb(0xffb74d)
	case theme.ColorNameSuccess:
		light, dark = rgb(0x1b6e3c), rgb(0x81c784)
	case theme.ColorNameForegroundOnError, theme.ColorNameForegroundOnWarning, theme.ColorNameForegroundOnSuccess:
		light, dark = rgb(0xffffff), rgb(0x17181b)
	case theme.ColorNameSeparator:
		light, dark = rgb(0xb4b8bf), rgb(0x4a4d55)
	case theme.ColorNameScrollBar:
		light, dark = over(0x000000, 0x99), over(0xffffff, 0x99)
	default:
		return nil, false
	}
	if variant == theme.VariantLight {
		return light, true
	}
	return dark, true
}
