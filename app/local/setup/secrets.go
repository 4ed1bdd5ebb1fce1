package setup

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"footbridge/app/api"
	"footbridge/app/keys"
	"footbridge/app/projects"
	"footbridge/sync/remote"
	"footbridge/ui/view"
)

// The rules here are: a secret is taken, and never told; it is taken whole, or not at all;
// and nothing is written that would not count.

// secretToken is the secret of Synapse, beside those of remotes.
const secretToken = "token"

// tellSecrets tells what the repository of the settings is reached with.
func (h *Handlers) tellSecrets(*http.Request) (any, error) { return h.secrets() }

func (h *Handlers) secrets() (view.Secrets, error) {
	asked := view.Secrets{Asks: []string{}}
	spec := h.Projects.Folders().Spec()
	if strings.HasPrefix(spec, projects.SynapseSpec) {
		if asked.Variable = h.Ring.TokenVariable(); asked.Variable == "" {
			asked.Asks = append(asked.Asks, secretToken)
		}
		return asked, nil
	}
	secrets, err := remote.Secrets(spec, h.RcloneConf)
	if err != nil {
		return asked, api.BadRequest("The repository cannot be used: " + err.Error() + ".")
	}
	for _, s := range secrets {
		asked.Asks = append(asked.Asks, string(s))
	}
	return asked, nil
}

// changeSecrets takes others, and has what waits for them sent.
func (h *Handlers) changeSecrets(r *http.Request) (any, error) {
	var given map[string]string
	if err := json.NewDecoder(r.Body).Decode(&given); err != nil {
		return nil, api.BadRequest("The request is no JSON object of texts.") // the reason may quote it
	}
	asked, err := h.secrets()
	if err != nil {
		return nil, err
	}
	if asked.Variable != "" {
		return nil, api.BadRequest("The token is given by " + asked.Variable + ", which alone counts. Change it there, and start Footbridge again.")
	}
	if len(asked.Asks) == 0 {
		return nil, api.BadRequest("The repository takes no key and no password here.")
	}
	for _, name := range asked.Asks {
		if text := given[name]; strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
			return nil, api.BadRequest("The " + name + " must be one line of text.")
		}
	}
	for name := range given {
		if !slices.Contains(asked.Asks, name) {
			return nil, api.BadRequest("The repository is not reached with what is given; it takes " + strings.Join(asked.Asks, " and ") + ".")
		}
	}
	if err := h.keepSecrets(given); err != nil {
		return nil, err
	}
	h.Hurry()
	return asked, nil
}

func (h *Handlers) keepSecrets(given map[string]string) error {
	if token, ok := given[secretToken]; ok {
		return h.Ring.KeepToken(strings.TrimSpace(token))
	}
	named := map[remote.Secret]string{}
	for name, text := range given {
		named[remote.Secret(name)] = text
	}
	text, err := remote.WithSecrets(h.Projects.Folders().Spec(), h.RcloneConf, named)
	if err != nil {
		return err
	}
	return keys.WriteFile(h.RcloneConf, text)
}
