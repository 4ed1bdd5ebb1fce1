package appliance

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"footbridge/app/config"
	"footbridge/app/keys"
	"footbridge/app/local/setup"
	"footbridge/app/projects"
)

// Try tries out where the records of a home are to go that is not made yet, as a
// running appliance does, and leaves nothing. Errors: ErrRunning, and that the spec
// names nothing.
func Try(ctx context.Context, home, spec string, secrets Secrets) (setup.RepositoryTested, error) {
	if why := config.CheckRepository(spec); why != "" {
		return setup.RepositoryTested{}, errors.New("the repository " + why)
	}
	scratch, leave, err := scratchOf(home)
	if err != nil {
		return setup.RepositoryTested{}, err
	}
	defer leave()
	if err := errors.Join(carry(home, scratch), secrets.keep(scratch)); err != nil {
		return setup.RepositoryTested{}, err
	}
	a := &Appliance{home: scratch, log: slog.New(slog.DiscardHandler)}
	if a.ring, err = keys.OpenRing(filepath.Join(scratch, "keys")); err != nil {
		return setup.RepositoryTested{}, err
	}
	settings := config.Default()
	a.projects = projects.New(projects.Config{Home: scratch, Settings: func() config.Settings { return settings }, Token: a.ring.RepositoryToken, Log: a.log})
	defer a.projects.Close()
	defer lend(scratch, spec)()
	tested, err := setup.Try(ctx, a.projects, a.ring, spec)
	for i := range tested.Checks { // nobody knows the scratch folder
		tested.Checks[i].Text = strings.ReplaceAll(tested.Checks[i].Text, scratch, home)
	}
	return tested, err
}

// lend makes the folder that a spec names, as the making of the home would, unless it
// may lie on a disk that is not connected. It gives what takes the folder away again.
func lend(home, spec string) (take func()) {
	dir, ok := strings.CutPrefix(spec, "folder:")
	if !ok {
		return func() {}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(home, dir)
	}
	if err := os.Mkdir(dir, 0o700); err != nil { // it is there, or the test says what is wrong
		return func() {}
	}
	return func() { // removing leaves a folder that holds anything
		os.Remove(filepath.Join(dir, ".partial"))
		os.Remove(dir)
	}
}
