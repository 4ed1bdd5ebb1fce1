package export_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"footbridge/core"
	"footbridge/sync/export"
)

var update = flag.Bool("update", false, "write the golden files anew")

var exportedOn = time.Date(2026, 11, 20, 8, 15, 30, 123_900_000, time.FixedZone("", 3600))

// upload gives one that has everything.
func upload(metadata map[string]string) core.Upload {
	return core.Upload{
		ID:         "0199f3a2-1111-7000-8000-000000000001",
		HealthCode: "5f0c0e3e-2222-4000-8000-000000000002",
		Request:    core.Request{Name: "tapping.zip", ContentType: "application/zip"},
		Facts: &core.Facts{
			UploadedOn:         time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC),
			DateFolder:         "2026-11-19",
			FileName:           "0199f3a2-1111-7000-8000-000000000001-tapping.zip",
			ParticipantVersion: 3,
			ClientInfo:         `{"appName":"Motor","appVersion":7,"osName":"a<b>&c"}`,
			UserAgent:          "Motor/7 (Pixel 9; Android/17) BridgeSDK/4",
		},
		Record: &core.Record{
			Plain:    core.Digest{Size: 65536, MD5: "0cc175b9c0f1b6a831c399e269772661"},
			Metadata: metadata,
		},
	}
}

func TestPaths(t *testing.T) {
	u := upload(nil)
	got := []string{
		export.RawPath(*u.Facts),
		export.AnnotationsPath(*u.Facts, u.ID),
		export.DataPath(*u.Facts, u.ID),
		export.FileViewPath(u.Facts.DateFolder),
		export.VersionsCSV, export.VersionsTable, export.DemographicsCSV, export.DemographicsTable, export.ProjectPath,
	}
	want := []string{
		"raw-data/2026-11-19/0199f3a2-1111-7000-8000-000000000001-tapping.zip",
		"annotations/2026-11-19/0199f3a2-1111-7000-8000-000000000001.json",
		"data/2026-11-19/0199f3a2-1111-7000-8000-000000000001.json",
		"file-view/2026-11-19.parquet",
		"participant-versions/participant_versions.csv",
		"participant-versions/participant_versions.parquet",
		"participant-versions/participant_versions_demographics.csv",
		"participant-versions/participant_versions_demographics.parquet",
		"project.json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnnotationsLookLikeThis(t *testing.T) {
	bare := upload(nil)
	bare.Request.ContentType = ""
	bare.Facts.ClientInfo, bare.Facts.UserAgent, bare.Facts.ParticipantVersion = "", "", 0

	silent := upload(map[string]string{"userAgent": "the app's own", "participantVersion": "99"})
	silent.Facts.UserAgent, silent.Facts.ParticipantVersion = "", 0

	walking := map[string]string{
		"assessmentInstanceGuid": "a-1", "assessmentGuid": "g-walk", "assessmentId": "walk-and-balance", "assessmentRevision": "3",
		"sessionInstanceGuid": "s-1", "sessionGuid": "morning", "sessionName": "In the\nmorning", "sessionInstanceStartDay": "1", "sessionInstanceEndDay": "2",
		"sessionStartEventId": "study_burst:main:02", "timeWindowGuid": "w-1", "timeWindowPersistent": "true", "scheduleGuid": "plan",
		"scheduleModifiedOn": "2026-11-01T08:00:00.000Z", "schedulePublished": "true", "studyBurstId": "main", "studyBurstNum": "2",
	}
	scheduled := upload(map[string]string{"instanceGuid": "a-1", "eventTimestamp": "2026-11-20T07:00:00.000Z", "startedOn": "2026-11-20T07:01:00.000Z"})
	scheduled.Facts.Timeline = walking
	forged := upload(map[string]string{"instanceGuid": "s-1", "sessionName": "forged", "SESSIONGUID": "forged", "session Name": "the app's own",
		"assessmentId": "the app's own: a session has none", "healthCode": "forged"})
	forged.Facts.Timeline = map[string]string{"sessionInstanceGuid": "s-1", "sessionGuid": "morning", "sessionName": "Morning"}

	for name, u := range map[string]core.Upload{
		"legacy":         legacy(),
		"scheduled":      scheduled,
		"scheduled-over": forged,
		"plain":          upload(map[string]string{"taskId": "tapping", "instanceGuid": "guid-1", "eventTimestamp": "2026-11-20T07:00:00.000Z"}),
		"none":           bare,
		"keys": upload(map[string]string{
			"task id": "first", "task-id": "second", "task_id": "third", "Task_ID": "in another case",
			"": "empty", "é": "one character", "_accessRequirementIds": "reserved", "task_id_2": "a number of its own",
		}),
		"values":    upload(map[string]string{"text": "a\r\nb\tc\u0085d", "html": "<b>&amp;</b>", "broken": "\xff!", "empty": ""}),
		"overruled": upload(map[string]string{"healthCode": "forged", "RECORDID": "forged", "contenttype": "forged"}),
		"silent":    silent,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := export.Annotate(u, exportedOn).JSON()
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".json", got)
		})
	}
}

// No two attachments lie in one place, whatever a disk takes for the same name.
func TestAttachmentsLieApart(t *testing.T) {
	var all []core.Attachment
	for _, id := range []string{"r-foo", "r-Foo", "r-foo.txt", "r-FOO", "r-foo_2"} {
		all = append(all, core.Attachment{ID: id, Extension: ".txt"})
	}
	want := []string{"attachments/d/r-foo", "attachments/d/r-Foo_2", "attachments/d/r-foo.txt", "attachments/d/r-FOO_3", "attachments/d/r-foo_2_2"}
	if diff := cmp.Diff(want, export.AttachmentPaths(core.Facts{DateFolder: "d"}, all)); diff != "" {
		t.Error(diff)
	}
}

// legacy gives an upload with a legacy record.
func legacy() core.Upload {
	u := upload(map[string]string{"hand": "left", "schemaid": "forged"})
	id, revision := "walk", 2
	u.Record.CreatedOn, u.Record.CreatedOnZone = time.Date(2026, 11, 20, 6, 59, 30, 250e6, time.UTC), "-0500"
	u.Record.SchemaID, u.Record.SchemaRevision = &id, &revision
	u.Record.Data = json.RawMessage(`{"steps":1204,"voice":"0199f3a2-1111-7000-8000-000000000001-voice"}`)
	u.Record.Legacy = &core.Legacy{
		Info: json.RawMessage(`{"item":"walk","schemaRevision":2}`), UserMetadata: map[string]json.RawMessage{"hand": json.RawMessage(`"left"`)},
		AppVersion: "version 1.0.3, build 7", PhoneInfo: "Test\nPhone", ValidationErrors: "Field speed is missing.",
		Attachments: []core.Attachment{{ID: string(u.ID) + "-voice", Field: "voice", File: 3, ContentType: "audio/wav", Extension: ".wav",
			Digest: core.Digest{Size: 44, MD5: "3bdaf5969285188ac756c339f69f5c79"}}},
	}
	u.Facts.DayInStudy = 5
	return u
}

func TestDataOfALegacyRecord(t *testing.T) {
	got, err := export.Data(legacy())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "legacy-data.json", got)
	if _, err := export.Data(upload(nil)); err == nil {
		t.Error("a schemaless record has data")
	}
}

func TestLegalKeysKeepTheirNames(t *testing.T) {
	for name, test := range map[string]struct{ metadata, want map[string]string }{
		"beside a reduced one":  {map[string]string{"a b": "1", "a_b": "2"}, map[string]string{"a_b": "2", "a_b_2": "1"}},
		"with a number":         {map[string]string{"a b": "1", "a-b": "2", "a_b_2": "3"}, map[string]string{"a_b": "1", "a_b_3": "2", "a_b_2": "3"}},
		"case":                  {map[string]string{"TaskId": "1", "taskid": "2", "taskId": "3"}, map[string]string{"taskid": "2", "taskId_2": "3", "TaskId_3": "1"}},
		"case and a number":     {map[string]string{"A": "1", "a": "2", "a_2": "3", "A_2": "4"}, map[string]string{"a": "2", "a_2": "3", "A_3": "1", "A_2_2": "4"}},
		"case before reduction": {map[string]string{"A b": "1", "A_B": "2", "a_b": "3"}, map[string]string{"a_b": "3", "A_B_2": "2", "A_b_3": "1"}},
		"columns of the view":   {map[string]string{"path": "1", "size": "2", "md5": "3", "createdOn": "4"}, map[string]string{"path": "1", "size": "2", "md5": "3", "createdOn": "4"}},
	} {
		got := export.Annotate(upload(test.metadata), exportedOn)
		for _, key := range export.ServiceKeys() {
			delete(got, key)
		}
		if diff := cmp.Diff(export.Annotations(test.want), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	place := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(place, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestParticipantVersionMustBeANumber(t *testing.T) {
	if text, err := (export.Annotations{"participantVersion": "three"}).JSON(); err == nil {
		t.Errorf("wrote %s", text)
	}
}

func TestViewRowTellsOfTheOpenedBytes(t *testing.T) {
	u := upload(nil)
	annotations := export.Annotate(u, exportedOn)
	want := core.FileViewRow{
		Path: "raw-data/2026-11-19/0199f3a2-1111-7000-8000-000000000001-tapping.zip",
		Size: 65536, MD5: "0cc175b9c0f1b6a831c399e269772661", Annotations: annotations,
	}
	if diff := cmp.Diff(want, export.ViewRow(u, annotations)); diff != "" {
		t.Error(diff)
	}
}

func TestAnyMetadataGivesLegalKeys(t *testing.T) {
	legal := regexp.MustCompile(`^[A-Za-z0-9_.]+$`)
	key := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[aA]?[ _.-]?(_[23])?`),
		rapid.SampledFrom(append(export.ServiceKeys(), "HEALTHCODE", "_accessRequirementIds", "_ACCESSREQUIREMENTIDS", "sessionName", "SESSIONNAME", "session-name")),
	)
	rapid.Check(t, func(t *rapid.T) {
		metadata := rapid.MapOf(key, rapid.String()).Draw(t, "metadata")
		u := upload(metadata)
		if rapid.Bool().Draw(t, "unknown client") {
			u.Facts.UserAgent, u.Facts.ClientInfo, u.Facts.ParticipantVersion = "", "", 0
		}
		bare := export.Annotate(upload(nil), exportedOn)
		if rapid.Bool().Draw(t, "scheduled") {
			u.Facts.Timeline = map[string]string{"sessionName": "Morning"}
			bare["sessionName"] = "Morning"
		}
		if u.Facts.UserAgent == "" {
			delete(bare, "userAgent")
			delete(bare, "clientInfo")
			delete(bare, "participantVersion")
		}
		got := export.Annotate(u, exportedOn)

		folded := map[string]bool{"_accessrequirementids": true}
		for key, value := range got {
			if !legal.MatchString(key) || folded[strings.ToLower(key)] {
				t.Fatalf("key %q is illegal, reserved or there twice", key)
			}
			folded[strings.ToLower(key)] = true
			if strings.ContainsAny(value, "\x00\t\r\n\x7f") {
				t.Fatalf("value %q has control characters", value)
			}
		}
		for key, value := range bare {
			if got[key] != value {
				t.Fatalf("%s is %q, the service says %q", key, got[key], value)
			}
		}
		for range 3 {
			if diff := cmp.Diff(got, export.Annotate(u, exportedOn)); diff != "" {
				t.Fatal("the same upload has other annotations: " + diff)
			}
		}
	})
}

// The keys of the timeline are those that the vocabulary knows.
func TestTimelineKeys(t *testing.T) {
	var all core.TimelineMetadata
	fields := reflect.ValueOf(&all).Elem()
	for i := range fields.NumField() {
		if fields.Field(i).Kind() == reflect.String {
			fields.Field(i).SetString("x")
		}
	}
	want := slices.Sorted(maps.Keys(all.Strings()))
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(export.TimelineKeys()))); diff != "" {
		t.Error(diff)
	}
}
