package settings

import (
	"context"
	"strings"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// The rules here are: what opens the repository is typed, and never read; it is kept
// whole, and tried at once.

// askSecrets asks for what opens the repository of the settings, or says why it is not
// asked for.
func (r *row) askSecrets() {
	r.p.f.Ask("", func(ctx context.Context) (func(), error) {
		secrets, err := r.p.source.RepositorySecrets(ctx)
		return func() {
			switch {
			case err != nil:
				r.say(theme.ErrorIcon(), err.Error())
			case secrets.Variable != "":
				r.say(theme.InfoIcon(), r.p.f.Say("settings.secrets.variable", "variable", secrets.Variable))
			case len(secrets.Asks) == 0:
				r.say(theme.InfoIcon(), r.p.f.Say("settings.secrets.none"))
			default:
				r.typeSecrets(secrets)
			}
		}, nil
	})
}

// typeSecrets has a person type them.
func (r *row) typeSecrets(secrets view.Secrets) {
	f, fields := r.p.f, map[string]*page.Entry{}
	form := container.NewVBox(page.Plain(f.Say("settings.secrets.why")))
	var first *page.Entry
	for _, name := range secrets.Asks {
		label := f.Say("settings.secrets." + name)
		field := page.NewPassword(f)
		field.Label = label
		if fields[name] = field; first == nil {
			first = field
		}
		form.Add(page.Heading(label))
		form.Add(field)
	}
	agree := f.Question(f.Say("settings.secrets.title"), f.Say("settings.secrets.keep"), f.Say("settings.secrets.leave"), form, func(yes bool) {
		if yes {
			r.keepSecrets(fields)
		}
	})
	for _, field := range fields {
		field.OnSubmitted = func(string) { agree() }
	}
	f.Window.Canvas().Focus(first)
}

// keepSecrets keeps what was typed, and tries it.
func (r *row) keepSecrets(fields map[string]*page.Entry) {
	given := map[string]string{}
	for name, field := range fields {
		if given[name] = field.Text; strings.TrimSpace(field.Text) == "" {
			r.say(theme.ErrorIcon(), r.p.f.Say("settings.secrets.missing"))
			return
		}
	}
	r.p.f.Ask("", func(ctx context.Context) (func(), error) {
		err := r.p.source.KeepRepositorySecrets(ctx, given)
		return func() {
			if err != nil {
				r.say(theme.ErrorIcon(), err.Error())
				return
			}
			r.tryOut("")
		}, nil
	})
}

// secretsButton asks for what opens the repository.
func (r *row) secretsButton() fyne.CanvasObject {
	return page.NewButton(r.p.f, r.p.f.Say("settings.secrets"), theme.LoginIcon(), r.askSecrets)
}
