package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"footbridge/core/schema"
	"footbridge/ui/tongue"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the settings file in a home folder.
const FileName = "footbridge.toml"

// Settings are what a site may choose. What Describe tells of them stands beside each:
// choices, least and most, unit, entries of a table that people fill as they like, and
// whether a change asks first.
type Settings struct {
	Listen     string  `toml:"listen" asks:"true"`
	PlainHTTP  bool    `toml:"plain_http" asks:"true"`
	TimeZone   string  `toml:"time_zone" asks:"true"`
	Language   string  `toml:"language" choices:",en,fr,es,pt,sw"` // of what people read; empty: the computer's
	Repository string  `toml:"repository" asks:"true"`
	Awake      bool    `toml:"awake"`
	Bucket     Bucket  `toml:"repository.s3"`
	Uploads    Uploads `toml:"uploads"`

	// OldestVersions are the oldest versions of the app that are served, by
	// operating system as the User-Agent names it.
	OldestVersions map[string]int `toml:"oldest_app_versions" entries:"Android,iPhone OS" least:"0"`
	Participants   Participants   `toml:"participants"`
	Validation     Validation     `toml:"validation"`
	Sync           Sync           `toml:"sync"`
}

// Validation are the settings of legacy bundles, which have schemas.
type Validation struct {
	Strictness string `toml:"strictness" choices:"warning,report,strict"`
}

// Strictness is what becomes of an upload whose data does not fit its schema.
func (s Settings) Strictness() schema.Strictness {
	strictness, _ := schema.ParseStrictness(s.Validation.Strictness) // Load refuses any other
	return strictness
}

// Participants are the settings of accounts.
type Participants struct {
	DataGroups []string `toml:"data_groups"` // those that there are; none: any
}

// Uploads are the settings of the upload API.
type Uploads struct {
	MaxSize        int64 `toml:"max_size" unit:"bytes" least:"1"`
	FreeSpaceFloor int64 `toml:"free_space_floor" unit:"bytes" least:"0"`
}

// Default gives the settings of a home that says nothing.
func Default() Settings {
	return Settings{
		Listen: ":8443", TimeZone: "America/Los_Angeles", Repository: "folder:repository", Awake: true,
		Uploads:    Uploads{MaxSize: 5 << 30, FreeSpaceFloor: 512 << 20},
		Validation: Validation{Strictness: string(schema.Report)},
		Sync:       Sync{Transfers: 4},
	}
}

// Zone is the time zone of the date folders.
func (s Settings) Zone() *time.Location {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC // Load refuses such settings
	}
	return zone
}

// Load reads the settings file; one that is missing gives the defaults. Errors
// name the file, the line and what would be right.
func Load(path string) (Settings, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), fmt.Errorf("read settings: %w", err)
	}
	return parse(text)
}

// parse reads the text of a settings file.
func parse(text []byte) (Settings, error) {
	settings := Default()
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors put it there
	decoder := toml.NewDecoder(bytes.NewReader(quoteBucket(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&settings); err != nil {
		return Default(), explain(err)
	}
	if err := settings.check(text); err != nil {
		return Default(), err
	}
	return settings, nil
}

// A value of another type, in the words of the decoder and in those of a person.
var (
	wrongType = regexp.MustCompile(`^cannot decode TOML (.+) into struct field \S+ of type (\S+)$`)
	typeNames = map[string]string{"int64": "a whole number", "bool": "true or false", "string": "a text in quotes"}
)

// explain says where a file cannot be read and why.
func explain(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("%s line %d: there is no setting %q", FileName, line, strings.Join(first.Key(), "."))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		why := strings.TrimPrefix(wrong.Error(), "toml: ")
		if parts := wrongType.FindStringSubmatch(why); parts != nil {
			name, ok := typeNames[parts[2]]
			if !ok {
				name = "a table"
			}
			why = fmt.Sprintf("%s must be %s, not a TOML %s", strings.Join(wrong.Key(), "."), name, parts[1])
		}
		return fmt.Errorf("%s line %d: %s", FileName, line, why)
	}
	return fmt.Errorf("read settings: %w", err)
}

// WrongError says which setting cannot work, and what would be right.
type WrongError struct {
	Line  int    // of the file, from 1; 0: it is not in the file
	Table string // in which the key stands; empty: in none
	Key   string
	Why   string // goes on after the key
}

// Error names the file, too.
func (e *WrongError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s line %d: %s %s", FileName, e.Line, e.Key, e.Why)
	}
	return fmt.Sprintf("%s: %s %s", FileName, e.Key, e.Why)
}

// check finds the first setting that cannot work.
func (s Settings) check(text []byte) error {
	wrong := func(table, key, why string) error {
		return &WrongError{Line: lineOf(text, table, key), Table: table, Key: key, Why: why}
	}
	_, port, err := net.SplitHostPort(s.Listen)
	if _, wrongPort := strconv.ParseUint(port, 10, 16); err != nil || wrongPort != nil {
		return wrong("", "listen", `must be an address and a port, such as ":8443" or "127.0.0.1:8443"`)
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "" || s.TimeZone == "Local" {
		return wrong("", "time_zone", `must be a name of the tz database, such as "America/Los_Angeles" or "Africa/Nairobi"`)
	}
	if why := checkLanguage(s.Language); why != "" {
		return wrong("", "language", why)
	}
	if why := CheckRepository(s.Repository); why != "" {
		return wrong("", "repository", why)
	}
	if why := s.Bucket.check(s.Repository, wrong); why != nil {
		return why
	}
	if s.Uploads.MaxSize <= 0 {
		return wrong("uploads", "max_size", "must be over 0 bytes")
	}
	if s.Uploads.FreeSpaceFloor < 0 {
		return wrong("uploads", "free_space_floor", "must not be under 0 bytes")
	}
	if _, ok := schema.ParseStrictness(s.Validation.Strictness); !ok {
		return wrong("validation", "strictness", fmt.Sprintf("must be %q, %q or %q", schema.Warn, schema.Report, schema.Strict))
	}
	if why := s.Sync.check(wrong); why != nil {
		return why
	}
	for system, version := range s.OldestVersions {
		if version < 0 {
			return wrong("oldest_app_versions", system, "must not be under 0")
		}
	}
	return nil
}

// checkLanguage says what is wrong with a language, nothing where it is right.
func checkLanguage(code string) string {
	var all []string
	for _, l := range tongue.Languages() {
		if l.Code == code || code == "" {
			return ""
		}
		all = append(all, l.Code)
	}
	return "must be one of " + strings.Join(all, ", ") + `, or ""`
}

// CheckRepository says what is wrong with the name of a repository, nothing where
// it is right.
func CheckRepository(spec string) string {
	kind, place, _ := strings.Cut(spec, ":")
	switch {
	case kind != "folder" && kind != "rclone" && kind != "synapse":
		return `must begin with "folder:", "rclone:" or "synapse:"`
	case place == "":
		return `must name a place behind "` + kind + `:"`
	}
	return ""
}

// secret is an option of a connection string whose value nobody should see.
var secret = regexp.MustCompile(`([a-z_]*(?:key|pass|password|secret|token|credentials)[a-z_]*=)('(?:[^']|'')*'|"(?:[^"]|"")*"|[^,:]*)`)

// Shown is the name of a repository as it may be shown: without the secrets that a
// connection string may hold.
func Shown(spec string) string { return secret.ReplaceAllString(spec, "$1***") }

// HoldsSecret reports whether the name of a repository has a place for a secret in it.
func HoldsSecret(spec string) bool { return secret.MatchString(spec) }

var tableHeader = regexp.MustCompile(`^\s*\[([^\]]+)\]`)

// lineOf finds the line, from 1, on which a key of a table is set; 0 where it
// is not, or in a way that is rare.
func lineOf(text []byte, table, key string) int {
	at := ""
	for i, line := range strings.Split(string(text), "\n") {
		if header := tableHeader.FindStringSubmatch(line); header != nil {
			at = strings.TrimSpace(header[1])
			continue
		}
		name, _, set := strings.Cut(line, "=")
		name = strings.Trim(strings.TrimSpace(name), `"'`)
		if at != "" {
			name = at + "." + name
		}
		if set && name == strings.TrimPrefix(table+"."+key, ".") {
			return i + 1
		}
	}
	return 0
}

// Text writes settings as a commented file, for a new home.
func (s Settings) Text() string {
	return fmt.Sprintf(`# Settings of this Footbridge. A running appliance takes changes up at once.

# Where devices reach this site. A flag of serve stands above it.
listen = %s
# true: without TLS, for a trusted network only.
plain_http = %v

# The zone whose calendar dates name the folders in the repository.
time_zone = %s
# What people read is said in this language: en, es, fr, pt or sw. "": in the computer's,
# and to others in one that they ask for.
language = %s

# Where records go: folder:PATH (relative to this home), rclone:REMOTE or
# synapse:ENDPOINT. In a new place the projects have to be made: footbridge study create-project STUDY
repository = %s

# true: while data is received, processed or sent, the machine does not fall asleep by
# itself. Closing a laptop still puts it to sleep.
awake = %v

# The bucket that keeps the bytes of a repository that is Synapse; without it they are
# kept there. This table stands beside the text above, which other readers of TOML refuse.
# [repository.s3]
# bucket = "my-study-data"
# region = "us-east-1"
# endpoint = "" # of S3 that is not AWS's, such as "https://s3.example.org"
# provider = "" # of such S3, as rclone calls it, such as "Minio"; else "Other"

[uploads]
# The largest upload, in bytes.
max_size = %d
# Bytes of the disk that uploads leave free.
free_space_floor = %d

# Older versions of the app are told to update (410).
[oldest_app_versions]
# "iPhone OS" = 12
# "Android" = 12

[participants]
# Which data groups there are; while this is left out, any.
# data_groups = ["test_user", "control"]

[validation]
# What becomes of a bundle whose data does not fit its schema. Each problem is among
# the upload's messages: "warning" leaves it at that, "report" also says it in the
# record, "strict" refuses the upload.
strictness = %s

[sync]
# When records are sent, by the clock of the time zone above, such as "22:00-06:00";
# "": at any time.
hours = %s
# Bytes a second that sending may take; 0: all there is.
bandwidth = %d
# Records that are sent at once.
transfers = %d
`, quoted(s.Listen), s.PlainHTTP, quoted(s.TimeZone), quoted(s.Language), quoted(s.Repository), s.Awake, s.Uploads.MaxSize, s.Uploads.FreeSpaceFloor,
		quoted(s.Validation.Strictness), quoted(s.Sync.Hours), s.Sync.Bandwidth, s.Sync.Transfers)
}

// quoted writes a text as TOML reads it. Go's own quotes know escapes that TOML
// does not.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
