package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: in memory there is one piece of work for each receiver that
// something waits for, however much waits; the notices are on the disk. A receiver
// is told one thing at a time, the oldest first, but what it refused lets the others
// pass until it is tried again.

func deliveryKey(id core.SubscriptionID, number uint64) string {
	return string(id) + "/" + noticeKey(number)
}

// declined is what a receiver made of a notice that still waits.
type declined struct {
	Times   int       `json:"times"`
	NextTry time.Time `json:"nextTry"`
	TriedOn time.Time `json:"triedOn"`
}

// sweepAtOnce is how many deliveries that nobody waits for any more are cleared away
// in one transaction.
const sweepAtOnce = 500

// recallReceivers finds the receivers that something waits for. It passes over what
// waits: it takes as long however much that is.
func (s *Store) recallReceivers(now time.Time) {
	for from := ""; ; {
		var id core.SubscriptionID
		s.rows.Scan(deliveriesBucket, "", from, func(key string, _ []byte) bool {
			before, _, _ := cutLast(key, "/")
			id = core.SubscriptionID(before)
			return false
		})
		if id == "" {
			return
		}
		sub, _ := loadSubscription(s.rows, id) // one that is gone is swept
		s.receivers.add(id, earlier(sub.NextTry, now.Add(waitMax)), now)
		from = string(id) + "0" // the first key behind those that begin with id/
	}
}

// ClaimNotice leases the next receiver that is due, and gives the oldest notice that
// it may be told now; false where there is none (notify.Outbox).
func (s *Store) ClaimNotice(ctx context.Context) (core.Delivery, bool, error) {
	now := s.config.Now()
	for ctx.Err() == nil {
		id, ok := s.receivers.take(now, nil)
		if !ok {
			return core.Delivery{}, false, nil
		}
		d, found, err := s.nextDelivery(ctx, id, now)
		if err != nil {
			s.receivers.back(id, now.Add(troubleRest))
			return d, false, err
		}
		if found {
			return d, true, nil
		}
	}
	return core.Delivery{}, false, ctx.Err()
}

// nextDelivery gives what a leased receiver is told next; where there is nothing it
// ends the lease.
func (s *Store) nextDelivery(ctx context.Context, id core.SubscriptionID, now time.Time) (d core.Delivery, found bool, err error) {
	sub, err := loadSubscription(s.rows, id)
	if errors.Is(err, core.ErrNotFound) || err == nil && !sub.EndedOn.IsZero() {
		return d, false, s.sweep(ctx, id, now)
	}
	if err != nil {
		return d, false, err
	}
	prefix, again := string(id)+"/", time.Time{}
	var number uint64
	s.rows.Scan(deliveriesBucket, prefix, "", func(key string, raw []byte) bool {
		var r declined
		if len(raw) > 0 {
			if r, err = decode[declined](raw); err != nil {
				return false
			}
		}
		if r.NextTry.After(now) && r.TriedOn.UnixNano() > s.hurried.Load() {
			if again.IsZero() || r.NextTry.Before(again) {
				again = r.NextTry
			}
			return true
		}
		number, err = strconv.ParseUint(strings.TrimPrefix(key, prefix), 10, 64)
		d.Refusals, found = r.Times, err == nil
		return false
	})
	switch {
	case err != nil:
		return d, false, err
	case !found && again.IsZero():
		s.receivers.done(id, time.Time{}, now)
		return d, false, nil
	case !found:
		s.receivers.back(id, again)
		return d, false, nil
	}
	row, err := loadNotice(s.rows, number)
	d.Subscription, d.Notice = sub, row.Notice
	return d, err == nil, err
}

// sweep clears some of what waits for a receiver away that is gone.
func (s *Store) sweep(ctx context.Context, id core.SubscriptionID, now time.Time) error {
	prefix := string(id) + "/"
	var numbers []uint64
	s.rows.Scan(deliveriesBucket, prefix, "", func(key string, _ []byte) bool {
		n, _ := strconv.ParseUint(strings.TrimPrefix(key, prefix), 10, 64)
		numbers = append(numbers, n)
		return len(numbers) < sweepAtOnce
	})
	if len(numbers) == 0 {
		s.receivers.done(id, time.Time{}, now)
		return nil
	}
	err := s.note(ctx, func(tx *rows.Tx) error {
		for _, n := range numbers {
			if err := settleNotice(tx, id, n); err != nil {
				return err
			}
		}
		if tx.Get(countsBucket, waitingCount(id)) != nil {
			count(tx, waitingCount(id), -len(numbers))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clear away what waits for %s: %w", id, err)
	}
	s.receivers.back(id, now)
	return nil
}

// SettleNotice notes how telling a leased receiver went and ends the lease. What was
// delivered is told again only where a power cut takes this note (notify.Outbox).
func (s *Store) SettleNotice(ctx context.Context, d core.Delivery) error {
	id, now := d.Subscription.ID, s.config.Now()
	err := s.note(ctx, func(tx *rows.Tx) error {
		sub, err := loadSubscription(tx, id)
		if errors.Is(err, core.ErrNotFound) {
			return nil // it unsubscribed meanwhile
		}
		if err != nil {
			return err
		}
		sub.Reached = d.Subscription.Reached
		if err := save(tx, subscriptionsBucket, string(id), sub); err != nil {
			return err
		}
		key := deliveryKey(id, d.Notice.Number)
		switch {
		case tx.Get(deliveriesBucket, key) == nil: // it is settled already
		case d.Delivered:
			count(tx, waitingCount(id), -1)
			return settleNotice(tx, id, d.Notice.Number)
		case d.Refusals > 0:
			raw, err := json.Marshal(declined{d.Refusals, d.NextTry, now.UTC()})
			if err != nil {
				return err
			}
			tx.Put(deliveriesBucket, key, raw)
		}
		return nil
	})
	if err != nil {
		s.receivers.back(id, now.Add(troubleRest))
		return err
	}
	at := now
	if d.Subscription.NextTry.After(now) {
		at = d.Subscription.NextTry
	}
	s.receivers.back(id, at)
	return nil
}

// NextNotice is when the next receiver is due; false where nothing waits.
func (s *Store) NextNotice() (time.Time, bool) { return s.receivers.next() }
