package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: a study's participants are in one order, those of whom uploads
// are expected first, and of these whoever was silent longest; it is kept with every
// change of an account and every upload that comes, so that who is late is read off
// its beginning. Staff are in no such order. Of the last upload, the time is kept with
// the membership: it is never looked for.

// last is the last upload that came from a member of a study; zero: none did.
type last struct {
	Upload core.UploadID `json:"upload,omitempty"`
	On     time.Time     `json:"on,omitzero"`
}

// attendances are in their order, which keys begin with.
var attendances = map[core.Attendance]string{core.AttendanceExpected: "1", core.AttendanceExcused: "2", core.AttendanceEnded: "3"}

// placeTime sorts as the moments do.
const placeTime = "2006-01-02T15:04:05.000Z"

func memberKey(study core.StudyID, id core.UserID) string { return string(study) + "/" + string(id) }

// member says how an account stands in a study from which it sent this last.
func member(a core.Account, study core.StudyID, l last) core.Member {
	m := core.Member{Account: a, Attendance: a.AttendanceIn(study), Last: l.Upload, LastOn: l.On, Since: l.On}
	if e := a.Enrollments[study]; e.EnrolledOn.After(m.Since) {
		m.Since = e.EnrolledOn
	}
	m.Since = m.Since.UTC().Truncate(time.Millisecond) // as far as places tell
	m.Place = attendances[m.Attendance] + "/" + m.Since.Format(placeTime) + "/" + string(a.ID)
	return m
}

// placed is where an account stands in the order of a study; empty where it has none.
func placed(a *core.Account, study core.StudyID, l last) string {
	if a == nil || len(a.Roles) > 0 {
		return ""
	}
	if _, known := a.Enrollments[study]; !known {
		return ""
	}
	return string(study) + "/" + member(*a, study, l).Place
}

// seat keeps a study's order while an account and its last upload change.
func seat(tx *rows.Tx, study core.StudyID, before *core.Account, was last, a *core.Account, is last) {
	old, now := placed(before, study, was), placed(a, study, is)
	if old == now {
		return
	}
	if old != "" {
		tx.Delete(silenceBucket, old)
	}
	if now != "" {
		tx.Put(silenceBucket, now, nil)
	}
}

// loadLast gives what last came from a member; false where they are none.
func loadLast(from getter, study core.StudyID, id core.UserID) (last, bool, error) {
	l, err := load[last](from, membersBucket, memberKey(study, id), "member")
	if errors.Is(err, core.ErrNotFound) {
		return last{}, false, nil
	}
	return l, err == nil, err
}

// enlistMember keeps an account in the lists of its studies; before is nil for a new one.
func enlistMember(tx *rows.Tx, before, a *core.Account) error {
	for study := range a.Enrollments {
		l, known, err := loadLast(tx, study, a.ID)
		if err != nil {
			return err
		}
		if !known {
			if err := save(tx, membersBucket, memberKey(study, a.ID), l); err != nil {
				return err
			}
		}
		seat(tx, study, before, l, a, l)
	}
	return nil
}

// heard notes that an upload came from a member of the studies that its facts name.
// One that is completed again is no later than it was.
func heard(tx *rows.Tx, u core.Upload, a core.Account) error {
	for _, study := range u.Facts.Studies {
		was, _, err := loadLast(tx, study, a.ID)
		if err != nil {
			return err
		}
		if !u.Facts.UploadedOn.After(was.On) {
			continue
		}
		is := last{u.ID, u.Facts.UploadedOn}
		if err := save(tx, membersBucket, memberKey(study, a.ID), is); err != nil {
			return err
		}
		seat(tx, study, &a, was, &a, is)
	}
	return nil
}

// Members hands the participants of a study from a place on (empty: all) to visit,
// until it returns false: first those of whom uploads are expected, whoever was silent
// longest first, then those of whom none are, then those who withdrew.
func (s *Store) Members(_ context.Context, study core.StudyID, from string, visit func(core.Member) bool) error {
	var failed error
	prefix := string(study) + "/"
	s.rows.Scan(silenceBucket, prefix, prefix+from, func(key string, _ []byte) bool {
		id := core.UserID(key[strings.LastIndexByte(key, '/')+1:])
		var m core.Member
		m, failed = loadMember(s.rows, study, id)
		if errors.Is(failed, core.ErrNotFound) {
			failed = nil
			return true // gone since
		}
		return failed == nil && visit(m)
	})
	return failed
}

// PlaceOf is where those with an attendance begin in a study's order.
func PlaceOf(a core.Attendance) string { return attendances[a] + "/" }

// PlaceSince is where those begin in a study's order of whom uploads are expected and
// who sent one since: all before are late.
func PlaceSince(since time.Time) string {
	return PlaceOf(core.AttendanceExpected) + since.UTC().Format(placeTime)
}

// Late counts the participants of a study of whom uploads are expected and who sent
// none since.
func (s *Store) Late(_ context.Context, study core.StudyID, since time.Time) (n int) {
	prefix := string(study) + "/"
	end := prefix + PlaceSince(since)
	s.rows.Scan(silenceBucket, prefix, "", func(key string, _ []byte) bool {
		if key >= end {
			return false
		}
		n++
		return true
	})
	return n
}

// Member gives a participant of a study. Errors: core.ErrNotFound.
func (s *Store) Member(_ context.Context, study core.StudyID, id core.UserID) (core.Member, error) {
	return loadMember(s.rows, study, id)
}

func loadMember(from getter, study core.StudyID, id core.UserID) (core.Member, error) {
	a, err := loadAccount(from, id)
	if err != nil {
		return core.Member{}, err
	}
	if placed(&a, study, last{}) == "" {
		return core.Member{}, fmt.Errorf("a participant of study %s: %w", study, core.ErrNotFound)
	}
	l, _, err := loadLast(from, study, id)
	return member(a, study, l), err
}

// membersAtOnce is how many accounts are listed in one transaction.
const membersAtOnce = 500

// recallMembers lists the participants of a home that was written before their lists
// were kept, once.
func (s *Store) recallMembers() error {
	if s.rows.Get(siteBucket, "members") != nil {
		return nil
	}
	var all []core.Account
	list := func(done bool) error {
		err := s.update(context.Background(), func(tx *rows.Tx) error {
			for _, a := range all {
				if err := s.listAgain(tx, a); err != nil {
					return err
				}
			}
			if done {
				tx.Put(siteBucket, "members", []byte("1"))
			}
			return nil
		})
		all = all[:0]
		return err
	}
	var failed error
	s.rows.Scan(accountsBucket, "", "", func(id string, raw []byte) bool {
		a, err := decode[core.Account](raw)
		if err != nil {
			failed = fmt.Errorf("read account %s: %w", id, err)
			return false
		}
		if all = append(all, a); len(all) == membersAtOnce {
			failed = list(false)
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return list(true)
}

// listAgain lists an account in its studies, with the last upload that it sent there.
func (s *Store) listAgain(tx *rows.Tx, a core.Account) error {
	if err := enlistMember(tx, nil, &a); err != nil {
		return err
	}
	for study := range a.Enrollments {
		var failed error
		s.rows.ScanBack(ownBucket, string(a.HealthCode)+"/", "", func(key string, _ []byte) bool {
			id := core.UploadID(key[len(a.HealthCode)+1:])
			if tx.Get(gatheredBucket, string(study)+"/"+string(id)) == nil {
				return true
			}
			var u core.Upload
			if u, failed = loadUpload(tx, id); failed != nil {
				return false
			}
			if u.Facts == nil {
				return true // it never came
			}
			failed = heard(tx, u, a)
			return false
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}
