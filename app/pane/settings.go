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
	return listed.Items, p.call(ctx, http.MethodGet, "/local/v1/settings", nil, &listed)
}

// settingAsked names a setting and a value for it.
type settingAsked struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// TrySetting tells whether a setting takes a value, and changes nothing.
func (p *Pane) TrySetting(ctx context.Context, key, value string) (view.SettingTry, error) {
	var tried view.SettingTry
	return tried, p.call(ctx, http.MethodPost, "/local/v1/settings/try", settingAsked{key, value}, &tried)
}

// ChangeSetting changes a setting, and gives it as it is then.
func (p *Pane) ChangeSetting(ctx context.Context, key, value string) (view.Setting, error) {
	var now view.Setting
	return now, p.call(ctx, http.MethodPatch, "/local/v1/settings", settingAsked{key, value}, &now)
}

// TestRepository tries out a repository; empty: that of the settings.
func (p *Pane) TestRepository(ctx context.Context, repository string) (view.Trial, error) {
	var trial view.Trial
	in := map[string]string{"repository": repository}
	return trial, p.call(ctx, http.MethodPost, "/local/v1/repository/test", in, &trial)
}
