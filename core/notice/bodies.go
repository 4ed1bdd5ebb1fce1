package notice

import (
	"encoding/json"
	"time"

	"footbridge/core"
)

// The types of the bodies.
const (
	TypeExportToApp   = "ExportToAppNotification"
	TypeExportToStudy = "ExportToStudyNotification"
	TypeCreateStudy   = "ExporterCreateStudyNotification"
)

// Place is where a record lies in the repository. No part of it is empty.
type Place struct {
	Project string `json:"parentProjectId"`
	Folder  string `json:"rawFolderId"`
	File    string `json:"fileEntityId"`
	Bucket  string `json:"s3Bucket"` // the repository's name where it has no buckets
	Key     string `json:"s3Key"`    // with the bucket it locates the record
}

// toApp is an ExportToAppNotification.
type toApp struct {
	App     core.AppID             `json:"appId"`
	Record  core.UploadID          `json:"recordId"`
	Place   *Place                 `json:"record,omitempty"` // in the app's project
	Studies map[core.StudyID]Place `json:"studyRecords"`
	Type    string                 `json:"type"`
}

// toStudy is an ExportToStudyNotification.
type toStudy struct {
	App    core.AppID    `json:"appId"`
	Study  core.StudyID  `json:"studyId"`
	Record core.UploadID `json:"recordId"`
	Place
	Type string `json:"type"`
}

// created is an ExporterCreateStudyNotification.
type created struct {
	App     core.AppID   `json:"appId"`
	Project string       `json:"parentProjectId"`
	Folder  string       `json:"rawFolderId"` // of all raw data
	Study   core.StudyID `json:"studyId"`
	Type    string       `json:"type"`
}

// Exported says what is told once a record has reached a destination: its study's
// subscribers hear of it, and once all destinations have it, the app's. places
// tells where it lies at a destination. The same exports give the same ids.
func Exported(u core.Upload, reached core.DestinationID, all []core.Export, places func(core.DestinationID) Place) []core.Notice {
	var notices []core.Notice
	body := toApp{App: u.App, Record: u.ID, Studies: map[core.StudyID]Place{}, Type: TypeExportToApp}
	complete, last := true, time.Time{}
	for _, e := range all {
		if e.State != core.ExportExported {
			complete = false
			continue
		}
		place := places(e.Destination).filled(e.Destination)
		if e.ExportedOn.After(last) {
			last = e.ExportedOn
		}
		study := core.StudyID(e.Destination)
		if string(study) == string(u.App) {
			body.Place = &place
			continue
		}
		body.Studies[study] = place
		if e.Destination == reached {
			topic := core.Topic{Kind: core.TopicExports, App: u.App, Study: study}
			notices = append(notices, tell(topic, string(u.ID), e.ExportedOn, TypeExportToStudy, toStudy{u.App, study, u.ID, place, TypeExportToStudy}))
		}
	}
	if complete && len(all) > 0 {
		notices = append(notices, tell(core.Topic{Kind: core.TopicExports, App: u.App}, string(u.ID), last, TypeExportToApp, body))
	}
	return notices
}

// Created says what is told once a study's project was made for the first time.
func Created(s core.Study) core.Notice {
	topic := core.Topic{Kind: core.TopicCreation, App: s.App}
	return tell(topic, string(s.ID), s.CreatedOn, TypeCreateStudy, created{s.App, s.Repository.Project, s.Repository.RawDataFolder, s.ID, TypeCreateStudy})
}

func tell(topic core.Topic, subject string, at time.Time, kind string, body any) core.Notice {
	text, _ := json.Marshal(body) // texts can always be written
	return core.Notice{ID: core.NewNoticeID(topic, subject, at), Topic: topic, Type: kind, Body: text}
}

// filled puts the destination's id where nobody knows better, such as in a study
// that was removed meanwhile: a notice never holds an export up.
func (p Place) filled(d core.DestinationID) Place {
	for _, part := range []*string{&p.Project, &p.Folder, &p.File, &p.Bucket, &p.Key} {
		if *part == "" {
			*part = string(d)
		}
	}
	return p
}
