package tongue

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
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
	for _, b := range shelf() {
		all = append(all, Language{b.code, display.Self.Name(language.Make(b.code))})
	}
	return all
}

// Tongue says things in one language; the zero Tongue speaks English. Safe for
// concurrent use.
type Tongue struct{ book *book }

// In speaks the first language that it can of those that someone would like, each as
// BCP 47 (pt-BR), as an HTTP Accept-Language or as a POSIX locale (fr_CM.UTF-8); English
// where it can none.
func In(wishes ...string) Tongue {
	books := shelf()
	var spoken []language.Tag
	for _, b := range books {
		spoken = append(spoken, b.tag)
	}
	matcher := language.NewMatcher(spoken)
	for _, wish := range wishes {
		if end := strings.IndexAny(wish, ".@"); end >= 0 && !strings.ContainsAny(wish, ",;") {
			wish = wish[:end] // what follows a POSIX locale is its writing
		}
		asked, _, err := language.ParseAcceptLanguage(strings.ReplaceAll(wish, "_", "-"))
		if err != nil {
			continue
		}
		for _, tag := range asked { // one by one, or one that is known better would stand above it
			if _, i, sure := matcher.Match(tag); sure != language.No {
				return Tongue{books[i]}
			}
		}
	}
	return Tongue{books[0]}
}

// Code is the language as BCP 47.
func (t Tongue) Code() string {
	if t.book == nil {
		return language.English.String()
	}
	return t.book.code
}

// Has reports whether the catalogue has a name.
func Has(name string) bool { return english()[name] != text{} }

// Names are those of the catalogue that begin with a prefix.
func Names(prefix string) (all []string) {
	for name := range english() {
		if strings.HasPrefix(name, prefix) {
			all = append(all, name)
		}
	}
	return all
}

// Say gives the text of a name; its places are filled with pairs of name and value.
// A name that is not in the catalogue is said as it is.
func (t Tongue) Say(name string, pairs ...any) string { return t.say(name, nil, pairs) }

// Count gives the text of a name for so many of something, who stand there as n.
func (t Tongue) Count(name string, n int, pairs ...any) string {
	return t.say(name, n, append(pairs, "n", n))
}

func (t Tongue) say(name string, count any, pairs []any) string {
	book := t.book
	if book == nil {
		book = shelf()[0]
	}
	filling := map[string]any{}
	for i := 1; i < len(pairs); i += 2 {
		filling[pairs[i-1].(string)] = pairs[i]
	}
	text, err := book.localizer().Localize(&i18n.LocalizeConfig{MessageID: name, TemplateData: filling, PluralCount: count})
	if text == "" && err != nil {
		return name
	}
	return text
}

// book is the catalogue in one language. It is read when it is first spoken.
type book struct {
	code      string
	tag       language.Tag // whose rules it counts by
	texts     func() map[string]text
	localizer func() *i18n.Localizer
}

// shelf are the books, English first. That each can be read is what the tests show.
var shelf = sync.OnceValue(func() []*book {
	found, err := fs.Glob(files, "catalogue/*.json")
	if err != nil {
		panic(err)
	}
	rooms := map[string][]string{} // by language
	for _, name := range found {
		code := strings.Split(name, ".")[1]
		rooms[code] = append(rooms[code], name)
	}
	all := []*book{open(language.English.String(), rooms[language.English.String()])}
	for _, code := range slices.Sorted(maps.Keys(rooms)) {
		if code != all[0].code {
			all = append(all, open(code, rooms[code]))
		}
	}
	return all
})

// english are the texts that every other language has, too.
func english() map[string]text { return shelf()[0].texts() }

func open(code string, names []string) *book {
	tag := language.MustParse(code)
	if tag == language.Portuguese { // that of Portugal and Mozambique counts otherwise than Brazil's
		tag = language.EuropeanPortuguese
	}
	b := &book{code: code, tag: tag}
	b.texts = sync.OnceValue(func() map[string]text {
		texts := map[string]text{}
		for _, name := range names {
			if err := read(name, texts); err != nil {
				panic(fmt.Sprintf("read %s: %v", name, err))
			}
		}
		return texts
	})
	b.localizer = sync.OnceValue(func() *i18n.Localizer {
		bundle := i18n.NewBundle(tag)
		for id, t := range b.texts() {
			// Some languages have a form of their own for millions; none of ours needs it.
			if err := bundle.AddMessages(tag, &i18n.Message{ID: id, One: t.One, Many: t.Other, Other: t.Other}); err != nil {
				panic(fmt.Sprintf("read %s in %s: %v", id, code, err))
			}
		}
		return i18n.NewLocalizer(bundle, tag.String())
	})
	return b
}

// read adds the texts of a file.
func read(name string, texts map[string]text) error {
	body, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, &texts)
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
