package view

import "strings"

// Topic is one answer of the help.
type Topic struct {
	Name  string // stable, for programs
	Title string
	Text  string
}

// About is what the program says of itself.
type About struct {
	Version   string
	Home      string   // folder
	Addresses []string // at which devices on the network reach it
}

// Topics are the answers of the help, in the order in which they are listed.
func (r Reader) Topics(about About) []Topic {
	var all []Topic
	for _, name := range []string{"way", "states", "person", "disk", "line", "device", "file", "withdraw", "data", "secrets", "call", "keys", "about"} {
		t := Topic{Name: name, Title: r.Say("help.title." + name)}
		switch name {
		case "states":
			t.Text = r.states()
		case "about":
			t.Text = r.about(about)
		default:
			t.Text = r.Say("help.text." + name)
		}
		all = append(all, t)
	}
	return all
}

// states says what each state of an upload means.
func (r Reader) states() string {
	var lines []string
	for _, s := range Standings() {
		lines = append(lines, r.Say("standing."+string(s))+": "+r.Say("help.state."+string(s)))
	}
	return strings.Join(lines, "\n")
}

func (r Reader) about(a About) string {
	lines := []string{r.Say("help.version", "version", a.Version), r.Say("help.home", "home", a.Home)}
	if len(a.Addresses) == 0 {
		lines = append(lines, r.Say("help.no_address"))
	} else {
		lines = append(lines, r.Say("help.addresses")+" "+strings.Join(a.Addresses, ", "))
	}
	return strings.Join(append(lines, r.Say("help.licence")), "\n\n")
}

// Found are the topics that say what someone looks for, those first whose titles do.
func Found(all []Topic, text string) []Topic {
	text = strings.ToLower(strings.TrimSpace(text))
	var titles, texts []Topic
	for _, t := range all {
		switch {
		case strings.Contains(strings.ToLower(t.Title), text):
			titles = append(titles, t)
		case strings.Contains(strings.ToLower(t.Text), text):
			texts = append(texts, t)
		}
	}
	return append(titles, texts...)
}
