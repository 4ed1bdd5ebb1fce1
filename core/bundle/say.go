package bundle

import (
	"fmt"
	"strings"
	"unicode"

	"footbridge/core"
)

const (
	saidMax  = 300 // messages that are worth reading about one bundle
	shownMax = 80  // characters of a name in a message
)

// say adds a message. The bundle stays accepted.
func (b *reading) say(code, format string, args ...any) {
	switch n := len(b.out.Messages); {
	case n < saidMax:
		b.out.Messages = append(b.out.Messages, core.Reason{Code: code, Message: fmt.Sprintf(format, args...)})
	case n == saidMax:
		b.out.Messages = append(b.out.Messages, core.Reason{Code: "more_messages", Message: "There is more to say about this bundle."})
	}
}

// refuse refuses the bundle; the first reason stands.
func (b *reading) refuse(code, format string, args ...any) {
	if b.out.Rejection == nil {
		b.out.Rejection = &core.Reason{Code: code, Message: fmt.Sprintf(format, args...)}
	}
}

func (b *reading) refused() bool { return b.out.Rejection != nil }

// shown makes a name fit to be shown: short, and without anything that a terminal
// or a window would act on.
func shown(name string) string {
	runes := []rune(name)
	if len(runes) > shownMax {
		runes = append(runes[:shownMax], '…')
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, string(runes))
}
