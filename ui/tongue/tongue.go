package tongue

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

//go:embed catalogue
var files embed.FS

// Language is one that Footbridge speaks.
type Language struct {
	Code string // BCP 47: en, fr, es, pt or sw
	Name string // in itself
}

// Languages are all that it speaks, English first.
func Languages() []Language {
	var all []Language
	for _, tag := range catalogue().LanguageTags() {
		all = append(all, Language{tag.String(), display.Self.Name(tag)})
	}
	return all
}

// Tongue says things in one language; the zero Tongue speaks English. Safe for
// concurrent use.
type Tongue struct {
	localizer *i18n.Localizer
	code      string
}

// In speaks the first language that it can of those that someone would like, each as
// BCP 47 (pt-BR), as an HTTP Accept-Language or as a POSIX locale (fr_CM.UTF-8); English
// where it can none.
func In(wishes ...string) Tongue {
	var plain []string
	for _, wish := range wishes {
		wish, _, _ = strings.Cut(wish, ".")
		plain = append(plain, strings.ReplaceAll(wish, "_", "-"))
	}
	tags := catalogue().LanguageTags()
	_, i := language.MatchStrings(language.NewMatcher(tags), plain...)
	code := tags[i].String()
	return Tongue{i18n.NewLocalizer(catalogue(), code), code}
}

// Code is the language as BCP 47.
func (t Tongue) Code() string {
	if t.localizer == nil {
		return language.English.String()
	}
	return t.code
}

// Say gives the text of a name; its places are filled with pairs of name and value.
// A name that is not in the catalogue is said as it is.
func (t Tongue) Say(name string, pairs ...any) string { return t.say(name, nil, pairs) }

// Count gives the text of a name for so many of something, who stand there as n.
func (t Tongue) Count(name string, n int, pairs ...any) string {
	return t.say(name, n, append(pairs, "n", n))
}

func (t Tongue) say(name string, count any, pairs []any) string {
	if t.localizer == nil {
		t = In(language.English.String())
	}
	filling := map[string]any{}
	for i := 1; i < len(pairs); i += 2 {
		filling[pairs[i-1].(string)] = pairs[i]
	}
	text, err := t.localizer.Localize(&i18n.LocalizeConfig{MessageID: name, TemplateData: filling, PluralCount: count})
	if text == "" && err != nil {
		return name
	}
	return text
}

// catalogue is read once; that it can be is what the tests show.
var catalogue = sync.OnceValue(func() *i18n.Bundle {
	bundle := i18n.NewBundle(language.English)
	names, err := fs.Glob(files, "catalogue/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if err := read(bundle, name); err != nil {
			panic(fmt.Sprintf("read %s: %v", name, err))
		}
	}
	return bundle
})

// read adds a file to a bundle.
func read(bundle *i18n.Bundle, name string) error {
	body, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	var texts map[string]text
	if err := json.Unmarshal(body, &texts); err != nil {
		return err
	}
	tag, err := language.Parse(strings.Split(name, ".")[1])
	if err != nil {
		return err
	}
	for id, t := range texts {
		// Some languages have a form of their own for millions; none of ours needs it.
		if err := bundle.AddMessages(tag, &i18n.Message{ID: id, One: t.One, Many: t.Other, Other: t.Other}); err != nil {
			return err
		}
	}
	return nil
}

// text is what a name stands for.
type text struct{ One, Other string }

// UnmarshalJSON reads a string, or an object with one and other (json.Unmarshaler).
func (t *text) UnmarshalJSON(body []byte) error {
	if len(body) > 0 && body[0] == '"' {
		return json.Unmarshal(body, &t.Other)
	}
	var forms struct{ One, Other string }
	if err := json.Unmarshal(body, &forms); err != nil {
		return err
	}
	*t = text(forms)
	return nil
}
