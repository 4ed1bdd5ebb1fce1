package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: a notice is made in the transaction that makes true what it
// tells of. It is kept while it waits for a receiver, and the last thousand are kept
// in any case, for those who come back and ask what they missed.

// noticesKept is how many notices are kept that wait for nobody.
const noticesKept = 1000

// noticesKey is the row that holds the number of the last notice.
const noticesKey = "notices"

// noticeRow is a notice and how many receivers it waits for.
type noticeRow struct {
	core.Notice
	Waiting int `json:"waiting,omitempty"`
}

// noticeKey sorts by number.
func noticeKey(number uint64) string { return fmt.Sprintf("%016d", number) }

func lastNotice(from getter) uint64 { return uint64(number(from.Get(siteBucket, noticesKey))) }

func loadNotice(from getter, number uint64) (noticeRow, error) {
	return load[noticeRow](from, noticesBucket, noticeKey(number), "notice "+strconv.FormatUint(number, 10))
}

// tellExported makes the notices of a record that has reached a destination.
func (s *Store) tellExported(tx *rows.Tx, u core.Upload, reached core.DestinationID) error {
	if s.config.Exported == nil {
		return nil
	}
	var all []core.Export
	for _, d := range u.Facts.Destinations {
		e, err := load[core.Export](tx, exportsBucket, exportKey{u.ID, d}.export(), "export")
		if err != nil && !errors.Is(err, core.ErrNotFound) {
			return err
		}
		all = append(all, e) // one that is not there has not reached it
	}
	return s.tell(tx, s.config.Exported(u, reached, all, func(d core.DestinationID) core.RepositoryConfig { return project(tx, u.App, d) }))
}

// project gives the parts of a destination's project; none where it is not there.
func project(tx *rows.Tx, app core.AppID, d core.DestinationID) core.RepositoryConfig {
	if string(d) == string(app) {
		a, _ := loadApp(tx, app)
		return a.Repository
	}
	study, _ := loadStudy(tx, core.StudyID(d))
	return study.Repository
}

// tell keeps notices for those who subscribed to their topics.
func (s *Store) tell(tx *rows.Tx, notices []core.Notice) error {
	now := s.config.Now()
	for _, n := range notices {
		row := noticeRow{Notice: n}
		row.Number, row.MadeOn = lastNotice(tx)+1, now.UTC()
		tx.Put(siteBucket, noticesKey, strconv.AppendUint(nil, row.Number, 10))
		ids, err := subscribed(tx, n.Topic)
		if err != nil {
			return err
		}
		for _, id := range ids {
			sub, err := loadSubscription(tx, id)
			if err != nil {
				return err
			}
			if !sub.EndedOn.IsZero() {
				continue
			}
			row.Waiting++
			tx.Put(deliveriesBucket, deliveryKey(id, row.Number), nil)
			count(tx, waitingCount(id), +1)
			at := now
			if sub.NextTry.After(at) {
				at = sub.NextTry
			}
			tx.OnCommit(func() { s.receivers.add(id, at, now) })
		}
		if err := save(tx, noticesBucket, noticeKey(row.Number), row); err != nil {
			return err
		}
		if row.Number > noticesKept {
			if err := forget(tx, row.Number-noticesKept); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget removes a notice that waits for nobody.
func forget(tx *rows.Tx, number uint64) error {
	row, err := loadNotice(tx, number)
	switch {
	case errors.Is(err, core.ErrNotFound):
		return nil
	case err == nil && row.Waiting == 0:
		tx.Delete(noticesBucket, noticeKey(number))
	}
	return err
}

// settleNotice notes that a notice waits for one receiver less.
func settleNotice(tx *rows.Tx, id core.SubscriptionID, number uint64) error {
	tx.Delete(deliveriesBucket, deliveryKey(id, number))
	row, err := loadNotice(tx, number)
	if errors.Is(err, core.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	row.Waiting--
	if row.Waiting <= 0 && row.Number+noticesKept <= lastNotice(tx) {
		tx.Delete(noticesBucket, noticeKey(number))
		return nil
	}
	return save(tx, noticesBucket, noticeKey(number), row)
}

// Notices gives the notices whose numbers are over after, the oldest first, at most
// so many. Those before the last thousand may be gone.
func (s *Store) Notices(_ context.Context, after uint64, most int) (all []core.Notice, failed error) {
	s.rows.Scan(noticesBucket, "", noticeKey(after+1), func(_ string, raw []byte) bool {
		var row noticeRow
		if row, failed = decode[noticeRow](raw); failed != nil {
			return false
		}
		all = append(all, row.Notice)
		return len(all) < most
	})
	return all, failed
}

// NoticesSince gives the number after which to read on for someone who heard the
// notice with an id last: that of its first telling, so that nothing is missed. An
// unknown id is one that is forgotten: whatever of the last thousand is kept comes
// again. Without an id it is the last number of all.
func (s *Store) NoticesSince(_ context.Context, id core.NoticeID) (after uint64, failed error) {
	last := lastNotice(s.rows)
	if id == "" {
		return last, nil
	}
	from := last - min(last, noticesKept)
	after = from
	s.rows.Scan(noticesBucket, "", noticeKey(from+1), func(key string, raw []byte) bool {
		if !strings.Contains(string(raw), string(id)) {
			return true
		}
		var row noticeRow
		if row, failed = decode[noticeRow](raw); failed == nil && row.ID == id {
			after = row.Number
			return false
		}
		return failed == nil
	})
	return after, failed
}
