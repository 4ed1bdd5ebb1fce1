// Package config reads the settings of a home, footbridge.toml: defaults, load,
// check, and reload when the file changes.
//
// It promises that a wrong setting is named with its line and what would be
// right, and that a running appliance keeps its last good settings while the
// file is wrong. Secrets are never in this file.
package config
