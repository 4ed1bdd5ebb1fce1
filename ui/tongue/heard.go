package tongue

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The rules here are: what was said where no reader was known, such as what is kept of an
// upload for good, is English; whoever shows it finds out what was said, and says it again.

// Heard finds what the catalogue has for a text that was said in English: its name
// behind message., and the pairs that fill its places. False where it has none.
func Heard(english string) (name string, pairs []any, ok bool) { return hear(messages(), english) }

// Part finds, as Heard does, what the catalogue has for a part of such a text: its name
// behind phrase.
func Part(english string) (name string, pairs []any, ok bool) { return hear(phrases(), english) }

func hear(all []message, english string) (name string, pairs []any, ok bool) {
	for _, m := range all {
		found := m.said.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		for i, place := range m.said.SubexpNames()[1:] {
			pairs = append(pairs, place, found[i+1])
		}
		return m.name, pairs, true
	}
	return "", nil, false
}

// message is one that may be heard.
type message struct {
	name string
	said *regexp.Regexp
	word int // how much of it is not left open
}

var opening = regexp.MustCompile(`\\\{\\\{\\\.(\w+)\\\}\\\}`) // a place, in a text that was quoted

// What may be heard, whole texts and parts of them.
var (
	messages = sync.OnceValue(func() []message { return called("message.") })
	phrases  = sync.OnceValue(func() []message { return called("phrase.") })
)

// called are those whose names begin alike, those that say most first.
func called(prefix string) []message {
	var all []message
	for name, t := range english() {
		if strings.HasPrefix(name, prefix) && !strings.HasSuffix(name, ".window") {
			quoted := regexp.QuoteMeta(t.Other)
			said := strings.ReplaceAll(opening.ReplaceAllString(quoted, "(?P<$1>.+)"), "<number>.+", `<number>\d+`)
			said = strings.ReplaceAll(said, "<name>.+", `<name>\S+`)
			all = append(all, message{strings.TrimPrefix(name, prefix), regexp.MustCompile("(?s)^" + said + "$"), len(opening.ReplaceAllString(quoted, ""))})
		}
	}
	slices.SortFunc(all, func(a, b message) int {
		return cmp.Or(b.word-a.word, strings.Compare(a.name, b.name))
	})
	return all
}
