package view

import (
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

// NewSubscriptionLine describes a subscription for which so many notices wait to a
// reader; held says why nothing is sent at present, if that is so.
func NewSubscriptionLine(s core.Subscription, waiting int, held core.ExportReason, r Reader) SubscriptionLine {
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
	line.State, line.Sentence = r.told(s, waiting, held)
	return line
}

func (r Reader) told(s core.Subscription, waiting int, held core.ExportReason) (state, sentence string) {
	switch {
	case !s.EndedOn.IsZero():
		return "ended", r.Say("told.ended", "why", s.Why)
	case s.Failures > 0:
		return r.untold(s, waiting, held)
	case waiting > 0 && held != core.ReasonNone:
		return "waiting", r.Count("told.waits_why", waiting, "why", r.Reason(held))
	case waiting > 0:
		return "waiting", r.Count("told.moving", waiting)
	case s.LastSuccess.IsZero():
		return "ok", r.Say("told.nothing")
	}
	return "ok", r.Say("told.all")
}

// untold says why a receiver is not told, and what waits for it.
func (r Reader) untold(s core.Subscription, waiting int, held core.ExportReason) (state, sentence string) {
	failing := r.Now.Sub(s.FailingOn)
	sentence = r.Say("told.failing", "why", s.Why)
	if failing >= time.Minute {
		sentence = r.Say("told.failing_for", "why", s.Why, "span", r.span(failing))
	}
	switch {
	case held != core.ReasonNone:
		sentence += " " + r.Count("told.waits_why", waiting, "why", r.Reason(held))
	case waiting > 0 && !s.NextTry.IsZero():
		sentence += " " + r.Count("told.waits_next", waiting, "next", r.When(s.NextTry))
	default:
		sentence += " " + r.Count("told.waits", waiting)
	}
	if failing > failingAfter {
		return "failing", sentence + " " + r.Say("told.ask")
	}
	return "waiting", sentence
}
