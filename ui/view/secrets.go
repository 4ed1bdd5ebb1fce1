package view

// Secrets are what the repository is reached with, as far as a person may give it anew.
// What they are now is told nobody.
type Secrets struct {
	Asks []string `json:"asks"` // "token", "key_id", "key_secret", "password"; empty: it needs none, or has them elsewhere

	// Variable is the environment variable that alone counts, so that nothing can be given
	// here; empty where none is set.
	Variable string `json:"variable,omitempty"`
}
