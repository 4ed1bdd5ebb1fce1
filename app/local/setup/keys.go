package setup

import (
	"encoding/json"
	"net/http"
	"time"

	"footbridge/app/api"
	"footbridge/app/keys"
)

// KeyLine is a data-collection key as the API lists it; it holds no secret.
type KeyLine struct {
	Fingerprint string    `json:"fingerprint"` // hex SHA-256 of the certificate
	Subject     string    `json:"subject"`
	Serial      string    `json:"serial"` // hex
	Added       time.Time `json:"added"`
	Current     bool      `json:"current"` // devices are given this one
}

// DoneWith names the key (call.Accountable).
func (k KeyLine) DoneWith() (map[string]string, bool) {
	return map[string]string{"key": k.Fingerprint}, true
}

func newKeyLine(k keys.Key) KeyLine {
	return KeyLine{k.Fingerprint, k.Certificate.Subject.String(), k.Certificate.SerialNumber.Text(16), k.Added.UTC().Truncate(time.Millisecond), k.Current}
}

// KeyImport asks the API to keep a key.
type KeyImport struct {
	PEM     string `json:"pem"` // private key and certificate
	Current bool   `json:"current"`
}

func (h *Handlers) keys(*http.Request) (any, error) {
	lines := []KeyLine{}
	for _, key := range h.Ring.List() {
		lines = append(lines, newKeyLine(key))
	}
	return lines, nil
}

func (h *Handlers) createKey(*http.Request) (any, error) {
	key, err := h.Ring.Create(h.App, time.Now())
	if err != nil {
		return nil, err
	}
	return newKeyLine(key), nil
}

func (h *Handlers) importKey(r *http.Request) (any, error) {
	var asked KeyImport
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, api.BadRequest("The request is no JSON object with pem.")
	}
	key, err := h.Ring.Import([]byte(asked.PEM), asked.Current, time.Now())
	if err != nil {
		return nil, api.BadRequest("The key was not taken: " + err.Error() + ".")
	}
	return newKeyLine(key), nil
}
