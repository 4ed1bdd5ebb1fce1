package studies

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/notice"
)

// Subscriptions keeps who is told of what. Safe for concurrent use.
type Subscriptions interface {
	// Subscribe keeps a new subscription durably, or gives the one that its endpoint
	// has of the topic already, and false. Idempotent. Errors: core.ErrNotFound (the
	// study), core.ErrTooMany (the topic has most already).
	Subscribe(ctx context.Context, s core.Subscription, most int) (core.Subscription, bool, error)
}

// subscriptionsMax is how many receivers are told of one topic.
const subscriptionsMax = 100

// subscriptionRequest is an ExporterSubscriptionRequest. Attributes are those of a
// message queue, such as RawMessageDelivery: what is told here is always raw.
type subscriptionRequest struct {
	Endpoint   string            `json:"endpoint"`
	Protocol   string            `json:"protocol"`
	Attributes map[string]string `json:"attributes"`
}

// subscriptionResult is an ExporterSubscriptionResult.
type subscriptionResult struct {
	Subscription core.SubscriptionID `json:"subscriptionArn"`
	Secret       string              `json:"secret,omitempty"` // of a new one; it is shown this once
	Type         string              `json:"type"`
}

// DoneWith names the subscription; one that was there already is not made
// (call.Accountable).
func (s subscriptionResult) DoneWith() (map[string]string, bool) {
	return map[string]string{"subscription": string(s.Subscription)}, s.Secret != ""
}

func (h *Handlers) subscribeToExports(w http.ResponseWriter, r *http.Request) error {
	return h.subscribe(w, r, core.Topic{Kind: core.TopicExports, App: h.App, Study: core.StudyID(r.PathValue("study"))})
}

func (h *Handlers) subscribeToCreations(w http.ResponseWriter, r *http.Request) error {
	return h.subscribe(w, r, core.Topic{Kind: core.TopicCreation, App: h.App})
}

func (h *Handlers) subscribe(w http.ResponseWriter, r *http.Request, topic core.Topic) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	var asked subscriptionRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	wanted, err := notice.Subscribe(topic, asked.Protocol, asked.Endpoint, h.Now().UTC())
	if err != nil {
		return err
	}
	kept, made, err := h.Subscriptions.Subscribe(r.Context(), wanted, subscriptionsMax)
	if errors.Is(err, core.ErrTooMany) {
		return call.BadRequest(fmt.Sprintf("There are %d subscriptions of this already. Delete one that is not needed any more, then subscribe again.", subscriptionsMax))
	}
	if err != nil {
		return err
	}
	result := subscriptionResult{Subscription: kept.ID, Type: "ExporterSubscriptionResult"}
	if made {
		result.Secret = kept.Secret
	}
	call.Write(w, http.StatusCreated, result)
	return nil
}
