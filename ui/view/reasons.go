package view

import (
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footbridge/core"
)

// Reason says in words why a record is not in the repository, as part of a sentence.
func (r Reader) Reason(reason core.ExportReason) string {
	return r.Say("reason."+cmp.Or(string(reason), "none"), "resume", r.resume())
}

// why says so, and of a project that is not made yet what keeps it from being made.
func (r Reader) why(reason, cause core.ExportReason) string {
	if reason == core.ReasonProjectPending && cause != core.ReasonNone {
		return r.Say("why.unmade", "why", r.Reason(cause))
	}
	return r.Reason(reason)
}

// again adds to why something waits when it is tried next, where that is known.
func (r Reader) again(why string, next time.Time) string {
	if next.IsZero() {
		return why
	}
	return r.Say("why.again", "why", why, "next", r.When(next))
}

// said adds to why something is not taken what the repository said of it.
func (r Reader) said(why, words string) string {
	if words == "" {
		return why
	}
	return r.Say("why.said", "why", why, "said", strings.TrimRight(words, "."))
}

// decisive is what someone could do something about: the reason, or its cause.
func decisive(reason, cause core.ExportReason) core.ExportReason {
	if reason == core.ReasonProjectPending {
		return cause
	}
	return reason
}

// remedied adds to a sentence what to do about a reason; nothing where waiting is all
// there is.
func (r Reader) remedied(sentence string, reason core.ExportReason) string {
	if reason != core.ReasonNeedsToken {
		return sentence
	}
	return sentence + " " + r.Say("remedy.token", "place", "keys/repository.token", "variable", "FOOTBRIDGE_REPOSITORY_TOKEN", "file", "rclone.conf")
}

// mended adds to a sentence on what needs a person how that is mended, where the reason does
// not tell.
func (r Reader) mended(sentence string, reason core.ExportReason) string {
	if reason != core.ReasonBytesDamaged {
		return sentence
	}
	return sentence + " " + r.Say("remedy.bytes")
}

// sentence makes one of clauses.
func sentence(clauses ...string) string {
	text := strings.Join(clauses, ", ")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
