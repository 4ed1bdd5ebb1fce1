package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"text/tabwriter"

	"footbridge/app/appliance"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/app/local/setup"
	"footbridge/ui/view"
)

// configCommand looks after the settings.
type configCommand struct {
	Show     configShow     `cmd:"" help:"Show every setting."`
	Get      configGet      `cmd:"" help:"Print one setting."`
	Set      configSet      `cmd:"" help:"Change one setting; a running appliance takes it up at once."`
	Describe configDescribe `cmd:"" help:"Say what each setting does, what it takes, and what it is where nobody chose."`
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
		for i := range all {
			all[i] = printedSetting(all[i])
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
		return s.printJSON(printedSetting(config.Setting{Key: c.Key, Value: value}))
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
	if err := c.change(ctx, s); err != nil {
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

// change changes it through the appliance that runs on the home, which tells the audit
// at once; else in the file.
func (c *configSet) change(ctx context.Context, s *session) error {
	transport, ok := control.Dial(s.home)
	if !ok {
		return config.Change(s.home, c.Key, c.Value)
	}
	asked := setup.SettingAsked{Key: c.Key, Value: c.Value, Secrets: true}
	return control.NewClient(transport).Call(ctx, http.MethodPatch, "/local/v1/settings", asked, nil)
}

// configDescribe says what settings there are.
type configDescribe struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// described is one setting for programs.
type described struct {
	view.Setting
	Does string `json:"does"`
}

// Run says it.
func (c *configDescribe) Run(_ context.Context, s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	var reader view.Reader
	var all []described
	for _, d := range settings.Describe() {
		value, err := settings.Written(d.Key)
		if err != nil {
			return err
		}
		setting := setup.Setting(d, value)
		all = append(all, described{setting, reader.SettingDoes(setting)})
	}
	if c.JSON {
		return s.printJSON(all)
	}
	for _, d := range all {
		fmt.Fprintf(s.out, "%s\n    %s\n    %s\n", d.Key, d.Does, reader.SettingUsual(d.Setting))
	}
	return nil
}

// printedSetting is a setting as it may be printed: without the secrets that the name of
// a repository may hold.
func printedSetting(s config.Setting) config.Setting {
	if text, ok := s.Value.(string); ok {
		s.Value = config.Shown(text)
	}
	return s
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
