package plan

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"footbridge/ui/tongue"
)

// Place is where records go.
type Place string

// The places.
const (
	Here    Place = "here" // a folder of this computer
	S3      Place = "s3"
	SFTP    Place = "sftp"
	WebDAV  Place = "webdav"
	Rclone  Place = "rclone" // whatever else rclone knows
	Synapse Place = "synapse"
)

// Places are all of them, the simplest first.
func Places() []Place { return []Place{Here, S3, SFTP, WebDAV, Rclone, Synapse} }

// wrongPlace says what is wrong with an answer to where records go.
func (d Draft) wrongPlace(f Field, text string, t tongue.Tongue) string {
	switch f {
	case Folder, Conf:
		if !filepath.IsAbs(text) {
			return t.Say("guide.wrong.folder")
		}
	case Port:
		if n, err := strconv.Atoi(text); err != nil || n < 1 || n > 65535 {
			return t.Say("guide.wrong.port")
		}
	case Host:
		if strings.ContainsAny(text, "/: ") {
			return t.Say("guide.wrong.host")
		}
	case Address, Endpoint, Server:
		if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
			return t.Say("guide.wrong.address")
		}
	case Remote:
		if at := strings.Index(text, ":"); at < 0 || at == 0 && strings.Count(text, ":") < 2 {
			return t.Say("guide.wrong.remote")
		}
	}
	return ""
}

// remoteName is what rclone.conf calls the place of the forms.
const remoteName = "records"

// Spec is the repository as settings name it.
func (d Draft) Spec() string {
	switch d.Place {
	case Here:
		if d.Text(Folder) == filepath.Join(d.Home, "repository") {
			return "folder:repository" // moves with the home
		}
		return "folder:" + d.Text(Folder)
	case Synapse:
		return "synapse:" + d.Text(Endpoint)
	case Rclone:
		return "rclone:" + strings.TrimPrefix(d.Text(Remote), "rclone:")
	case S3:
		return "rclone:" + remoteName + ":" + d.Text(Bucket)
	}
	return "rclone:" + remoteName + ":" + d.Text(Path)
}

// named gives a remote that is spelled by its name in rclone.conf alone, and the path there;
// false where it is spelled out, since that may hold secrets.
func (d Draft) named() (name, path string, ok bool) {
	name, path, ok = strings.Cut(strings.TrimPrefix(d.Text(Remote), "rclone:"), ":")
	return name, path, ok && name != "" && !strings.ContainsAny(name, ",=\"'")
}

// RcloneConf is the rclone.conf that the forms make; empty where the place needs none.
// obscured is the password of the user as rclone wants it.
func (d Draft) RcloneConf(obscured string) string {
	var lines []string
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+" = "+value)
		}
	}
	switch d.Place {
	case S3:
		add("type", "s3")
		add("provider", d.Text(Provider))
		add("region", d.Text(Region))
		add("endpoint", d.Text(Server))
		add("access_key_id", d.Text(KeyID))
		add("secret_access_key", d.Text(KeySecret))
	case SFTP:
		add("type", "sftp")
		add("host", d.Text(Host))
		add("port", cmp.Or(d.Text(Port), "22"))
		add("user", d.Text(User))
		add("pass", obscured)
	case WebDAV:
		add("type", "webdav")
		add("url", d.Text(Address))
		add("vendor", "other")
		add("user", d.Text(User))
		add("pass", obscured)
	default:
		return ""
	}
	return "[" + remoteName + "]\n" + strings.Join(lines, "\n") + "\n"
}
