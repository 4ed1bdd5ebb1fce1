package remote_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/sync/remote"

	"github.com/google/go-cmp/cmp"
	"github.com/rclone/rclone/fs/config/obscure"
)

const conf = `# of the hospital
[bucket]
type = s3
provider = AWS
access_key_id = OLD
secret_access_key = s3cret

[lent]
type = s3
env_auth = true

[server]
type = sftp
host = sftp.example.org
user = site
pass = old

[keyed]
type = sftp
host = sftp.example.org
key_file = /home/site/key

[cloud]
type = webdav
url = https://cloud.example.org

[bearer]
type = webdav
bearer_token = s3cret

[drive]
type = drive
token = s3cret

[sealed]
type = crypt
remote = server:studies
password = x
`

func configured(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rclone.conf")
	if err := os.WriteFile(name, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A person is asked for what rclone.conf holds of a remote, and for nothing that it is not
// reached with.
func TestSecrets(t *testing.T) {
	file := configured(t)
	keys, password := []remote.Secret{remote.SecretKeyID, remote.SecretKey}, []remote.Secret{remote.SecretPassword}
	for spec, want := range map[string][]remote.Secret{
		"rclone:bucket:studies": keys, "rclone:server": password, "rclone:server:a/b": password, "rclone:cloud:": password, "rclone:sealed:": password,
		"rclone:lent:studies": nil, "rclone:keyed:": nil, "rclone:bearer:": nil, "rclone:drive:": nil,
		"rclone::s3,access_key_id=a,secret_access_key=b:studies": nil, "folder:repository": nil,
	} {
		got, err := remote.Secrets(spec, file)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", spec, err, diff)
		}
	}
	if got, err := remote.Secrets("rclone:other:", file); err == nil || got != nil {
		t.Errorf("of a remote that is not there: %v, %v", got, err)
	}
}

// Other secrets stand where the old ones stood; all else is as it was.
func TestWithSecrets(t *testing.T) {
	file := configured(t)
	text, err := remote.WithSecrets("rclone:bucket:studies", file, map[remote.Secret]string{remote.SecretKeyID: "NEW", remote.SecretKey: "s3cret=2 #a"})
	want := strings.NewReplacer("= OLD", "= NEW", "access_key = s3cret", "access_key = s3cret=2 #a").Replace(conf)
	if diff := cmp.Diff(spaced(want), spaced(string(text))); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	text, err = remote.WithSecrets("rclone:sealed:", file, map[remote.Secret]string{remote.SecretPassword: "correct horse"})
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "[server]")
	_, rest, _ = strings.Cut(rest, "pass")
	written, _, _ := strings.Cut(strings.TrimLeft(rest, " ="), "\n")
	if plain, err := obscure.Reveal(written); plain != "correct horse" || err != nil {
		t.Errorf("the password is written as %q (%v)", written, err)
	}
	if _, err := remote.WithSecrets("rclone:server:", file, map[remote.Secret]string{remote.SecretKeyID: "NEW"}); err == nil || !strings.Contains(err.Error(), "has no key_id") {
		t.Errorf("what the remote is not reached with: %v", err)
	}
	if now, err := os.ReadFile(file); string(now) != conf || err != nil {
		t.Errorf("the file was changed (%v)", err)
	}
}

// spaced is a file without the spaces that mean nothing.
func spaced(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			line = strings.TrimSpace(key) + "=" + strings.TrimSpace(value)
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
