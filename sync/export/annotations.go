package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
	"unicode"

	"footbridge/core"
)

// The annotations that the service writes beside those of the timeline. An app
// that submits a key of the same name, in any case, is overruled.
const (
	KeyRecordID           = "recordId"
	KeyClientInfo         = "clientInfo"
	KeyExportedOn         = "exportedOn"
	KeyHealthCode         = "healthCode"
	KeyParticipantVersion = "participantVersion"
	KeyUploadedOn         = "uploadedOn"
	KeyUserAgent          = "userAgent"
	KeyContentType        = "contentType"
)

// The annotations of legacy records besides.
const (
	KeySchemaID          = "schemaId"
	KeySchemaRevision    = "schemaRevision"
	KeyCreatedOn         = "createdOn"
	KeyCreatedOnTimeZone = "createdOnTimeZone"
	KeyAppVersion        = "appVersion"
	KeyPhoneInfo         = "phoneInfo"
)

// ServiceKeys lists the annotations that the service writes.
func ServiceKeys() []string {
	return []string{
		KeyRecordID, KeyClientInfo, KeyExportedOn, KeyHealthCode,
		KeyParticipantVersion, KeyUploadedOn, KeyUserAgent, KeyContentType,
	}
}

// TimelineKeys lists the annotations that come from the timeline of a study.
func TimelineKeys() []string {
	return []string{
		"assessmentInstanceGuid", "assessmentGuid", "assessmentId", "assessmentRevision", "sessionInstanceGuid", "sessionGuid",
		"sessionInstanceStartDay", "sessionInstanceEndDay", "sessionStartEventId", "timeWindowGuid", "timeWindowPersistent",
		"scheduleGuid", "scheduleModifiedOn", "schedulePublished", "studyBurstId", "studyBurstNum", "sessionName",
	}
}

// Annotations are what a file says of itself: keys of [A-Za-z0-9_.], no two
// of which differ only in case, and values without control characters.
// participantVersion is decimal text here.
type Annotations map[string]string

// Annotate gives the annotations of an upload that was completed and has a
// record: the app's metadata first, then the service's own and those of the
// timeline, which win. The service's are left out where there is nothing to say.
// exportedOn is the time that the journal froze when the export was planned.
func Annotate(u core.Upload, exportedOn time.Time) Annotations {
	own := service(u, exportedOn)
	if u.Facts != nil {
		for key, value := range u.Facts.Timeline { // none has a name of the service's
			own[key] = plain(value)
		}
	}
	annotations := Annotations{}
	if u.Record != nil {
		maps.Copy(own, legacy(*u.Record))
		annotations = submitted(u.Record.Metadata, own)
	}
	maps.Copy(annotations, own)
	return annotations
}

// service gives the service's own annotations of an upload.
func service(u core.Upload, exportedOn time.Time) Annotations {
	own := Annotations{
		KeyRecordID:   string(u.ID),
		KeyHealthCode: string(u.HealthCode),
		KeyExportedOn: date(exportedOn),
	}
	optional := map[string]string{KeyContentType: u.Request.ContentType}
	if facts := u.Facts; facts != nil {
		own[KeyUploadedOn] = date(facts.UploadedOn)
		optional[KeyClientInfo] = facts.ClientInfo
		optional[KeyUserAgent] = facts.UserAgent
		if facts.ParticipantVersion > 0 {
			optional[KeyParticipantVersion] = strconv.Itoa(facts.ParticipantVersion)
		}
	}
	for key, value := range optional {
		if value = plain(value); value != "" {
			own[key] = value
		}
	}
	return own
}

// legacy gives the annotations of a legacy record, none of another.
func legacy(r core.Record) Annotations {
	own := Annotations{}
	if r.Legacy == nil {
		return own
	}
	said := map[string]string{
		KeyCreatedOn: date(r.CreatedOn), KeyCreatedOnTimeZone: r.CreatedOnZone,
		KeyAppVersion: r.Legacy.AppVersion, KeyPhoneInfo: r.Legacy.PhoneInfo,
	}
	if r.SchemaID != nil && r.SchemaRevision != nil {
		said[KeySchemaID], said[KeySchemaRevision] = *r.SchemaID, strconv.Itoa(*r.SchemaRevision)
	}
	for key, value := range said {
		if value = plain(value); value != "" {
			own[key] = value
		}
	}
	return own
}

// date writes a time in UTC with exactly three digits of a second's fraction.
func date(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// plain replaces each control character by one space and keeps the rest. Bytes
// that are not UTF-8 become U+FFFD, since every format they go to is text.
func plain(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(value, "\uFFFD"))
}

// JSON writes annotations as one flat object with sorted keys and a newline at
// its end. Values are strings, but participantVersion is a number; the error
// says that it is none.
func (a Annotations) JSON() ([]byte, error) {
	object := make(map[string]any, len(a))
	for key, value := range a {
		object[key] = value
	}
	if text, ok := a[KeyParticipantVersion]; ok {
		version, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("write annotation %s: %w", KeyParticipantVersion, err)
		}
		object[KeyParticipantVersion] = version
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		return nil, fmt.Errorf("write annotations: %w", err)
	}
	return text.Bytes(), nil
}

// ViewRow gives the row of an upload in the file view. Size and MD5 are those
// of the bytes that were exported, once opened.
func ViewRow(u core.Upload, annotations Annotations) core.FileViewRow {
	row := core.FileViewRow{Annotations: annotations}
	if u.Facts != nil {
		row.Path = RawPath(*u.Facts)
	}
	if u.Record != nil {
		row.Size, row.MD5 = u.Record.Plain.Size, u.Record.Plain.MD5
	}
	return row
}
