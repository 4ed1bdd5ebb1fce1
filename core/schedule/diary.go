package schedule

import (
	"context"
	"time"

	"footbridge/core"
	"footbridge/core/form"
)

// Book keeps timelines and adherence records. Safe for concurrent use.
type Book interface {
	// SaveTimeline hands change the study's timeline (nil: none yet), without its
	// document, and stores what it returns with the metadata of its instances, in
	// one durable transaction. Instances that earlier timelines of the study had stay known.
	// Errors: change's own, with no effect; core.ErrNotFound where there is no such
	// study.
	SaveTimeline(ctx context.Context, study core.StudyID, change func(*core.Timeline) (core.Timeline, []core.TimelineMetadata, error)) (core.Timeline, error)

	// Timeline gives a study's timeline. Errors: core.ErrNotFound.
	Timeline(ctx context.Context, study core.StudyID) (core.Timeline, error)

	// Instances gives the metadata of an instance in every study whose timeline
	// has or had it; empty where none has.
	Instances(ctx context.Context, instanceGUID string) (map[core.StudyID]core.TimelineMetadata, error)

	// Adherence lists a participant's records in a study (user empty: everyone's),
	// those that wait included.
	Adherence(ctx context.Context, study core.StudyID, user core.UserID) ([]core.AdherenceRecord, error)

	// SaveAdherence runs change with the activities of these instances in one
	// durable transaction and keeps the records that it leaves. An error of change
	// ends it without effect.
	SaveAdherence(ctx context.Context, study core.StudyID, user core.UserID, instanceGUIDs []string, change func(*core.Activities) error) error
}

// Diary is where timelines and adherence records are put and looked up. It does
// not ask who may. Safe for concurrent use.
type Diary struct {
	book Book
	now  func() time.Time
}

// NewDiary makes a diary.
func NewDiary(book Book, now func() time.Time) *Diary { return &Diary{book, now} }

// PutTimeline makes a document a study's timeline. Errors: *core.Invalid,
// core.ErrNotFound where there is no such study.
func (d *Diary) PutTimeline(ctx context.Context, study core.StudyID, document []byte) (core.Timeline, error) {
	draft, err := Parse(document)
	if err != nil {
		return core.Timeline{}, err
	}
	now := d.now()
	fresh := core.NewID(now)
	return d.book.SaveTimeline(ctx, study, func(before *core.Timeline) (core.Timeline, []core.TimelineMetadata, error) {
		return draft.settle(study, before, fresh, now)
	})
}

// Timeline gives a study's timeline. Errors: core.ErrNotFound.
func (d *Diary) Timeline(ctx context.Context, study core.StudyID) (core.Timeline, error) {
	return d.book.Timeline(ctx, study)
}

// Metadata gives the metadata of an instance in every study whose timeline has
// or had it; empty where none has.
func (d *Diary) Metadata(ctx context.Context, instanceGUID string) (map[core.StudyID]core.TimelineMetadata, error) {
	return d.book.Instances(ctx, instanceGUID)
}

// Save keeps records that a participant's device submitted. Study and user of
// the records are set here. Errors: *core.Invalid, ErrNoRecords.
func (d *Diary) Save(ctx context.Context, study core.StudyID, user core.UserID, submitted []core.AdherenceRecord) error {
	records, err := checked(study, user, submitted)
	if err != nil {
		return err
	}
	var guids []string
	for _, record := range records {
		guids = append(guids, record.InstanceGUID)
	}
	return d.book.SaveAdherence(ctx, study, user, guids, func(a *core.Activities) error {
		Save(a, records)
		return nil
	})
}

// Delete removes a record; it need not exist. started matters in persistent
// windows only.
func (d *Diary) Delete(ctx context.Context, study core.StudyID, user core.UserID, instanceGUID string, event, started time.Time) error {
	record := core.AdherenceRecord{Study: study, User: user, InstanceGUID: instanceGUID,
		EventTimestamp: event.UTC().Truncate(time.Millisecond), StartedOn: started.UTC().Truncate(time.Millisecond)}
	return d.book.SaveAdherence(ctx, study, user, []string{instanceGUID}, func(a *core.Activities) error {
		Remove(a, record)
		return nil
	})
}

// PostProcess notes on a record what came of processing its uploads. change names
// the record by InstanceGUID, EventTimestamp and, where the activity was done
// several times for the event, StartedOn; of the rest, what is absent stays.
// Errors: *core.Invalid, core.ErrNotFound.
func (d *Diary) PostProcess(ctx context.Context, study core.StudyID, user core.UserID, change core.AdherenceRecord) error {
	r := reader{form.Of("AdherencePostProcessingAttributes")}
	r.instant("eventTimestamp", &change.EventTimestamp)
	r.instant("startedOn", &change.StartedOn)
	r.postProcessing(func(name string) string { return name }, &change)
	if err := r.Err(); err != nil {
		return err
	}
	return d.book.SaveAdherence(ctx, study, user, []string{change.InstanceGUID}, func(a *core.Activities) error {
		return PostProcess(a, change)
	})
}

// Search gives a page of a participant's records in a study (user empty:
// everyone's), and how many match in all. Errors: *core.Invalid.
func (d *Diary) Search(ctx context.Context, study core.StudyID, user core.UserID, search Search) ([]core.AdherenceRecord, int, error) {
	q, err := search.check()
	if err != nil {
		return nil, 0, err
	}
	records, err := d.book.Adherence(ctx, study, user)
	if err != nil {
		return nil, 0, err
	}
	places := map[string]core.TimelineMetadata{}
	for _, record := range records {
		if _, known := places[record.InstanceGUID]; known {
			continue
		}
		studies, err := d.book.Instances(ctx, record.InstanceGUID)
		if err != nil {
			return nil, 0, err
		}
		places[record.InstanceGUID] = studies[study]
	}
	page, total := q.find(records, func(guid string) core.TimelineMetadata { return places[guid] })
	for i, record := range page {
		if meta := places[record.InstanceGUID]; meta.IsAssessment() {
			page[i].AssessmentGUID = meta.AssessmentGUID
		} else {
			page[i].SessionGUID = meta.SessionGUID
		}
	}
	return page, total, nil
}
