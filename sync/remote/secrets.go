package remote

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rclone/rclone/fs/config/obscure"
	"github.com/unknwon/goconfig"
)

// Secret is one of those by which a remote is reached.
type Secret string

// The secrets that a person may give anew.
const (
	SecretKeyID    Secret = "key_id" // of S3
	SecretKey      Secret = "key_secret"
	SecretPassword Secret = "password" // of SFTP and WebDAV
)

// option is what rclone calls it.
func (s Secret) option() string {
	switch s {
	case SecretKeyID:
		return "access_key_id"
	case SecretKey:
		return "secret_access_key"
	}
	return "pass"
}

// Secrets gives those that rclone.conf has of the remote that a spec names, or would
// have: none where it is reached otherwise, be it by what the spec says itself, a file, the
// environment or a sign-in by browser. Errors: those of Open.
func Secrets(spec, configFile string) ([]Secret, error) {
	p, err := reached(spec, configFile)
	if err != nil || p.name == "" || strings.HasPrefix(p.name, ":") {
		return nil, err
	}
	return p.secrets(), nil
}

// reached is the remote of a spec that is reached over a line; its zero value where none
// is.
func reached(spec, configFile string) (place, error) {
	name, ok := strings.CutPrefix(spec, "rclone:")
	if !ok {
		return place{}, nil
	}
	p, err := locate(name, configFile)
	if err == nil && p.wrapped != nil {
		p = *p.wrapped
	}
	return p, err
}

func (p place) secrets() []Secret {
	any := func(options ...string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return p.options[o] != "" && p.options[o] != "false" })
	}
	switch {
	case p.kind == "s3" && !any("env_auth", "profile", "shared_credentials_file"):
		return []Secret{SecretKeyID, SecretKey}
	case p.kind == "sftp" && (any("pass") || !any("key_file", "key_pem", "key_use_agent", "ask_password")):
		return []Secret{SecretPassword}
	case p.kind == "webdav" && !any("bearer_token", "bearer_token_command"):
		return []Secret{SecretPassword}
	}
	return nil
}

// WithSecrets gives an rclone.conf in which the remote that a spec names has other
// secrets, all of them; the rest of it is as it was. Errors: those of Open, and a secret
// that it does not have.
func WithSecrets(spec, configFile string, given map[Secret]string) ([]byte, error) {
	asked, err := Secrets(spec, configFile)
	if err != nil {
		return nil, err
	}
	p, err := reached(spec, configFile)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(configFile)
	if err != nil {
		return nil, fmt.Errorf("read rclone.conf: %w", err)
	}
	file, err := goconfig.LoadFromData(text)
	if err != nil {
		return nil, errors.New("rclone.conf cannot be read") // the reason quotes it
	}
	for secret, value := range given {
		if !slices.Contains(asked, secret) {
			return nil, fmt.Errorf("the remote %s has no %s", p.name, secret)
		}
		if secret == SecretPassword {
			if value, err = obscure.Obscure(value); err != nil {
				return nil, fmt.Errorf("write rclone.conf: %w", err)
			}
		}
		file.SetValue(p.name, secret.option(), value)
	}
	var written bytes.Buffer
	if err := goconfig.SaveConfigData(file, &written); err != nil {
		return nil, fmt.Errorf("write rclone.conf: %w", err)
	}
	return written.Bytes(), nil
}
