package view

import (
	"fmt"
	"strings"
	"time"

	"footbridge/core"
)

// SubscriptionLine says who is told of what, and how that goes. It holds no secret.
type SubscriptionLine struct {
	ID          core.SubscriptionID `json:"id"`
	Topic       string              `json:"topic"`
	Endpoint    string              `json:"endpoint"` // without its query
	MadeOn      time.Time           `json:"madeOn"`
	State       string              `json:"state"` // ok, waiting, failing (for over a day) or ended
	Sentence    string              `json:"sentence"`
	Waiting     int                 `json:"waiting"` // notices
	Failures    int                 `json:"failures,omitempty"`
	FailingOn   *time.Time          `json:"failingSince,omitempty"`
	NextTry     *time.Time          `json:"nextTry,omitempty"`
	LastSuccess *time.Time          `json:"lastSuccess,omitempty"`
}

// failingAfter is how long a receiver may fail before someone should look at it.
const failingAfter = 24 * time.Hour

// NewSubscriptionLine describes a subscription for which so many notices wait; held
// says why nothing is sent at present, if that is so.
func NewSubscriptionLine(s core.Subscription, waiting int, held core.ExportReason, now time.Time) SubscriptionLine {
	endpoint, _, secret := strings.Cut(s.Endpoint, "?")
	if secret {
		endpoint += "?…"
	}
	line := SubscriptionLine{
		ID: s.ID, Topic: s.Topic.String(), Endpoint: endpoint, MadeOn: s.MadeOn.UTC().Truncate(time.Millisecond), Waiting: waiting,
		Failures: s.Failures, FailingOn: stated(s.FailingOn), LastSuccess: stated(s.LastSuccess),
	}
	if waiting > 0 {
		line.NextTry = stated(s.NextTry)
	}
	line.State, line.Sentence = told(s, waiting, held, now)
	return line
}

func told(s core.Subscription, waiting int, held core.ExportReason, now time.Time) (state, sentence string) {
	waits := count(waiting, "notice") + " wait"
	if waiting == 1 {
		waits += "s"
	}
	switch {
	case !s.EndedOn.IsZero():
		return "ended", "Told nothing more: " + s.Why + ". Subscribe it again when it is back."
	case s.Failures > 0:
		state, sentence = "waiting", "Not told"
		if failing := now.Sub(s.FailingOn); failing >= time.Minute {
			sentence += " for " + span(failing)
			if failing > failingAfter {
				state = "failing"
			}
		}
		sentence += ": " + s.Why + ". " + waits
		switch {
		case held != core.ReasonNone:
			sentence += ": " + Reason(held)
		case waiting > 0:
			sentence += again(s.NextTry)
		}
		sentence += "."
		if state == "failing" {
			sentence += " Ask whoever looks after it, or delete the subscription."
		}
		return state, sentence
	case waiting > 0 && held != core.ReasonNone:
		return "waiting", fmt.Sprintf("%s: %s.", waits, Reason(held))
	case waiting > 0:
		return "waiting", waits + " to be told."
	case s.LastSuccess.IsZero():
		return "ok", "Nothing has happened yet that it is told of."
	}
	return "ok", "All is told."
}
