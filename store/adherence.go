package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"footbridge/core"
	"footbridge/store/rows"
)

// Adherence lists a participant's records in a study (user empty: everyone's),
// those that wait included (schedule.Book).
func (s *Store) Adherence(_ context.Context, study core.StudyID, user core.UserID) (all []core.AdherenceRecord, failed error) {
	prefix := string(study) + "/"
	if user != "" {
		prefix += string(user) + "/"
	}
	s.rows.Scan(adherenceBucket, prefix, "", func(_ string, raw []byte) bool {
		var r core.AdherenceRecord
		if r, failed = decode[core.AdherenceRecord](raw); failed != nil {
			failed = fmt.Errorf("read an adherence record: %w", failed)
			return false
		}
		all = append(all, r)
		return true
	})
	return all, failed
}

// SaveAdherence runs change with the activities of these instances and keeps the
// records that it leaves (schedule.Book).
func (s *Store) SaveAdherence(ctx context.Context, study core.StudyID, user core.UserID, instanceGUIDs []string, change func(*core.Activities) error) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		var kept diary
		a := &core.Activities{Study: study, User: user, Metadata: map[string]core.TimelineMetadata{}}
		for _, guid := range instanceGUIDs {
			all, err := loadPlaces(tx, guid)
			if err != nil {
				return err
			}
			m, known := all[study]
			if err := kept.read(tx, a, guid, m, known); err != nil {
				return err
			}
		}
		if err := change(a); err != nil {
			return err
		}
		return kept.save(tx, map[core.StudyID]*core.Activities{study: a})
	})
}

// diary is the rows of the records that a transaction read, by key; from them
// it knows which have changed. Its zero value is ready.
type diary struct {
	rows map[string][]byte
	seen map[string]bool // study/instance guid
}

// concern reads what a participant did of an upload's instance, in each study of
// theirs whose timeline has it.
func (d *diary) concern(tx *rows.Tx, standing *core.Standing, guid string) error {
	all, err := loadPlaces(tx, guid)
	if err != nil {
		return err
	}
	for _, study := range standing.Studies {
		m, known := all[study.ID]
		if !known {
			continue
		}
		a := &core.Activities{Study: study.ID, User: standing.Account.ID, Metadata: map[string]core.TimelineMetadata{}}
		if err := d.read(tx, a, guid, m, true); err != nil {
			return err
		}
		if standing.Activities == nil {
			standing.Activities = map[core.StudyID]*core.Activities{}
		}
		standing.Activities[study.ID] = a
	}
	return nil
}

// read adds an instance and the whole of its session to activities.
func (d *diary) read(tx *rows.Tx, a *core.Activities, guid string, m core.TimelineMetadata, known bool) error {
	whole := []string{guid}
	if known {
		a.Metadata[guid] = m
		all, err := loadPlaces(tx, m.SessionInstanceGUID)
		if err != nil {
			return err
		}
		if session, ok := all[a.Study]; ok {
			a.Metadata[m.SessionInstanceGUID] = session
			whole = append(append(whole, m.SessionInstanceGUID), session.Assessments...)
		}
	}
	for _, guid := range whole {
		if err := d.readRecords(tx, a, guid); err != nil {
			return err
		}
	}
	return nil
}

func (d *diary) readRecords(tx *rows.Tx, a *core.Activities, guid string) (failed error) {
	if seen := string(a.Study) + "/" + guid; d.seen[seen] {
		return nil
	} else if d.seen == nil {
		d.seen, d.rows = map[string]bool{seen: true}, map[string][]byte{}
	} else {
		d.seen[seen] = true
	}
	tx.Scan(adherenceBucket, fmt.Sprintf("%s/%s/%s/", a.Study, a.User, guid), func(key string, raw []byte) {
		r, err := decode[core.AdherenceRecord](raw)
		if err != nil {
			failed = fmt.Errorf("read an adherence record: %w", err)
		}
		if r.InstanceGUID == guid { // not of one whose guid only begins like this
			d.rows[key] = raw
			a.Records = append(a.Records, r)
		}
	})
	return failed
}

// save makes the rows those that the activities hold now.
func (d *diary) save(tx *rows.Tx, activities map[core.StudyID]*core.Activities) error {
	held := map[string]bool{}
	for _, a := range activities {
		for _, r := range a.Records {
			raw, err := json.Marshal(r)
			if err != nil {
				return fmt.Errorf("write an adherence record: %w", err)
			}
			key := adherenceKey(r)
			held[key] = true
			if !bytes.Equal(raw, d.rows[key]) {
				tx.Put(adherenceBucket, key, raw)
			}
		}
	}
	for key := range d.rows {
		if !held[key] {
			tx.Delete(adherenceBucket, key)
		}
	}
	return nil
}

func adherenceKey(r core.AdherenceRecord) string {
	return fmt.Sprintf("%s/%s/%s/%s/%s", r.Study, r.User, r.InstanceGUID, core.FormatTime(r.EventTimestamp), core.FormatTime(r.InstanceTimestamp))
}
