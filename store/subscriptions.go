package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"footbridge/core"
	"footbridge/store/rows"
)

func waitingCount(id core.SubscriptionID) string { return "notices/" + string(id) }

func loadSubscription(from getter, id core.SubscriptionID) (core.Subscription, error) {
	return load[core.Subscription](from, subscriptionsBucket, string(id), "subscription "+string(id))
}

// subscribed lists who is told of a topic.
func subscribed(from getter, topic core.Topic) ([]core.SubscriptionID, error) {
	ids, err := load[[]core.SubscriptionID](from, topicsBucket, topic.String(), "topic")
	if errors.Is(err, core.ErrNotFound) {
		return nil, nil
	}
	return ids, err
}

// Subscribe keeps a new subscription durably and names its topic in the
// configuration of the app or study. Where the same endpoint is told of the topic
// already it gives that subscription, and false; one that ended is replaced. Errors:
// core.ErrNotFound (the study), core.ErrTooMany (the topic has most already).
func (s *Store) Subscribe(ctx context.Context, sub core.Subscription, most int) (core.Subscription, bool, error) {
	made := false
	err := s.update(ctx, func(tx *rows.Tx) error {
		if err := nameTopic(tx, sub.Topic); err != nil {
			return err
		}
		ids, err := subscribed(tx, sub.Topic)
		if err != nil {
			return err
		}
		for _, id := range ids {
			known, err := loadSubscription(tx, id)
			if err != nil {
				return err
			}
			if known.Endpoint != sub.Endpoint {
				continue
			}
			if known.EndedOn.IsZero() {
				sub = known
				return nil
			}
			if err := s.unsubscribe(tx, known); err != nil {
				return err
			}
			ids = slices.DeleteFunc(ids, func(other core.SubscriptionID) bool { return other == id })
			break
		}
		if len(ids) >= most {
			return fmt.Errorf("subscriptions of %s: %w", sub.Topic, core.ErrTooMany)
		}
		made = true
		if err := save(tx, topicsBucket, sub.Topic.String(), append(ids, sub.ID)); err != nil {
			return err
		}
		return save(tx, subscriptionsBucket, string(sub.ID), sub)
	})
	return sub, made, err
}

// nameTopic makes the configuration of the topic's app or study name it.
func nameTopic(tx *rows.Tx, topic core.Topic) error {
	if topic.Study != "" {
		study, err := loadStudy(tx, topic.Study)
		if err != nil || study.Repository.ExportNotification == topic.String() {
			return err
		}
		study.Repository.ExportNotification = topic.String()
		study.Version++
		return save(tx, studiesBucket, string(study.ID), study)
	}
	app, err := loadApp(tx, topic.App)
	if err != nil {
		return err
	}
	name := &app.Repository.ExportNotification
	if topic.Kind == core.TopicCreation {
		name = &app.Repository.CreateNotification
	}
	if *name == topic.String() {
		return nil
	}
	*name = topic.String()
	app.Version++
	return save(tx, appsBucket, string(app.ID), app)
}

// Unsubscribe ends a subscription durably; what waits for it is told to nobody.
// Errors: core.ErrNotFound.
func (s *Store) Unsubscribe(ctx context.Context, id core.SubscriptionID) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		sub, err := loadSubscription(tx, id)
		if err != nil {
			return err
		}
		return s.unsubscribe(tx, sub)
	})
}

func (s *Store) unsubscribe(tx *rows.Tx, sub core.Subscription) error {
	ids, err := subscribed(tx, sub.Topic)
	if err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(id core.SubscriptionID) bool { return id == sub.ID })
	if err := save(tx, topicsBucket, sub.Topic.String(), ids); err != nil {
		return err
	}
	tx.Delete(subscriptionsBucket, string(sub.ID))
	tx.Delete(countsBucket, waitingCount(sub.ID))
	now := s.config.Now()
	tx.OnCommit(func() { s.receivers.add(sub.ID, now, now) }) // what waits for it is cleared away
	return nil
}

// Subscriptions lists the subscriptions, the oldest first. How many notices wait for
// each is among Counts.
func (s *Store) Subscriptions(_ context.Context) ([]core.Subscription, error) {
	return list[core.Subscription](s.rows, subscriptionsBucket)
}
