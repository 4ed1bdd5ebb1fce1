package pane

import (
	"context"
	"net/http"

	"footbridge/ui/view"
)

// Settings gives every setting.
func (p *Pane) Settings(ctx context.Context) ([]view.Setting, error) {
	var listed struct {
		Items []view.Setting `json:"items"`
	}
	err := p.call(ctx, http.MethodGet, "/local/v1/settings", nil, &listed)
	return listed.Items, err
}

// settingAsked names a setting and a value for it.
type settingAsked struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// TrySetting tells whether a setting takes a value, and changes nothing.
func (p *Pane) TrySetting(ctx context.Context, key, value string) (view.SettingTry, error) {
	return ask[view.SettingTry](ctx, p, http.MethodPost, "/local/v1/settings/try", settingAsked{key, value})
}

// ChangeSetting changes a setting, and gives it as it is then.
func (p *Pane) ChangeSetting(ctx context.Context, key, value string) (view.Setting, error) {
	return ask[view.Setting](ctx, p, http.MethodPatch, "/local/v1/settings", settingAsked{key, value})
}

// TestRepository tries out a repository; empty: that of the settings.
func (p *Pane) TestRepository(ctx context.Context, repository string) (view.Trial, error) {
	in := map[string]string{"repository": repository}
	return ask[view.Trial](ctx, p, http.MethodPost, "/local/v1/repository/test", in)
}

// RepositorySecrets tells what the repository of the settings is reached with.
func (p *Pane) RepositorySecrets(ctx context.Context) (view.Secrets, error) {
	return ask[view.Secrets](ctx, p, http.MethodGet, "/local/v1/repository/secrets", nil)
}

// KeepRepositorySecrets replaces all of them, by their names.
func (p *Pane) KeepRepositorySecrets(ctx context.Context, given map[string]string) error {
	return p.call(ctx, http.MethodPut, "/local/v1/repository/secrets", given, nil)
}
