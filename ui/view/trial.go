package view

import (
	"cmp"
	"strings"

	"footbridge/ui/tongue"
)

// Trial is what came of trying out a repository.
type Trial struct {
	Repository string  `json:"repository"` // its name for people
	OK         bool    `json:"ok"`
	Checks     []Check `json:"checks"`
}

// Check is one step of a trial.
type Check struct {
	OK      bool   `json:"ok"`
	Text    string `json:"text"`    // what was done, or what is wrong; in English
	Trouble string `json:"trouble"` // what is wrong, for programs; empty: that is not known
}

// Trial says what came of trying out a repository: what is wrong, and what to do.
func (r Reader) Trial(t Trial) string {
	if t.OK {
		return r.Say("settings.tested")
	}
	return strings.Join(append([]string{r.Say("settings.tested_wrong")}, r.TrialLines(t)...), "\n")
}

// TrialLines say what is wrong with a repository, what to do about it, and what was said
// by itself, which is English; nothing where all is well.
func (r Reader) TrialLines(t Trial) []string {
	var lines []string
	for _, check := range t.Checks {
		if check.OK {
			continue
		}
		kind := cmp.Or(check.Trouble, "unclear")
		if !tongue.Has("trial." + kind) {
			kind = "unclear"
		}
		do := kind + ".do"
		if strings.HasPrefix(t.Repository, "synapse:") && tongue.Has("trial."+do+"_synapse") {
			do += "_synapse"
		}
		lines = append(lines, r.Say("trial."+kind), r.Say("trial."+do))
		if check.Text != "" {
			lines = append(lines, r.Say("trial.said", "text", check.Text))
		}
	}
	return lines
}
