package plan

import (
	"maps"
	"net/mail"
	"path/filepath"
	"strings"
	"unicode"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/ui/tongue"
)

// Field is one answer that a person types.
type Field string

// The fields.
const (
	Site      Field = "site" // its name, for people
	App       Field = "app"
	Study     Field = "study"
	Folder    Field = "folder"
	Bucket    Field = "bucket" // and a folder in it
	Provider  Field = "provider"
	Region    Field = "region"
	Server    Field = "server" // of S3, where it is not Amazon's
	KeyID     Field = "key_id"
	KeySecret Field = "key_secret"
	Host      Field = "host"
	Port      Field = "port"
	Address   Field = "address" // of WebDAV
	User      Field = "user"
	UserPass  Field = "user_pass"
	Path      Field = "path"
	Remote    Field = "remote" // as rclone spells it
	Conf      Field = "conf"   // path of an rclone.conf
	Endpoint  Field = "endpoint"
	Token     Field = "token"
	Email     Field = "email"
	Password  Field = "password"
	Again     Field = "again"
)

// Secret reports whether an answer is not to be seen by who looks over a shoulder.
func (f Field) Secret() bool {
	return f == KeySecret || f == UserPass || f == Token || f == Password || f == Again
}

// optional reports whether an answer may be left out.
func (f Field) optional() bool {
	switch f {
	case Region, Server, Port, Path, Conf, Token:
		return true
	}
	return false
}

// Explained reports whether a sentence says what the field is for: it is in the
// catalogue as guide.hint and the field.
func (f Field) Explained() bool {
	switch f {
	case Site, App, Study, Folder, Bucket, Server, Address, Path, Remote, Conf, Endpoint, Token, Email, Password:
		return true
	}
	return false
}

// Step is one screen.
type Step string

// The steps, in their order.
const (
	StepSite    Step = "site"
	StepStudy   Step = "study"
	StepRecords Step = "records"
	StepAdmin   Step = "admin"
	StepMake    Step = "make"
)

// Steps are all that come before the site is there.
func Steps() []Step { return []Step{StepSite, StepStudy, StepRecords, StepAdmin, StepMake} }

// Draft is what a person has said so far.
type Draft struct {
	Place Place
	Home  string // where the site is to be

	said  map[Field]string
	given bool // the person has named the app
}

// usualEndpoint is where the Synapse is that nearly everyone means.
const usualEndpoint = "https://repo-prod.prod.sagebase.org"

// New is a draft of a home of which nobody has said anything yet.
func New(home string) *Draft {
	d := &Draft{Place: Here, Home: home, said: map[Field]string{}}
	for field, text := range map[Field]string{
		Study: "study-1", Folder: filepath.Join(home, "repository"), Provider: "AWS", Endpoint: usualEndpoint,
	} {
		d.said[field] = text
	}
	return d
}

// Copy is the draft as it is now.
func (d *Draft) Copy() Draft {
	as := *d
	as.said = maps.Clone(d.said)
	return as
}

// Asked are the fields of a step.
func (d Draft) Asked(s Step) []Field {
	switch s {
	case StepSite:
		return []Field{Site, App}
	case StepStudy:
		return []Field{Study}
	case StepRecords:
		return map[Place][]Field{
			Here:    {Folder},
			S3:      {Bucket, Provider, Region, Server, KeyID, KeySecret},
			SFTP:    {Host, Port, User, UserPass, Path},
			WebDAV:  {Address, User, UserPass, Path},
			Rclone:  {Remote, Conf},
			Synapse: {Endpoint, Token},
		}[d.Place]
	case StepAdmin:
		return []Field{Email, Password, Again}
	}
	return nil
}

// Put notes what a person typed. The app is called after the site until they name it.
func (d *Draft) Put(f Field, text string) {
	d.said[f] = text
	switch {
	case f == App:
		d.given = text != Identifier(d.said[Site])
	case f == Site && !d.given:
		d.said[App] = Identifier(text)
	}
}

// Text is what was typed, without spaces around it where those mean nothing.
func (d Draft) Text(f Field) string {
	if f == Password || f == Again || f == UserPass {
		return d.said[f]
	}
	return strings.TrimSpace(d.said[f])
}

// Identifier makes an identifier of a name; empty where nothing is left of it.
func Identifier(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case plain[r] != "":
			b.WriteString(plain[r])
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-") && (unicode.IsSpace(r) || unicode.IsPunct(r)):
			b.WriteByte('-')
		}
	}
	id := b.String()
	id = strings.Trim(id[:min(len(id), 60)], "-")
	if !core.ValidIdentifier(id) {
		return ""
	}
	return id
}

// plain are letters of our languages as identifiers have them.
var plain = map[rune]string{
	'á': "a", 'à': "a", 'â': "a", 'ã': "a", 'ç': "c", 'é': "e", 'è': "e", 'ê': "e", 'ë': "e", 'í': "i", 'î': "i", 'ï': "i",
	'ñ': "n", 'ó': "o", 'ô': "o", 'õ': "o", 'œ': "oe", 'ú': "u", 'ù': "u", 'û': "u", 'ü': "u",
}

// siteMax is how long the name of a site may be, in characters.
const siteMax = 100

// Wrong says what is wrong with an answer, and what would be right; empty where
// nothing is.
func (d Draft) Wrong(f Field, t tongue.Tongue) string {
	text := d.Text(f)
	if text == "" {
		if f.optional() {
			return ""
		}
		return t.Say("guide.wrong.empty")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return t.Say("guide.wrong.line")
	}
	switch f {
	case Site:
		if len([]rune(text)) > siteMax {
			return t.Say("guide.wrong.long", "n", siteMax)
		}
	case App, Study:
		switch {
		case !core.ValidIdentifier(text) && Identifier(text) != "":
			return t.Say("guide.wrong.identifier_like", "like", Identifier(text))
		case !core.ValidIdentifier(text):
			return t.Say("guide.wrong.identifier")
		case f == Study && text == d.Text(App):
			return t.Say("guide.wrong.same")
		}
	case Email:
		if a, err := mail.ParseAddress(text); err != nil || a.Address != text {
			return t.Say("guide.wrong.email")
		}
	case Password:
		if lack := account.LackOf(text); lack != "" {
			return t.Say("guide.wrong.password." + string(lack))
		}
	case Again:
		if text != d.Text(Password) {
			return t.Say("guide.wrong.again")
		}
	}
	return d.wrongPlace(f, text, t)
}

// FirstWrong gives the first field of a step with which something is wrong; empty where
// there is none.
func (d Draft) FirstWrong(s Step) Field {
	for _, f := range d.Asked(s) {
		if d.Wrong(f, tongue.Tongue{}) != "" {
			return f
		}
	}
	return ""
}
