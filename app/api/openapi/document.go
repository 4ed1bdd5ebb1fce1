package openapi

import (
	"embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed *.yaml
var parts embed.FS

// Document gives the document as JSON.
var Document = sync.OnceValues(func() ([]byte, error) {
	files, err := parts.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list the parts of the API document: %w", err)
	}
	whole := map[string]any{}
	for _, file := range files {
		text, err := parts.ReadFile(file.Name())
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file.Name(), err)
		}
		var part map[string]any
		if err := yaml.Unmarshal(text, &part); err != nil {
			return nil, fmt.Errorf("read %s: %w", file.Name(), err)
		}
		if err := join(whole, part, ""); err != nil {
			return nil, fmt.Errorf("join %s: %w", file.Name(), err)
		}
	}
	return json.Marshal(whole)
})

// join adds a part to the whole. Sections are laid together; nothing may be said
// twice.
func join(whole, part map[string]any, at string) error {
	for key, value := range part {
		there, known := whole[key]
		section, isSection := value.(map[string]any)
		into, isSectionThere := there.(map[string]any)
		switch {
		case !known:
			whole[key] = value
		case isSection && isSectionThere:
			if err := join(into, section, at+"/"+key); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s/%s stands there twice", at, key)
		}
	}
	return nil
}
