package process

import (
	"bytes"
	"encoding/json"
)

// Strings makes strings of metadata values of any JSON kind: null is dropped,
// scalars become plain text, arrays and objects compact JSON.
func Strings(metadata map[string]json.RawMessage) map[string]string {
	all := make(map[string]string, len(metadata))
	for key, raw := range metadata {
		if text, ok := plainText(raw); ok {
			all[key] = text
		}
	}
	return all
}

func plainText(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return "", false
	}
	if raw[0] == '"' {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text, true
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return string(raw), true
	}
	return compact.String(), true
}
