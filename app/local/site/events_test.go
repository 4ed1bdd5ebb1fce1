package site_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/control"
)

// listener hears events.
type listener struct {
	t     *testing.T
	body  io.ReadCloser
	lines *bufio.Reader
}

func listen(t *testing.T, client *control.Client, query string) *listener {
	t.Helper()
	body, err := client.Open(t.Context(), http.MethodGet, "/local/v1/events?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { body.Close() })
	return &listener{t, body, bufio.NewReader(body)}
}

// next is the next event of a type, as its id and data.
func (l *listener) next(kind string) (id, data string) {
	l.t.Helper()
	event := map[string]string{}
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			l.t.Fatalf("the stream ended: %v", err)
		}
		if line = strings.TrimSpace(line); line != "" {
			field, value, _ := strings.Cut(line, ": ")
			event[field] = value
			continue
		}
		if event["event"] == kind {
			return event["id"], event["data"]
		}
		event = map[string]string{}
	}
}

// create makes a study and its project, which is told of.
func create(t *testing.T, client *control.Client, study string) {
	t.Helper()
	for path, body := range map[string]any{"/v5/studies": map[string]string{"identifier": study}} {
		if err := client.Call(t.Context(), "POST", path, body, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Call(t.Context(), "POST", "/v5/studies/"+study+"/exporter3", nil, nil); err != nil {
		t.Fatal(err)
	}
}

// Whoever listens hears of what happens, and of what they missed when they come
// back; the stream ends with the appliance.
func TestEvents(t *testing.T) {
	const kind = "ExporterCreateStudyNotification"
	client, _, end := appliancetest.Running(t)
	first, changes := listen(t, client, ""), listen(t, client, "changes=true")
	create(t, client, "naps")
	id, data := first.next(kind)
	if data != `{"appId":"test-app","parentProjectId":"naps","rawFolderId":"naps/raw-data","studyId":"naps","type":"ExporterCreateStudyNotification"}` || len(id) != 32 {
		t.Errorf("heard %s: %s", id, data)
	}
	var changed struct{ Revision uint64 }
	if _, data := changes.next("changed"); json.Unmarshal([]byte(data), &changed) != nil || changed.Revision == 0 {
		t.Errorf("heard that it changed: %s", data)
	}
	first.body.Close()
	create(t, client, "gait")
	create(t, client, "mood")
	again := listen(t, client, "after="+id)
	for _, study := range []string{"gait", "mood"} {
		if _, data := again.next(kind); !strings.Contains(data, `"studyId":"`+study+`"`) {
			t.Errorf("missed %s: %s", study, data)
		}
	}
	if _, data := listen(t, client, "after=unknown").next(kind); !strings.Contains(data, `"studyId":"sleep"`) {
		t.Errorf("the first of all is %s", data)
	}
	if _, err := client.Open(t.Context(), http.MethodGet, "/local/v1/events?changes=maybe", nil); err == nil || !strings.Contains(err.Error(), "true or false") {
		t.Error(err)
	}
	end()
	if rest, err := io.ReadAll(again.lines); err != nil {
		t.Errorf("the stream broke: %v, %q", err, rest)
	}
}
