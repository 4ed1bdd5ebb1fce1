package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: ids sort by the time of the request, so the app's uploads
// need no index; those of a participant and of a study have one each, written
// with the row. An upload is a study's while it is not completed when its owner was
// in the study at the request, and from then on when its facts say so. A page reads its own rows, however many there are.

// listBegun enters an upload into the lists of its owner and of the studies that
// the owner is in.
func (s *Store) listBegun(tx *rows.Tx, u core.Upload) error {
	enter(tx, ownBucket, string(u.HealthCode)+"/"+string(u.ID))
	a, err := loadAccount(tx, u.User)
	if errors.Is(err, core.ErrNotFound) {
		return nil // in no study
	}
	if err != nil {
		return err
	}
	for study, enrolment := range a.Enrollments {
		if enrolment.Active() {
			listIn(tx, u.ID, study)
		}
	}
	return nil
}

// listIn enters an upload into the lists of studies.
func listIn(tx *rows.Tx, id core.UploadID, studies ...core.StudyID) {
	for _, study := range studies {
		enter(tx, gatheredBucket, string(study)+"/"+string(id))
	}
}

// listCompleted leaves a completed upload in the lists of the studies that its
// facts name, and of no other.
func listCompleted(tx *rows.Tx, u core.Upload, a core.Account) {
	for study := range a.Enrollments {
		if !slices.Contains(u.Facts.Studies, study) {
			tx.Delete(gatheredBucket, string(study)+"/"+string(u.ID))
		}
	}
	listIn(tx, u.ID, u.Facts.Studies...)
}

// IsIn reports whether an upload is a study's.
func (s *Store) IsIn(_ context.Context, id core.UploadID, study core.StudyID) bool {
	return s.rows.Get(gatheredBucket, string(study)+"/"+string(id)) != nil
}

// enter writes a row of an index unless it is there.
func enter(tx *rows.Tx, index rows.Bucket, key string) {
	if tx.Get(index, key) == nil {
		tx.Put(index, key, nil)
	}
}

// Uploads gives the app's uploads in a span, the newest request first, at most so
// many.
func (s *Store) Uploads(_ context.Context, span core.Span, most int) (all []core.Upload, failed error) {
	s.rows.ScanBack(uploadsBucket, "", string(span.Last), func(key string, raw []byte) bool {
		if !span.Holds(core.UploadID(key)) || len(all) == most {
			return false
		}
		var u core.Upload
		if u, failed = decode[core.Upload](raw); failed != nil {
			failed = fmt.Errorf("read upload %s: %w", key, failed)
			return false
		}
		all = append(all, u)
		return true
	})
	return all, failed
}

// UploadsIn gives a study's uploads in a span, the newest request first, at most
// so many.
func (s *Store) UploadsIn(ctx context.Context, study core.StudyID, span core.Span, most int) ([]core.Upload, error) {
	prefix, last := string(study)+"/", ""
	if span.Last != "" {
		last = prefix + string(span.Last)
	}
	return s.listed(ctx, prefix, span, most, func(visit func(string, []byte) bool) {
		s.rows.ScanBack(gatheredBucket, prefix, last, visit)
	})
}

// UploadsOf gives a participant's uploads in a span, those of a study where one is
// named, the oldest request first, at most so many.
func (s *Store) UploadsOf(ctx context.Context, code core.HealthCode, study core.StudyID, span core.Span, most int) ([]core.Upload, error) {
	prefix := string(code) + "/"
	return s.listed(ctx, prefix, span, most, func(visit func(string, []byte) bool) {
		s.rows.Scan(ownBucket, prefix, prefix+string(span.First), func(key string, row []byte) bool {
			if study != "" && !s.IsIn(ctx, core.UploadID(strings.TrimPrefix(key, prefix)), study) {
				return true
			}
			return visit(key, row)
		})
	})
}

// listed reads the uploads that a scan of an index names.
func (s *Store) listed(ctx context.Context, prefix string, span core.Span, most int, scan func(visit func(string, []byte) bool)) (all []core.Upload, failed error) {
	scan(func(key string, _ []byte) bool {
		id := core.UploadID(strings.TrimPrefix(key, prefix))
		if !span.Holds(id) || len(all) == most {
			return false
		}
		var u core.Upload
		u, failed = s.Upload(ctx, id)
		all = append(all, u)
		return failed == nil
	})
	return all, failed
}
