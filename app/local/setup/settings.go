package setup

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/ui/view"
)

// The rules here are: a setting is changed by the same checks as by an editor or
// footbridge config set, and is told to the audit once, by its name alone; no answer has
// a secret in it.

// SettingAsked asks the API to try or to change one setting.
type SettingAsked struct {
	Key   string `json:"key"`
	Value string `json:"value"` // as people write it; a list with commas between

	// Secrets says that the value may hold a key or a password. Without it such a value
	// is refused: secrets belong elsewhere.
	Secrets bool `json:"secrets,omitempty"`
}

// secretElsewhere is said of a value that holds a secret.
const secretElsewhere = "must hold no key and no password: write those into rclone.conf in the home folder, and name the remote here"

// settingChanged is a setting that was changed (call.Accountable).
type settingChanged struct {
	view.Setting
	same bool // as it was
}

// DoneWith names the setting.
func (s settingChanged) DoneWith() (map[string]string, bool) {
	return map[string]string{"settings": s.Key}, !s.same
}

// settings lists every setting.
func (h *Handlers) settings(*http.Request) (any, error) {
	settings := h.Settings()
	all := []view.Setting{}
	for _, d := range settings.Describe() {
		s, err := describedSetting(settings, d)
		if err != nil {
			return nil, err
		}
		all = append(all, h.held(s))
	}
	return map[string]any{"items": all}, nil
}

// held is a setting with what holds in its place.
func (h *Handlers) held(s view.Setting) view.Setting {
	forced, ok := h.Forced[s.Key]
	if !ok || forced == s.Value {
		return s
	}
	s.InForce = forced
	if _, port, _ := net.SplitHostPort(forced); s.Key == "listen" && port == "0" { // whichever was free
		s.InForce = cmp.Or(h.Door(), forced)
	}
	return s
}

// describedSetting is a setting as the API shows it.
func describedSetting(settings config.Settings, d config.Description) (view.Setting, error) {
	value, err := settings.Written(d.Key)
	return Setting(d, value), err
}

// Setting is a setting and its value as they are shown.
func Setting(d config.Description, value string) view.Setting {
	return view.Setting{
		Key: d.Key, Kind: string(d.Kind), Value: config.Shown(value), Default: d.Default, Choices: d.Choices,
		Least: d.Least, Most: d.Most, Unit: d.Unit, Asks: d.Asks,
	}
}

// askedSetting reads which setting is asked for.
func askedSetting(r *http.Request) (SettingAsked, error) {
	var asked SettingAsked
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Key == "" {
		return asked, api.BadRequest("The request is no JSON object with key and value.")
	}
	return asked, nil
}

// refused is why a setting is not taken; empty where it is. Errors: there is no such
// setting.
func (asked SettingAsked) refused(err error) (string, error) {
	var unknown *config.UnknownError
	switch {
	case errors.As(err, &unknown):
		return "", api.BadRequest("The request cannot be done: " + err.Error() + ".")
	case !asked.Secrets && config.HoldsSecret(asked.Value):
		return secretElsewhere, nil
	case err != nil:
		return config.WhyNot(asked.Key, err), nil
	}
	return "", nil
}

// try tells whether a value would be taken, and changes nothing.
func (h *Handlers) try(r *http.Request) (any, error) {
	asked, err := askedSetting(r)
	if err != nil {
		return nil, err
	}
	why, err := asked.refused(config.Try(h.Home, asked.Key, asked.Value))
	return view.SettingTry{OK: why == "", Why: why}, err
}

// change changes a setting.
func (h *Handlers) change(r *http.Request) (any, error) {
	asked, err := askedSetting(r)
	if err != nil {
		return nil, err
	}
	if why, err := asked.refused(config.Try(h.Home, asked.Key, asked.Value)); err != nil || why != "" {
		if err == nil {
			err = api.BadRequest(asked.Key + " " + why + ".")
		}
		return nil, err
	}
	changed, err := h.Witness.change(asked.Key, asked.Value)
	if err != nil {
		return nil, err
	}
	now := h.Settings()
	for _, d := range now.Describe() {
		if d.Key == asked.Key {
			s, err := describedSetting(now, d)
			return settingChanged{h.held(s), !changed}, err
		}
	}
	return nil, fmt.Errorf("find setting %s", asked.Key)
}
