package setup

import (
	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/keys"
	"footbridge/app/projects"
	"footbridge/core"
)

// Handlers answers the routes about what a site is set up with. Safe for concurrent use.
type Handlers struct {
	Home       string
	RcloneConf string // file that names remotes
	App        core.AppID
	Ring       *keys.Ring
	Projects   *projects.Keeper
	Settings   func() config.Settings
	Witness    *Witness
	Hurry      func() // lets what waits be sent at once

	// Door gives the address at which devices come in; empty: they do not.
	Door func() string

	// Forced are settings that Footbridge was started with, by their keys: they hold
	// whatever the settings file says.
	Forced map[string]string
}

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/settings", Answer: h.settings},
		{Pattern: "POST /local/v1/settings/try", Answer: h.try},
		{Pattern: "PATCH /local/v1/settings", Answer: h.change, Deed: core.DeedSettingsChanged},
		{Pattern: "POST /local/v1/repository/test", Answer: h.testRepository},
		{Pattern: "GET /local/v1/repository/secrets", Answer: h.tellSecrets},
		{Pattern: "PUT /local/v1/repository/secrets", Answer: h.changeSecrets, Deed: core.DeedRepositoryKeyGiven},
		{Pattern: "GET /local/v1/keys", Answer: h.keys},
		{Pattern: "POST /local/v1/keys", Answer: h.createKey, Deed: core.DeedKeyCreated},
		{Pattern: "POST /local/v1/keys/import", Answer: h.importKey, Deed: core.DeedKeyImported},
	}
}
