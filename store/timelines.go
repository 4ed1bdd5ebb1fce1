package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"footbridge/core"
	"footbridge/store/rows"
)

// places is an instance's row: where it stands in each study's schedule.
type places = map[core.StudyID]core.TimelineMetadata

// SaveTimeline stores the timeline that change makes of a study's, and the
// metadata of its instances; those of earlier ones stay (schedule.Book).
func (s *Store) SaveTimeline(ctx context.Context, study core.StudyID, change func(*core.Timeline) (core.Timeline, []core.TimelineMetadata, error)) (core.Timeline, error) {
	var t core.Timeline
	err := s.update(ctx, func(tx *rows.Tx) error {
		if _, err := loadStudy(tx, study); err != nil {
			return err
		}
		var before *core.Timeline
		switch was, err := loadTimeline(tx, study); {
		case err == nil:
			before = &was
		case !errors.Is(err, core.ErrNotFound):
			return err
		}
		var metadata []core.TimelineMetadata
		var err error
		if t, metadata, err = change(before); err != nil {
			return err
		}
		for _, m := range metadata {
			if err := putPlace(tx, study, m); err != nil {
				return err
			}
		}
		tx.Put(timelinesBucket, documentKey(study), t.Document) // a row of its own, or its text would be rewritten
		return save(tx, timelinesBucket, string(study), t)
	})
	return t, err
}

func putPlace(tx *rows.Tx, study core.StudyID, m core.TimelineMetadata) error {
	all, err := loadPlaces(tx, m.InstanceGUID())
	if err != nil {
		return err
	}
	all[study] = m
	raw, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("write an instance: %w", err)
	}
	if !bytes.Equal(raw, tx.Get(instancesBucket, m.InstanceGUID())) { // most stay as they are
		tx.Put(instancesBucket, m.InstanceGUID(), raw)
	}
	return nil
}

// Timeline gives a study's timeline. Errors: core.ErrNotFound (schedule.Book).
func (s *Store) Timeline(_ context.Context, study core.StudyID) (core.Timeline, error) {
	t, err := loadTimeline(s.rows, study) // first: a date that is older than the document does no harm
	t.Document = s.rows.Get(timelinesBucket, documentKey(study))
	return t, err
}

func documentKey(study core.StudyID) string { return string(study) + "/document" }

// loadTimeline gives a study's timeline without its document.
func loadTimeline(from getter, study core.StudyID) (core.Timeline, error) {
	return load[core.Timeline](from, timelinesBucket, string(study), "timeline of study "+string(study))
}

// Instances gives the metadata of an instance in every study whose timeline has
// or had it (schedule.Book).
func (s *Store) Instances(_ context.Context, instanceGUID string) (map[core.StudyID]core.TimelineMetadata, error) {
	return loadPlaces(s.rows, instanceGUID)
}

// loadPlaces gives an instance's row, empty where there is none.
func loadPlaces(from getter, guid string) (places, error) {
	all, err := load[places](from, instancesBucket, guid, "instance")
	if errors.Is(err, core.ErrNotFound) {
		return places{}, nil
	}
	return all, err
}
