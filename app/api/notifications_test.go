package api_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/app/door"
	"footbridge/core"
)

// A developer subscribes a receiver; doing it again changes nothing, and shows no
// secret a second time. The configuration names the topic.
func TestSubscribing(t *testing.T) {
	s := newSite(t, nil)
	developer := s.staff(core.RoleDeveloper)
	const (
		exports   = "/v1/apps/self/exporter3/notifications/export/subscribe"
		creations = "/v1/apps/self/exporter3/notifications/study/subscribe"
		study     = "/v5/studies/" + testStudy + "/exporter3/notifications/export/subscribe"
	)
	hook := map[string]any{"endpoint": "https://analysis.example.org/hook?key=K", "protocol": "https", "attributes": map[string]string{"RawMessageDelivery": "true"}}
	ids := map[string]bool{}
	for _, path := range []string{exports, creations, study} {
		first := s.call("POST", path, developer, hook).want(t, 201, `"secret":"whsec_`, `"type":"ExporterSubscriptionResult"`)
		if path == study {
			first.golden(t, "subscribed")
		}
		again := s.call("POST", path, developer, hook).want(t, 201)
		if again.text("subscriptionArn") != first.text("subscriptionArn") || again.field("secret") != nil {
			t.Errorf("again: %s, first %s", again.raw, first.raw)
		}
		ids[first.text("subscriptionArn")] = true
	}
	if len(ids) != 3 {
		t.Errorf("the ids are %v", ids)
	}
	s.call("POST", "/v5/studies/"+testStudy, developer, map[string]any{"exporter3Configuration": complete}).want(t, 200) // it does not name the topic
	s.call("GET", "/v5/studies/"+testStudy, developer, nil).want(t, 200, `"exportNotificationTopicArn":"footbridge:export:test-app:sleep"`, `"configured":true`)
	app, err := s.store.App(t.Context(), testApp)
	if err != nil || app.Repository.CreateNotification != "footbridge:create-study:test-app" {
		t.Errorf("the app's configuration is %+v (%v)", app.Repository, err)
	}

	s.call("POST", "/v5/studies/nowhere/exporter3/notifications/export/subscribe", developer, hook).want(t, 404, "Study nowhere was not found.")
	for wrong, field := range map[string]string{
		`{}`: "endpoint is required", `{"protocol":"sqs","endpoint":"https://a.example.org"}`: "protocol must be https, or http",
		`{"protocol":"http","endpoint":"http://a.example.org"}`:      "endpoint must be https",
		`{"protocol":"https","endpoint":"https://me:p@example.org"}`: "endpoint must hold no user name",
		`{"protocol":7}`: "fields: protocol", `{"endpoint":"x","attributes":{"a":{}}}`: "fields: attributes",
	} {
		s.call("POST", exports, developer, wrong).want(t, 400, field, `"type":"InvalidEntityException"`)
	}
}

func TestATopicHasSoManyReceivers(t *testing.T) {
	s := newSite(t, nil)
	developer := s.staff(core.RoleDeveloper)
	for i := range 101 {
		want := 201
		if i == 100 {
			want = 400
		}
		s.call("POST", "/v1/apps/self/exporter3/notifications/export/subscribe", developer,
			map[string]string{"endpoint": "https://a.example.org/" + strings.Repeat("x", i), "protocol": "https"}).want(t, want)
	}
}

// A live answer outlasts the patience that the door has with requests, and each
// piece of it is there at once.
func TestALiveAnswerLasts(t *testing.T) {
	pieces := make(chan string)
	s := unserved(t, func(s *site, c *api.Config) {
		c.Local = append(c.Local, api.LocalRoute{Pattern: "GET /local/v1/live", For: api.Everyone, Answer: func(r *http.Request) (any, error) {
			return api.Stream{ContentType: "text/event-stream", Live: true, Write: func(w io.Writer) error {
				for {
					select {
					case piece := <-pieces:
						if _, err := io.WriteString(w, piece); err != nil {
							return err
						}
						if piece == "end\n" {
							return nil
						}
					case <-r.Context().Done():
						return errors.New("the caller was cut off")
					}
				}
			}}, nil
		}})
	})
	server := &http.Server{Handler: s.server.Handler(), ReadTimeout: 200 * time.Millisecond}
	l, err := door.Open(door.Place{Address: "127.0.0.1:0", Plain: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go server.Serve(l.Listener)
	answer, err := http.Get(l.URL() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	answer, err = getLater(l.URL()+"/local/v1/live", pieces, "one\n")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	for _, piece := range []string{"", "two\n", "end\n"} {
		if piece != "" {
			time.Sleep(300 * time.Millisecond)
			pieces <- piece
		} else {
			piece = "one\n"
		}
		if got, err := lines.ReadString('\n'); err != nil || got != piece {
			t.Fatalf("heard %q (%v), want %q", got, err, piece)
		}
	}
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("it ended with %q (%v)", rest, err)
	}
}

// getLater gets a page whose first piece is written once it is asked for.
func getLater(url string, pieces chan<- string, first string) (*http.Response, error) {
	go func() { pieces <- first }()
	return http.Get(url)
}
