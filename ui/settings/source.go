package settings

import (
	"context"

	"footbridge/ui/view"
)

// Source has the settings. Safe for concurrent use. Errors: those of whoever answers, as a
// sentence for people.
type Source interface {
	// Settings gives every one.
	Settings(ctx context.Context) ([]view.Setting, error)

	// TrySetting tells whether one takes a value, and changes nothing.
	TrySetting(ctx context.Context, key, value string) (view.SettingTry, error)

	// ChangeSetting changes one, and gives it as it is then. Idempotent.
	ChangeSetting(ctx context.Context, key, value string) (view.Setting, error)

	// TestRepository writes, reads and deletes a file of its own in a repository; it
	// takes up to some minutes.
	TestRepository(ctx context.Context, repository string) (view.Trial, error)

	// RepositorySecrets tells what the repository of the settings is reached with.
	RepositorySecrets(ctx context.Context) (view.Secrets, error)

	// KeepRepositorySecrets replaces all of them, by their names. Idempotent.
	KeepRepositorySecrets(ctx context.Context, given map[string]string) error
}
