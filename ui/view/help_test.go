package view_test

import (
	"strings"
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// In every language the help says what it is about, and what each state means.
func TestTopics(t *testing.T) {
	for _, l := range tongue.Languages() {
		r := view.Reader{Tongue: tongue.In(l.Code)}
		all := r.Topics(view.About{Version: "1.2.3", Home: "/home/site"})
		if len(all) < 13 {
			t.Errorf("%s: there are %d topics", l.Code, len(all))
		}
		for _, topic := range all {
			if strings.Contains(topic.Title+topic.Text, "help.") || strings.Contains(topic.Text, "{{") || len(topic.Text) < 60 {
				t.Errorf("%s: %s says %q: %q", l.Code, topic.Name, topic.Title, topic.Text)
			}
		}
		about := all[len(all)-1].Text
		if !strings.Contains(about, "1.2.3") || !strings.Contains(about, "/home/site") {
			t.Errorf("%s: of itself it says %q", l.Code, about)
		}
		for _, s := range view.Standings() {
			if !strings.Contains(all[1].Text, r.Say("standing."+string(s))+": ") {
				t.Errorf("%s: nothing is said of %s", l.Code, s)
			}
		}
	}
}

// Titles are found before texts.
func TestFound(t *testing.T) {
	all := []view.Topic{{Name: "a", Title: "Line", Text: "disk"}, {Name: "b", Title: "Disk", Text: "room"}, {Name: "c", Title: "Keys", Text: "Tab"}}
	for text, want := range map[string]string{"": "abc", " DISK ": "ba", "tab": "c", "none": ""} {
		got := ""
		for _, topic := range view.Found(all, text) {
			got += topic.Name
		}
		if got != want {
			t.Errorf("%q finds %q, not %q", text, got, want)
		}
	}
}
