package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"footbridge/core"
	"footbridge/store/rows"
)

func decode[T any](raw []byte) (v T, err error) {
	err = json.Unmarshal(raw, &v)
	return v, err
}

// list reads every row of a bucket, by key.
func list[T any](from *rows.DB, bucket rows.Bucket) (all []T, failed error) {
	from.Scan(bucket, "", "", func(key string, raw []byte) bool {
		var v T
		if v, failed = decode[T](raw); failed != nil {
			failed = fmt.Errorf("read %s %s: %w", bucket, key, failed)
		}
		all = append(all, v)
		return failed == nil
	})
	return all, failed
}

// App gives the app that this home serves. Errors: core.ErrNotFound.
func (s *Store) App(_ context.Context, id core.AppID) (core.App, error) { return loadApp(s.rows, id) }

func loadApp(from getter, id core.AppID) (core.App, error) {
	return load[core.App](from, appsBucket, string(id), "app "+string(id))
}

// Apps lists the apps; a home that was initialised has one.
func (s *Store) Apps(_ context.Context) ([]core.App, error) {
	return list[core.App](s.rows, appsBucket)
}

// SaveApp changes the app, or makes it where it is missing, durably.
func (s *Store) SaveApp(ctx context.Context, id core.AppID, change func(*core.App) error) (core.App, error) {
	var app core.App
	err := s.update(ctx, func(tx *rows.Tx) (err error) {
		if app, err = loadApp(tx, id); err != nil && !errors.Is(err, core.ErrNotFound) {
			return err
		}
		before := app
		app.ID = id
		if err := change(&app); err != nil {
			return err
		}
		if app.Exports() && !before.Exports() {
			s.configured(tx, core.DestinationID(id))
		}
		if app.Exports() && (otherTables(before.Repository, app.Repository) || before.Place != app.Place) {
			s.moved(tx, core.DestinationID(id))
		}
		app.Version++
		return save(tx, appsBucket, string(id), app)
	})
	return app, err
}

// Study gives a study. Errors: core.ErrNotFound.
func (s *Store) Study(_ context.Context, id core.StudyID) (core.Study, error) {
	return loadStudy(s.rows, id)
}

func loadStudy(from getter, id core.StudyID) (core.Study, error) {
	return load[core.Study](from, studiesBucket, string(id), "study "+string(id))
}

// Studies lists the studies by id.
func (s *Store) Studies(_ context.Context) ([]core.Study, error) {
	return list[core.Study](s.rows, studiesBucket)
}

// CreateStudy stores a new study durably. Errors: core.ErrExists.
func (s *Store) CreateStudy(ctx context.Context, study core.Study) (core.Study, error) {
	err := s.update(ctx, func(tx *rows.Tx) error {
		if tx.Get(studiesBucket, string(study.ID)) != nil {
			return fmt.Errorf("study %s: %w", study.ID, core.ErrExists)
		}
		study.Version = 1
		if study.Exports() {
			s.configured(tx, core.DestinationID(study.ID))
		}
		return save(tx, studiesBucket, string(study.ID), study)
	})
	return study, err
}

// UpdateStudy changes a study in one durable transaction. Errors: change's own,
// core.ErrNotFound.
func (s *Store) UpdateStudy(ctx context.Context, id core.StudyID, change func(*core.Study) error) (core.Study, error) {
	var study core.Study
	err := s.update(ctx, func(tx *rows.Tx) (err error) {
		if study, err = loadStudy(tx, id); err != nil {
			return err
		}
		before := study
		if err := change(&study); err != nil {
			return err
		}
		if study.Exports() && !before.Exports() {
			s.configured(tx, core.DestinationID(id))
		}
		if study.Exports() && (otherTables(before.Repository, study.Repository) || before.Place != study.Place) {
			s.moved(tx, core.DestinationID(id))
		}
		if study.Made && !before.Made && s.config.Created != nil {
			if err := s.tell(tx, s.config.Created(study)); err != nil {
				return err
			}
		}
		study.Version++
		return save(tx, studiesBucket, string(id), study)
	})
	return study, err
}
