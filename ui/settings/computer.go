package settings

import (
	"context"

	"footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Login says whether Footbridge starts when its user signs in to this computer.
type Login interface {
	On() (bool, error)
	Set(on bool) error
}

// computer is what is chosen for whoever sits at this one, and is no setting of the site.
type computer struct {
	f     *page.Frame
	login Login
	start *page.Select // nil: nothing can be started here
	known string       // of its choices the one that was found to hold; empty: it could not be told yet
	quiet bool         // the choice is made by the program
	rows  []choiceRow
	all   *fyne.Container
}

// choiceRow is a choice, and what is to be read of it.
type choiceRow struct {
	words []string
	all   fyne.CanvasObject
}

func newComputer(f *page.Frame, login Login) *computer {
	c := &computer{f: f, login: login, all: container.NewVBox(groupHeading(f, "window"))}
	var variants []string
	for _, v := range look.Variants() {
		variants = append(variants, f.Say("look.theme."+string(v)))
	}
	now := look.Of(f.App)
	variant := c.add(f.Say("look.theme"), f.Say("look.theme_does"), variants)
	scale := c.add(f.Say("look.scale"), f.Say("look.scale_does"), look.ScaleNames())
	variant.Selected, scale.Selected = f.Say("look.theme."+string(now.Variant)), now.ScaleName()
	choose := func(string) {
		look.Choose(f.App, look.Look{Variant: look.Variants()[variant.SelectedIndex()], Scale: look.Scales()[scale.SelectedIndex()]})
	}
	variant.OnChanged, scale.OnChanged = choose, choose
	if login != nil {
		c.start = c.add(f.Say("settings.login"), f.Say("settings.login_does"), []string{f.Say("settings.no"), f.Say("settings.yes")})
		c.start.OnChanged = func(string) {
			if !c.quiet {
				c.change(c.start.SelectedIndex() == 1)
			}
		}
	}
	return c
}

// add puts a choice below the others.
func (c *computer) add(name, does string, options []string) *page.Select {
	s := page.NewSelect(c.f, options, nil)
	s.Label = name
	row := choiceRow{append([]string{name, does, groupName(c.f, "window")}, options...), pair(name, does, s)}
	c.rows = append(c.rows, row)
	c.all.Add(row.all)
	return s
}

// update looks whether Footbridge starts at login: it may be switched by a command, too.
func (c *computer) update() {
	if c.start != nil {
		c.f.Ask("login", func(context.Context) (func(), error) {
			on, err := c.login.On()
			return func() { c.found(on) }, err
		})
	}
}

// change has it started at login, or not, and looks what came of it. Where that cannot be
// told, it is as it was taken, or else as it was before.
func (c *computer) change(on bool) {
	c.f.Ask("", func(context.Context) (func(), error) {
		failed := c.login.Set(on)
		is, untold := c.login.On()
		return func() {
			switch {
			case untold == nil:
				c.found(is)
			case failed == nil:
				c.found(on)
			default:
				c.show()
			}
			if failed != nil {
				c.f.Tell(c.f.Say("settings.login_failed", "why", failed.Error()))
				return
			}
			c.f.Tell(c.f.Say("settings.saved", "name", c.start.Label))
		}, nil
	})
}

// found keeps how it is, and shows it.
func (c *computer) found(on bool) {
	c.known = c.start.Options[0]
	if on {
		c.known = c.start.Options[1]
	}
	c.show()
}

// show says how it is, as far as that is known; nobody chose it.
func (c *computer) show() {
	c.quiet = true
	defer func() { c.quiet = false }()
	if c.known == "" {
		c.start.ClearSelected()
		return
	}
	c.start.SetSelected(c.known)
}

// filter shows what of it someone looks for; false where nothing is.
func (c *computer) filter(text string) (found bool) {
	for _, row := range c.rows {
		shown := view.Sought(text, row.words...)
		show(row.all, shown)
		found = found || shown
	}
	show(c.all, found)
	return found
}
