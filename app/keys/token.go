package keys

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"footbridge/core"

	"github.com/zalando/go-keyring"
)

// The rules here are: the repository's token comes from the environment, else from
// a file that nobody else may read, else from the keyring of the operating system;
// never from a flag, and it is never shown.

const (
	tokenVariable = "FOOTBRIDGE_REPOSITORY_TOKEN"
	tokenFile     = "repository.token"
	keyringName   = "footbridge"
)

// ErrNoToken says that there is no token for the repository.
var ErrNoToken = fmt.Errorf("there is no token for the repository: set %s, or put the token into keys/%s in the home folder: %w", tokenVariable, tokenFile, core.ErrNoToken)

// RepositoryToken gives the token for the repository, as it is now. Errors:
// ErrNoToken, and what keeps it from being read.
func (r *Ring) RepositoryToken(context.Context) (string, error) {
	if token := strings.TrimSpace(os.Getenv(tokenVariable)); token != "" {
		return token, nil
	}
	name := filepath.Join(r.dir, tokenFile)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r.fromKeyring()
	case err != nil:
		return "", fmt.Errorf("read the repository's token: %w", errors.Unwrap(err))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("keys/%s may be read by others; make it yours alone (chmod 600): %w", tokenFile, core.ErrNoToken)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read the repository's token: %w", errors.Unwrap(err))
	}
	if token := strings.TrimSpace(string(text)); token != "" {
		return token, nil
	}
	return "", ErrNoToken
}

// TokenVariable is the environment variable that the token for the repository comes from,
// so that no other counts; empty where it is not set.
func (r *Ring) TokenVariable() string {
	if strings.TrimSpace(os.Getenv(tokenVariable)) == "" {
		return ""
	}
	return tokenVariable
}

// KeepToken keeps a token for the repository in a file that nobody else may read.
func (r *Ring) KeepToken(token string) error {
	if err := WriteFile(filepath.Join(r.dir, tokenFile), []byte(token+"\n")); err != nil {
		return fmt.Errorf("keep the repository's token: %w", err)
	}
	return nil
}

// fromKeyring asks the operating system, under the name of the home.
func (r *Ring) fromKeyring() (string, error) {
	token, err := keyring.Get(keyringName, filepath.Dir(r.dir))
	if err != nil || token == "" { // many machines have no keyring
		return "", ErrNoToken
	}
	return token, nil
}
