package plan

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"footbridge/ui/tongue"
)

// Trial is what came of trying out where records are to go.
type Trial struct {
	OK    bool
	Wrong []string // what is wrong, and what to do about it, line by line
}

// Verdict sums a trial up.
func (t Trial) Verdict(in tongue.Tongue) string {
	if t.OK {
		return in.Say("guide.trial.well")
	}
	return in.Say("guide.trial.wrong")
}

// Sentence writes what a program said as a sentence.
func Sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// Founded is a site that is there, and serves.
type Founded struct {
	Addresses   []string // where devices reach it, best first
	Fingerprint string   // of its certificate, as people compare it; empty without TLS
	Waits       string   // why the study's project is not made yet; empty: it is
}

// Standing says whether records go where they are to go.
func (f Founded) Standing(in tongue.Tongue) string {
	if f.Waits != "" {
		return in.Say("guide.ready.waits", "why", f.Waits)
	}
	return in.Say("guide.ready.sends")
}

// Summary says what is about to be made, line by line.
func (d Draft) Summary(in tongue.Tongue) []string {
	where := in.Say("guide.place." + string(d.Place))
	switch d.Place {
	case Here:
		where = d.Text(Folder)
	case S3:
		where += ", " + d.Text(Bucket)
	case SFTP:
		where += ", " + d.Text(Host) + ":" + d.Text(Path)
	case WebDAV:
		where += ", " + d.Text(Address)
	case Rclone:
		if name, path, ok := d.named(); ok {
			where += ", " + name + ":" + path
		}
	case Synapse:
		if at, err := url.Parse(d.Text(Endpoint)); err == nil && d.Text(Endpoint) != usualEndpoint {
			where += ", " + at.Host
		}
	}
	return []string{
		in.Say("guide.make.site", "site", d.Text(Site), "app", d.Text(App)),
		in.Say("guide.make.study", "study", d.Text(Study)),
		in.Say("guide.make.records", "where", where),
		in.Say("guide.make.admin", "email", d.Text(Email)),
		in.Say("guide.make.key"),
		in.Say("guide.make.home", "home", d.Home),
	}
}
