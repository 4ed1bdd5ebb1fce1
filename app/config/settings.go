package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the settings file in a home folder.
const FileName = "footbridge.toml"

// Settings are what a site may choose.
type Settings struct {
	Listen     string  `toml:"listen"`
	PlainHTTP  bool    `toml:"plain_http"`
	TimeZone   string  `toml:"time_zone"`
	Repository string  `toml:"repository"`
	Uploads    Uploads `toml:"uploads"`
}

// Uploads are the settings of the upload API.
type Uploads struct {
	MaxSize        int64 `toml:"max_size"`         // bytes
	FreeSpaceFloor int64 `toml:"free_space_floor"` // bytes
}

// Default gives the settings of a home that says nothing.
func Default() Settings {
	return Settings{
		Listen: ":8443", TimeZone: "America/Los_Angeles", Repository: "folder:repository",
		Uploads: Uploads{MaxSize: 5 << 30, FreeSpaceFloor: 512 << 20},
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
	settings := Default()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return settings, nil
	}
	if err != nil {
		return settings, fmt.Errorf("read settings: %w", err)
	}
	decoder := toml.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&settings); err != nil {
		return Default(), explain(err)
	}
	return settings, settings.check(text)
}

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
		return fmt.Errorf("%s line %d: %s", FileName, line, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return fmt.Errorf("read settings: %w", err)
}

// check finds the first setting that cannot work.
func (s Settings) check(text []byte) error {
	wrong := func(table, key, why string) error {
		return fmt.Errorf("%s line %d: %s %s", FileName, lineOf(text, table, key), key, why)
	}
	if _, _, err := net.SplitHostPort(s.Listen); err != nil {
		return wrong("", "listen", `must be an address and a port, such as ":8443" or "127.0.0.1:8443"`)
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "" || s.TimeZone == "Local" {
		return wrong("", "time_zone", `must be a name of the tz database, such as "America/Los_Angeles" or "Africa/Nairobi"`)
	}
	if !strings.HasPrefix(s.Repository, "folder:") && !strings.HasPrefix(s.Repository, "rclone:") {
		return wrong("", "repository", `must begin with "folder:" or "rclone:"`)
	}
	if s.Uploads.MaxSize <= 0 {
		return wrong("uploads", "max_size", "must be over 0 bytes")
	}
	if s.Uploads.FreeSpaceFloor < 0 {
		return wrong("uploads", "free_space_floor", "must not be under 0 bytes")
	}
	return nil
}

var tableHeader = regexp.MustCompile(`^\s*\[([^\]]+)\]`)

// lineOf finds the line, from 1, on which a key of a table is set; 0 where it
// is not.
func lineOf(text []byte, table, key string) int {
	at := ""
	for i, line := range strings.Split(string(text), "\n") {
		if header := tableHeader.FindStringSubmatch(line); header != nil {
			at = strings.TrimSpace(header[1])
		} else if name, _, found := strings.Cut(line, "="); found && at == table && strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return 0
}

// Text writes settings as a commented file, for a new home.
func (s Settings) Text() string {
	return fmt.Sprintf(`# Settings of this Footbridge. A running appliance takes changes up at once.

# Where devices reach this site. A change takes effect at the next start.
listen = %q
# true: without TLS, for a trusted network only.
plain_http = %v

# The zone whose calendar dates name the folders in the repository.
time_zone = %q

# Where records go: folder:PATH (relative to this home) or rclone:REMOTE.
# A change takes effect at the next start.
repository = %q

[uploads]
# The largest upload, in bytes.
max_size = %d
# Bytes of the disk that uploads leave free.
free_space_floor = %d
`, s.Listen, s.PlainHTTP, s.TimeZone, s.Repository, s.Uploads.MaxSize, s.Uploads.FreeSpaceFloor)
}
