package schedules

import (
	"context"
	"strings"

	"footbridge/core"
	"footbridge/core/schedule"
)

// viewMax is how many records of each kind the view of an upload shows.
const viewMax = 500

// Views says what an upload has to do with its participant's schedule
// (uploads.Schedules). Safe for concurrent use.
type Views struct{ Diary *schedule.Diary }

// Metadata gives the timeline metadata of an instance, in a study (empty: in any);
// nil where no timeline has it.
func (v Views) Metadata(ctx context.Context, study core.StudyID, instanceGUID string) (map[string]string, error) {
	all, err := v.Diary.Metadata(ctx, instanceGUID)
	if m, known := all[study]; known {
		return m.Strings(), err
	}
	if study != "" || len(all) == 0 {
		return nil, err
	}
	return inOne(all).Strings(), err
}

// OfInstance gives a participant's records of an instance in a study.
func (v Views) OfInstance(ctx context.Context, study core.StudyID, user core.UserID, instanceGUID string) ([]any, error) {
	if strings.Contains(instanceGUID, "@") { // no guid to a search, which would read a time behind it
		return nil, nil
	}
	return v.search(ctx, study, user, schedule.Search{InstanceGUIDs: []string{instanceGUID}})
}

// OfUpload gives a participant's records in a study that an upload is linked to.
func (v Views) OfUpload(ctx context.Context, study core.StudyID, user core.UserID, id core.UploadID) ([]any, error) {
	return v.search(ctx, study, user, schedule.Search{UploadID: id})
}

func (v Views) search(ctx context.Context, study core.StudyID, user core.UserID, s schedule.Search) ([]any, error) {
	size := viewMax
	s.PageSize = &size
	found, _, err := v.Diary.Search(ctx, study, user, s)
	var all []any
	for _, record := range found {
		all = append(all, newRecord(record))
	}
	return all, err
}
