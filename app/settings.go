package main

import (
	"context"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"footbridge/app/appliance"
	"footbridge/app/config"
)

// configCommand looks after the settings.
type configCommand struct {
	Show configShow `cmd:"" help:"Show every setting."`
	Get  configGet  `cmd:"" help:"Print one setting."`
	Set  configSet  `cmd:"" help:"Change one setting; a running appliance takes it up at once."`
}

// settings are those of a home.
func (s *session) settings() (config.Settings, error) {
	if err := appliance.IsMade(s.home); err != nil {
		return config.Settings{}, err
	}
	return config.Load(filepath.Join(s.home, config.FileName))
}

// configShow shows all settings.
type configShow struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run shows them.
func (c *configShow) Run(_ context.Context, s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	if c.JSON {
		all := settings.List()
		for i, setting := range all {
			if text, ok := setting.Value.(string); ok {
				all[i].Value = config.Shown(text)
			}
		}
		return s.printJSON(all)
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, setting := range settings.List() {
		fmt.Fprintf(table, "%s\t%s\n", setting.Key, shownSetting(setting.Value))
	}
	return table.Flush()
}

// configGet prints one setting.
type configGet struct {
	Key  string `arg:"" help:"Its name, such as uploads.max_size."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run prints it.
func (c *configGet) Run(_ context.Context, s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	value, err := settings.Value(c.Key)
	if err != nil {
		return err
	}
	if c.JSON {
		return s.printJSON(config.Setting{Key: c.Key, Value: value})
	}
	fmt.Fprintln(s.out, shownSetting(value))
	return nil
}

// configSet changes one setting.
type configSet struct {
	Key   string `arg:"" help:"Its name, such as uploads.max_size."`
	Value string `arg:"" help:"Its new value; a list with commas between."`
	JSON  bool   `name:"json" help:"Print the result as JSON."`
}

// Run changes it.
func (c *configSet) Run(ctx context.Context, s *session) error {
	if err := appliance.IsMade(s.home); err != nil {
		return err
	}
	if err := config.Change(s.home, c.Key, c.Value); err != nil {
		return err
	}
	show := configGet{Key: c.Key, JSON: c.JSON}
	if c.JSON {
		return show.Run(ctx, s)
	}
	value := config.Shown(c.Value)
	if value == "" {
		value = "empty"
	}
	fmt.Fprintf(s.out, "%s is now %s. A running appliance takes it up at once.\n", c.Key, value)
	return nil
}

// shownSetting writes a value as people do.
func shownSetting(value any) string {
	switch v := value.(type) {
	case string:
		return config.Shown(v)
	case []string:
		if len(v) == 0 {
			return "(any)"
		}
		return fmt.Sprint(v)
	case map[string]int:
		if len(v) == 0 {
			return "(any)"
		}
	}
	return fmt.Sprint(value)
}
