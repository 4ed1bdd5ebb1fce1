package notice_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/notice"

	"github.com/google/go-cmp/cmp"
)

var (
	on     = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	record = core.Upload{ID: "r-1", App: "walk", HealthCode: "code-of-someone", Facts: &core.Facts{ExternalID: "P-17"}}
)

func at(d core.DestinationID) notice.Place {
	return notice.Place{Project: string(d), Folder: string(d) + "/raw-data", File: string(d) + "/raw-data/f", Bucket: "repository", Key: string(d) + "/raw-data/f"}
}

func exported(d core.DestinationID, after time.Duration) core.Export {
	return core.Export{Record: "r-1", Destination: d, State: core.ExportExported, ExportedOn: on.Add(after)}
}

// texts are the bodies, by topic.
func texts(notices []core.Notice) map[string]string {
	all := map[string]string{}
	for _, n := range notices {
		all[n.Topic.String()] = string(n.Body)
	}
	return all
}

// The bodies are those of the original, field by field and in its order.
func TestBodies(t *testing.T) {
	got := notice.Exported(record, "sleep", []core.Export{exported("sleep", 0), exported("walk", time.Second)}, at)
	want := map[string]string{
		"footbridge:export:walk:sleep": `{"appId":"walk","studyId":"sleep","recordId":"r-1","parentProjectId":"sleep","rawFolderId":"sleep/raw-data","fileEntityId":"sleep/raw-data/f","s3Bucket":"repository","s3Key":"sleep/raw-data/f","type":"ExportToStudyNotification"}`,
		"footbridge:export:walk": `{"appId":"walk","recordId":"r-1","record":{"parentProjectId":"walk","rawFolderId":"walk/raw-data","fileEntityId":"walk/raw-data/f","s3Bucket":"repository","s3Key":"walk/raw-data/f"},` +
			`"studyRecords":{"sleep":{"parentProjectId":"sleep","rawFolderId":"sleep/raw-data","fileEntityId":"sleep/raw-data/f","s3Bucket":"repository","s3Key":"sleep/raw-data/f"}},"type":"ExportToAppNotification"}`,
	}
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Error(diff)
	}
	made := notice.Created(core.Study{ID: "sleep", App: "walk", CreatedOn: on, Repository: core.RepositoryConfig{Project: "sleep", RawDataFolder: "sleep/raw-data"}})
	if want := `{"appId":"walk","parentProjectId":"sleep","rawFolderId":"sleep/raw-data","studyId":"sleep","type":"ExporterCreateStudyNotification"}`; string(made.Body) != want || made.Topic.String() != "footbridge:create-study:walk" || made.Type != notice.TypeCreateStudy {
		t.Errorf("%s of %s: %s", made.Type, made.Topic, made.Body)
	}
}

func TestWhoIsTold(t *testing.T) {
	waits := core.Export{Record: "r-1", Destination: "gait", State: core.ExportWaiting}
	withheld := core.Export{Record: "r-1", Destination: "gait", State: core.ExportWithheld}
	const app, sleep = "footbridge:export:walk", "footbridge:export:walk:sleep"
	for name, test := range map[string]struct {
		reached core.DestinationID
		all     []core.Export
		topics  []string
	}{
		"one of two":             {"sleep", []core.Export{exported("sleep", 0), waits}, []string{sleep}},
		"the other is withheld":  {"sleep", []core.Export{exported("sleep", 0), withheld}, []string{sleep}},
		"the last of two":        {"sleep", []core.Export{exported("sleep", 0), exported("gait", 0)}, []string{sleep, app}},
		"the app's own":          {"walk", []core.Export{exported("walk", 0), waits}, nil},
		"the app's own, as last": {"walk", []core.Export{exported("walk", 0), exported("sleep", 0)}, []string{app}},
	} {
		var topics []string
		for _, n := range notice.Exported(record, test.reached, test.all, at) {
			topics = append(topics, n.Topic.String())
		}
		if diff := cmp.Diff(test.topics, topics); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What happened once has one id, whenever and however often it is told; a redrive
// keeps the time of the export. Nobody is named.
func TestIDs(t *testing.T) {
	all := []core.Export{exported("sleep", 0), exported("walk", time.Second)}
	first, again := notice.Exported(record, "sleep", all, at), notice.Exported(record, "sleep", all, at)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
	later := notice.Exported(record, "gait", append(all, exported("gait", time.Minute)), at)
	ids := map[core.NoticeID]bool{}
	for _, n := range append(first, later...) {
		if len(n.ID) != 32 || ids[n.ID] {
			t.Errorf("the id %q", n.ID)
		}
		ids[n.ID] = true
		if strings.Contains(string(n.Body), "someone") || strings.Contains(string(n.Body), "P-17") {
			t.Errorf("it names someone: %s", n.Body)
		}
	}
}

// A study that was removed meanwhile has no project to name; its record is told of
// all the same, and no field is empty.
func TestNoFieldIsEmpty(t *testing.T) {
	nowhere := func(core.DestinationID) notice.Place { return notice.Place{} }
	for _, n := range notice.Exported(record, "sleep", []core.Export{exported("sleep", 0)}, nowhere) {
		if strings.Contains(string(n.Body), `""`) {
			t.Error(string(n.Body))
		}
	}
}

func TestSubscribe(t *testing.T) {
	topic := core.Topic{Kind: core.TopicExports, App: "walk"}
	s, err := notice.Subscribe(topic, "HTTPS", "HTTPS://Analysis.example.org/hook?token=T", on)
	if err != nil || s.Endpoint != "https://analysis.example.org/hook?token=T" || s.Topic != topic || !s.MadeOn.Equal(on) || s.ID == "" {
		t.Fatalf("%+v (%v)", s, err)
	}
	text, ok := strings.CutPrefix(s.Secret, "whsec_")
	if secret, err := base64.StdEncoding.DecodeString(text); !ok || err != nil || len(secret) != 32 {
		t.Errorf("the secret has %d bytes (%v)", len(secret), err)
	}
	if other, _ := notice.Subscribe(topic, "https", "https://analysis.example.org/", on); other.Secret == s.Secret || other.ID == s.ID {
		t.Error("two subscriptions share a secret or an id")
	}
	for endpoint, field := range map[string]string{
		"https https://a.example.org":                              "",
		"https https://a.example.org:8443/x?y=z":                   "",
		"https https://[2001:db8::1]/":                             "",
		"http http://localhost:8080/x":                             "",
		"http http://127.0.0.1:9":                                  "",
		"http http://192.168.1.7/":                                 "",
		"http http://[fe80::1]/":                                   "",
		"http http://laptop/":                                      "",
		"http http://analysis.local/":                              "",
		"http http://analysis.example.org/":                        "endpoint",
		"http http://8.8.8.8/":                                     "endpoint",
		"https http://127.0.0.1/":                                  "endpoint",
		"http https://a.example.org/":                              "endpoint",
		"https ":                                                   "endpoint",
		"https /relative":                                          "endpoint",
		"https https://":                                           "endpoint",
		"https https://:443/":                                      "endpoint",
		"https https://me:secret@a.example.org/":                   "endpoint",
		"https https://a.example.org/#part":                        "endpoint",
		"https https://a.example.org:0/":                           "endpoint",
		"https https://a.example.org:99999/":                       "endpoint",
		"https ftp://a.example.org/":                               "endpoint",
		"https https://a b.example.org/":                           "endpoint",
		"sqs https://a.example.org/":                               "protocol",
		"email me@example.org":                                     "protocol",
		" https://a.example.org/":                                  "protocol",
		"https https://a.example.org/" + strings.Repeat("x", 1024): "endpoint",
	} {
		protocol, endpoint, _ := strings.Cut(endpoint, " ")
		_, err := notice.Subscribe(topic, protocol, endpoint, on)
		var invalid *core.Invalid
		if errors.As(err, &invalid) != (field != "") || field != "" && len(invalid.Fields[field]) == 0 {
			t.Errorf("%s by %s: %v", endpoint, protocol, err)
		}
	}
}
