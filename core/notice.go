package core

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
)

// TopicKind is what the notices of a topic tell of.
type TopicKind string

// The kinds of topics.
const (
	TopicExports  TopicKind = "export"       // records that reached the repository
	TopicCreation TopicKind = "create-study" // studies whose project was made
)

// Topic is what one may be told of: the exports of the app or of one of its
// studies, or the creation of studies.
type Topic struct {
	Kind  TopicKind `json:"kind"`
	App   AppID     `json:"app"`
	Study StudyID   `json:"study,omitempty"` // empty: of the app
}

// String is the topic's name, which the app's or study's configuration bears:
// footbridge:export:APP, footbridge:export:APP:STUDY or footbridge:create-study:APP.
func (t Topic) String() string {
	parts := []string{"footbridge", string(t.Kind), string(t.App)}
	if t.Study != "" {
		parts = append(parts, string(t.Study))
	}
	return strings.Join(parts, ":")
}

// NoticeID names something that happened: it is the same however often it is told
// of, so that receivers can drop repeats. 32 characters of hex.
type NoticeID string

// NewNoticeID names what happened to a subject (a record, a study) at a time.
func NewNoticeID(topic Topic, subject string, at time.Time) NoticeID {
	sum := sha256.Sum256([]byte(topic.String() + "\n" + subject + "\n" + at.UTC().Format(time.RFC3339Nano)))
	return NoticeID(hex.EncodeToString(sum[:16]))
}

// Notice tells whoever subscribed to a topic that something happened.
type Notice struct {
	ID     NoticeID        `json:"id"`
	Number uint64          `json:"number"` // its place among all of this site, from 1; the store gives it
	Topic  Topic           `json:"topic"`
	Type   string          `json:"type"` // of the body, which holds it too
	Body   json.RawMessage `json:"body"` // compact JSON, without participant data
	MadeOn time.Time       `json:"madeOn"`
}

// SubscriptionID names a subscription.
type SubscriptionID string

// Subscription is a receiver that is told of a topic.
type Subscription struct {
	ID       SubscriptionID `json:"id"`
	Topic    Topic          `json:"topic"`
	Endpoint string         `json:"endpoint"` // absolute URL; its query may be secret
	Secret   string         `json:"secret"`   // signs what is told: whsec_ and base64
	MadeOn   time.Time      `json:"madeOn"`
	Reached
}

// Reached is how telling a receiver went of late.
type Reached struct {
	LastSuccess time.Time `json:"lastSuccess,omitzero"`
	Failures    int       `json:"failures,omitempty"` // in a row, whatever it was told
	FailingOn   time.Time `json:"failingOn,omitzero"` // since when
	NextTry     time.Time `json:"nextTry,omitzero"`   // it is told nothing before
	Why         string    `json:"why,omitempty"`      // the last failure in words, without the endpoint
	EndedOn     time.Time `json:"endedOn,omitzero"`   // it said that it is gone; it is told nothing more
}

// Delivery is a notice on its way to a receiver.
type Delivery struct {
	Subscription Subscription
	Notice       Notice
	Delivered    bool      // the receiver took it
	Refusals     int       // so many answers did not take this notice
	NextTry      time.Time // of this notice; others may go before
}
